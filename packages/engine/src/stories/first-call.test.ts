import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { kindOfChange, type ReviewEntry, UNRECORDED_CONTENT } from '@palimpsest/core';
import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../../../../test/patience.fixture.js';
import { seeds } from '../../../../test/search.fixture.js';
import type { Settings } from '../basis/settings.js';
import type { KeptCheckpoint } from '../checkpoint/checkpoint-desk.js';
import { openWorkspace } from '../open-workspace.js';
import type { Workspace } from '../workspace.js';
import { type Copy, differingPaths, FreshTree } from './fresh-tree.fixture.js';
import { Chance } from './random-world.fixture.js';

const SEEDS = seeds({ brief: [1], long: [2, 3, 4, 11, 20_261_115, 774_111_098] });
const SIZES = [10, 40, 200, 2_000];
const SESSION = 'first';

const ended: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

/** A workspace that was opened this moment, and a first command that does not give us time to look around. */
class FirstCall {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'pal-first-')));
  readonly tree: FreshTree;
  readonly before: Copy;
  #workspace: Workspace | null = null;

  constructor(chance: Chance, git: boolean, files: number) {
    ended.push(async () => {
      await this.#workspace?.close();
      rmSync(this.folder, { recursive: true, force: true });
    });
    this.tree = new FreshTree(join(this.folder, 'work'), chance, { git, files });
    this.before = this.tree.copy();
  }

  get workspace(): Workspace {
    if (this.#workspace === null) throw new Error('not open');
    return this.#workspace;
  }

  async open(settings: Partial<Settings>): Promise<void> {
    const data = join(this.folder, 'data');
    const opened = await openWorkspace(this.tree.root, { data, environment: process.env, settings });
    if (!opened.ok) throw new Error(JSON.stringify(opened.error));
    this.#workspace = opened.value;
  }

  /** Until the names are known; the larger the tree, the less of it is read then. */
  async named(): Promise<void> {
    for (;;) {
      const { takingStock, coverage } = await this.workspace.status();
      if (!takingStock || coverage.unread > 0) return;
      await nextTurn();
    }
  }

  async run(act: () => Promise<void>): Promise<readonly ReviewEntry[]> {
    const call = { session: SESSION, callId: 'one' };
    const began = await this.workspace.begin({ ...call, tool: 'Bash', input: { command: './anything' } });
    expect(began.ok && began.value.decision).toBe('allow');
    await act();
    const end = await this.workspace.end(call);
    if (!end.ok) throw new Error(end.error.code);
    return end.value.changes;
  }

  /** Each difference is recorded once, and with the bytes that were there; what is not known is not made up. */
  async check(changes: readonly ReviewEntry[], after: Copy): Promise<void> {
    const recorded = changes.flatMap(({ file }) => [
      file.path,
      ...(file.fromPath === undefined ? [] : [file.fromPath]),
    ]);
    expect([...recorded].sort()).toEqual([...differingPaths(this.before, after)].sort());
    for (const { file } of changes) {
      const old = this.before.get(file.fromPath ?? file.path);
      if (file.before?.content === UNRECORDED_CONTENT)
        expect(file.reversible, `${file.path} cannot be taken back`).toBe(false);
      else {
        expect(file.before === null, `${kindOfChange(file)} ${file.path}`).toBe(old === undefined);
        if (old !== undefined) await this.#expectBytes(file.path, file.before!.content, old.bytes);
        expect(file.reversible).toBe(true);
      }
      const now = after.get(file.path);
      expect(file.after === null, file.path).toBe(now === undefined);
      if (now !== undefined) await this.#expectBytes(file.path, file.after!.content, now.bytes);
    }
  }

  /** Gives the paths that were said to stay. */
  async reject(): Promise<readonly string[]> {
    const answer = await this.workspace.reject({ session: SESSION });
    if (!answer.ok) {
      expect(answer.error.code).toBe('not-reversible');
      const all = await this.workspace.changes({ status: 'all' });
      return all.ok ? all.value.flatMap(({ file }) => [file.path, ...(file.fromPath ? [file.fromPath] : [])]) : [];
    }
    expect(answer.value.conflicts).toEqual([]);
    const left: string[] = [];
    for (const { id } of answer.value.left) {
      const change = await this.workspace.change(id);
      if (change.ok)
        left.push(change.value.file.path, ...(change.value.file.fromPath ? [change.value.file.fromPath] : []));
    }
    return left;
  }

  async restore(): Promise<readonly string[]> {
    const start = await this.#start();
    const plan = await this.workspace.planRestore(start.id);
    const done = await this.workspace.restore(start.id);
    if (!done.ok || !plan.ok) throw new Error('no restore');
    const left = [...done.value.uncovered, ...done.value.conflicts, ...done.value.left].map(({ path }) => path);
    if (left.length > 0) {
      expect(start.incomplete).toBe(true);
      expect(plan.value.incomplete).toBe(true);
    }
    return left;
  }

  /** A list does not wait for ever for the first trees: on a busy machine the checkpoint comes after it. */
  async #start(): Promise<KeptCheckpoint> {
    let start: KeptCheckpoint | undefined;
    await until(async () => {
      start = (await this.workspace.checkpoints({ session: SESSION })).find(({ reason }) => reason === 'start');
      return start !== undefined;
    });
    return start!;
  }

  async #expectBytes(path: string, content: string, bytes: Buffer): Promise<void> {
    const found = await this.workspace.content(content);
    if (!found.ok) throw new Error(`${content} of ${path} cannot be read`);
    if (!bytes.equals(found.value)) throw new Error(`${path}: ${content} is not what was there`);
  }
}

describe.each(SEEDS)('a first call right after the first open, seed %i', (seed) => {
  const chance = new Chance(seed * 2_654_435_761);
  const size = SIZES[seed % SIZES.length]!;
  for (const git of [true, false]) {
    const where = `${git ? 'in a repository' : 'without git'} of ${size}`;

    test(`[CAP15a] every byte comes back ${where}`, async () => {
      const first = new FirstCall(chance, git, size);
      await first.open({ stockWaitMs: 50_000 });
      const changes = await first.run(() => first.tree.act(5 + chance.below(Math.min(size, 300))));
      await first.check(changes, first.tree.copy());
      expect(chance.next() < 0.5 ? await first.reject() : await first.restore()).toEqual([]);
      expect(differingPaths(first.before, first.tree.copy())).toEqual([]);
    });

    test(`[CAP15b] with no time to look, what cannot come back is said ${where}`, async () => {
      const first = new FirstCall(chance, git, size);
      await first.open({ stockWaitMs: 0 });
      const pace = chance.next() < 0.5 ? 'at once' : 'in turns';
      if (pace === 'in turns') await first.named();
      const changes = await first.run(() => first.tree.act(5 + chance.below(Math.min(size, 300)), pace));
      await first.check(changes, first.tree.copy());
      const left = new Set(chance.next() < 0.5 ? await first.reject() : await first.restore());
      expect(differingPaths(first.before, first.tree.copy()).filter((path) => !left.has(path))).toEqual([]);
    });
  }
});
