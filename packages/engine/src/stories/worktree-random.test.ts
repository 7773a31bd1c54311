import { expect, test } from 'vitest';
import { seeds } from '../../../../test/search.fixture.js';
import { type Stage, stage } from './stage.fixture.js';
import { edited, linesOf, randomFrom, treeAt } from './worktree-random.fixture.js';
import { type Inhabitant, inWorktree } from './worktree-stage.fixture.js';

const FILES = ['a.txt', 'b.txt', 'd/c.txt'];
/** Enough for every move to come several times. */
const STEPS = 25;

/** A person and three sessions in worktrees, in seeded order, over the same files. */
class Play {
  readonly stage: Stage;
  readonly random: (below: number) => number;
  readonly agents: readonly Inhabitant[];
  /** Lines that somebody took out, or that were rejected: these alone may be nowhere. */
  readonly gone = new Set<string>();
  readonly written = new Map<string, string>();
  /** Lines of changes in worktrees for review that nobody accepted yet. */
  #count = 0;

  constructor(on: Stage, agents: readonly Inhabitant[], seed: number) {
    this.stage = on;
    this.agents = agents;
    this.random = randomFrom(seed);
  }

  async step(): Promise<void> {
    switch (this.random(11)) {
      case 0:
      case 1:
        return this.#humanEdits();
      case 2:
      case 3:
      case 4:
        return this.#agentEdits(this.agents[this.random(this.agents.length)]!);
      case 5:
        return this.#verdict();
      case 6:
        if (this.random(3) === 0) await this.stage.reopen();
        return;
      case 7:
        return this.#takeBack();
      case 8:
        return this.#resolve();
      case 9:
        return this.#agentMoves(this.agents[this.random(this.agents.length)]!);
      default:
        return this.stage.workspace.look();
    }
  }

  #edit(text: string, by: string): string {
    const fresh = `${by} ${++this.#count}`;
    const { text: next, gone } = edited(text, fresh, this.random);
    if (next.includes(fresh)) this.written.set(fresh, by);
    for (const line of gone) this.gone.add(line);
    return next;
  }

  async #humanEdits(): Promise<void> {
    const path = FILES[this.random(FILES.length)]!;
    this.stage.write(path, this.#edit(this.stage.read(path) ?? '', 'human'));
    if (this.random(2) === 0) await this.stage.workspace.look();
  }

  /** Either knows nothing of the other meanwhile. */
  async #agentEdits(agent: Inhabitant): Promise<void> {
    const path = FILES[this.random(FILES.length)]!;
    const isConcurrent = this.random(3) === 0;
    await agent.run((at) => {
      at.put(path, this.#edit(at.read(path) ?? '', agent.session));
      if (isConcurrent) this.stage.write(path, this.#edit(this.stage.read(path) ?? '', 'human'));
    });
  }

  async #verdict(): Promise<void> {
    const { workspace } = this.stage;
    const open = await workspace.changes({ status: 'pending' });
    const entry = open.ok ? open.value[this.random(Math.max(1, open.value.length))] : undefined;
    if (entry === undefined) return;
    if (this.random(3) > 0) {
      await workspace.accept({ changes: [entry.id] });
      return;
    }
    const before = this.#all();
    await workspace.reject({ changes: [entry.id] });
    await workspace.look();
    const after = this.#all();
    for (const line of before) if (!after.has(line) && !line.startsWith('human')) this.gone.add(line);
  }

  async #takeBack(): Promise<void> {
    const before = this.#all();
    if (this.random(3) > 0) await this.stage.workspace.undo();
    else await this.stage.workspace.redo();
    await this.stage.workspace.look();
    const after = this.#all();
    for (const line of before) if (!after.has(line) && !line.startsWith('human')) this.gone.add(line);
  }

  /** Taking a side is a person's word that the other one's lines may go. */
  async #resolve(): Promise<void> {
    const { workspace } = this.stage;
    const conflicts = workspace.worktrees.conflicts();
    const conflict = conflicts[this.random(Math.max(1, conflicts.length))];
    if (conflict === undefined) return;
    const before = this.#all();
    await workspace.worktrees.resolve(conflict.id, { take: this.random(2) === 0 ? 'ours' : 'theirs' });
    await workspace.look();
    const after = this.#all();
    for (const line of before) if (!after.has(line)) this.gone.add(line);
  }

  async #agentMoves(agent: Inhabitant): Promise<void> {
    const [from, to] = this.random(2) === 0 ? ['b.txt', 'moved.txt'] : ['moved.txt', 'b.txt'];
    if (agent.read(from!) === null || agent.read(to!) !== null) return;
    // What others did may have come between looking and the call: then there is nothing to move.
    await agent.run((at) => {
      if (at.read(from!) !== null && at.read(to!) === null) at.move(from!, to!);
    });
  }

  #all(): ReadonlySet<string> {
    return new Set([...this.#roots()].flatMap((root) => [...linesOf(treeAt(root))]));
  }

  #roots(): readonly string[] {
    return [this.stage.root, ...this.agents.map(({ root }) => root)];
  }

  /** At rest: nobody's line is lost anywhere, and trees differ only where something waits or is in conflict. */
  async check(): Promise<void> {
    const { workspace } = this.stage;
    for (const { session } of this.agents) await workspace.worktrees.sync(session);
    await workspace.look();
    await workspace.look();
    const everywhere = this.#all();
    const lost = [...this.written.keys()].filter((line) => !everywhere.has(line) && !this.gone.has(line));
    expect(lost, 'lost').toEqual([]);
    const stuck = new Set(workspace.worktrees.conflicts().map(({ path }) => path as string));
    const here = treeAt(this.stage.root);
    for (const agent of this.agents) {
      const facts = await workspace.worktrees.show(agent.session);
      if (!facts.ok) throw new Error(facts.error.code);
      const waiting = await this.#waiting(agent);
      const there = treeAt(agent.root);
      for (const path of new Set([...here.keys(), ...there.keys()])) {
        if (stuck.has(path) || (facts.value.mode === 'review' && waiting.has(path))) continue;
        expect(there.get(path), `${path} of ${agent.session}`).toBe(here.get(path));
      }
    }
  }

  async #waiting(agent: Inhabitant): Promise<ReadonlySet<string>> {
    const facts = await this.stage.workspace.worktrees.show(agent.session);
    const pending = new Set<string>(facts.ok ? facts.value.pending : []);
    const open = await this.stage.workspace.changes({});
    const entries = open.ok ? open.value.filter(({ id }) => pending.has(id)) : [];
    // A move that waits is a difference at both of its names.
    return new Set(entries.flatMap(({ path, file }) => [path, file.path, file.fromPath ?? path].map(String)));
  }

  /** Each line that was written stands in what was recorded as new by one change, and by no second one. */
  async recordedOnce(): Promise<void> {
    const { workspace } = this.stage;
    const all = await workspace.changes({ status: 'all' });
    if (!all.ok) throw new Error(all.error.code);
    const times = new Map<string, number>();
    for (const { id } of all.value) {
      const patch = await workspace.patch(id);
      if (!patch.ok) continue;
      for (const line of new TextDecoder().decode(patch.value).split('\n'))
        if (line.startsWith('+') && this.written.has(line.slice(1)))
          times.set(line.slice(1), (times.get(line.slice(1)) ?? 0) + 1);
    }
    expect(
      [...times].filter(([, count]) => count > 1),
      'recorded twice',
    ).toEqual([]);
  }
}

test.each(seeds({ brief: [1, 4], long: [2, 3, 5, 6] }))(
  '[SYN2l] a human and three sessions over the same files, seed %i: all trees agree but for conflicts, nothing is lost or recorded twice',
  async (seed) => {
    const text = Array.from({ length: 12 }, (_, line) => `start ${line + 1}\n`).join('');
    const s = await stage({ files: Object.fromEntries(FILES.map((path) => [path, text.replaceAll('start', path)])) });
    const agents = [
      await inWorktree(s, 'auto1', 'auto'),
      await inWorktree(s, 'auto2', 'auto'),
      await inWorktree(s, 'review', 'review'),
    ];
    const play = new Play(s, agents, seed);
    for (let step = 1; step <= STEPS; step++) {
      await play.step();
      if (step % 8 === 0) await play.check();
    }
    await play.check();
    await play.recordedOnce();
  },
  600_000,
);
