import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangeJson, SessionJson } from '@palimpsest/protocol';
import { expect, test } from 'vitest';
import { PAL, type Ran } from '../cli/pal.fixture.js';
import { until } from '../patience.fixture.js';
import type { Tools } from './driver.fixture.js';
import type { Step } from './scripted-model.fixture.js';
import type { Seat } from './seat.fixture.js';

/** One agent in a worktree of its own: its hooks work there, and what it does comes to the workspace. */
export function worktreeStories(at: () => Seat): void {
  test('[SYN7b] in a worktree the agent sees what the human has, its calls are recorded, and they flow back', async () => {
    const seat = at();
    seat.workspace.write('uncommitted.txt', 'mine\n');
    const guest = new Guest(seat, 'in-worktree');
    const ran = await guest.run('auto', 'Work there.', (tools) => [
      { calls: [tools.shell('cat uncommitted.txt; pwd; echo "$PAL_WORKTREE $PAL_PORT_BASE" > told.txt')] },
      { calls: [tools.write('made-there.txt', 'made there\n')] },
      { text: 'done' },
    ]);
    expect([ran.exit, seat.model.left]).toEqual([0, 0]);
    const { path, portBase } = await guest.worktree();
    expect(seat.model.turns.join('\n')).toContain('mine');
    expect(seat.workspace.read('made-there.txt')).toBe('made there\n');
    // Cline runs commands in a hub that may have been started earlier, with the environment of then.
    const told = seat.agent === 'cline' ? [`${path} ${portBase}\n`, ' \n'] : [`${path} ${portBase}\n`];
    expect(told).toContain(seat.workspace.read('told.txt'));
    const changes = await seat.changes('--path', 'made-there.txt', '--status', 'all');
    const own = [seat.agent, seat.driver.named.write, 'agent'];
    // A hub of Cline's that was there before asks us about its own folder: then the command around it is the author.
    const whose = seat.agent === 'cline' ? [own, ['in-worktree', 'Bash', 'agent']] : [own];
    expect(changes).toHaveLength(1);
    expect(whose).toContainEqual([changes[0]!.agent, changes[0]!.tool, changes[0]!.author.kind]);
  });

  test('[SYN7c] in a worktree for review nothing comes to the workspace before it is accepted', async () => {
    const seat = at();
    const guest = new Guest(seat, 'reviewed');
    const ran = await guest.run('review', 'Work there.', (tools) => [
      { calls: [tools.write('proposed.txt', 'proposed\n')] },
      { text: 'done' },
    ]);
    expect([ran.exit, seat.model.left]).toEqual([0, 0]);
    expect(existsSync(seat.path('proposed.txt'))).toBe(false);
    const [change] = await seat.changes('--path', 'proposed.txt');
    expect((await seat.workspace.pal('accept', change!.id)).exit).toBe(0);
    await until(() => existsSync(seat.path('proposed.txt')));
    expect(seat.workspace.read('proposed.txt')).toBe('proposed\n');
  });
}

/** Claude Code asks us for the folder of its own `--worktree`. */
export function ownWorktreeStory(take: () => Promise<Seat>): void {
  test('[SYN7g] claude --worktree works in a worktree of ours, from what the human has, and it flows back', async () => {
    const seat = await take();
    try {
      await seat.init('--worktree', 'auto');
      seat.workspace.write('uncommitted.txt', 'mine\n');
      const guest = new Guest(seat, 'claude');
      const ran = await guest.play('Work there.', ['--worktree', 'feature'], (tools) => [
        { calls: [tools.shell('cat uncommitted.txt')] },
        { calls: [tools.write('made-there.txt', 'made there\n')] },
        { text: 'done' },
      ]);
      expect([ran.exit, seat.model.left]).toEqual([0, 0]);
      expect(seat.model.turns.join('\n')).toContain('mine');
      await until(() => existsSync(seat.path('made-there.txt')));
      const changes = await seat.changes('--path', 'made-there.txt', '--status', 'all');
      expect(changes.map(({ agent, tool }) => [agent, tool])).toEqual([['claude', 'Write']]);
      expect(existsSync(seat.path('.claude/worktrees'))).toBe(false);
    } finally {
      await seat.leave();
    }
  });
}

/** Two agents and a human, at once, in the same file. */
export function pairStory(first: () => Seat, second: () => Seat): void {
  test('[SYN7d] two agents in worktrees and a human edit one file of a dirty tree, and all of it arrives', async () => {
    const [one, two] = [new Guest(first(), 'first'), new Guest(second(), 'second')];
    const { workspace } = one.seat;
    workspace.write('shared.txt', rows({}));
    workspace.write('untracked.txt', 'of the human\n');
    const human = () => workspace.put('shared.txt', workspace.read('shared.txt')!.replace('row 20\n', 'HUMAN\n'));
    const [a, b] = await Promise.all([
      one.run('auto', 'Edit the top.', (tools) => [
        { calls: [tools.read('shared.txt')] },
        { calls: [tools.edit('shared.txt', 'row 02', 'FIRST')] },
        { calls: [tools.read('shared.txt')] },
        { calls: one.stillWants('FIRST') ? [tools.edit('shared.txt', 'row 02', 'FIRST')] : [tools.shell('true')] },
        { run: human, calls: [tools.shell('cat untracked.txt')] },
        { text: 'done' },
      ]),
      two.run('review', 'Edit the end.', (tools) => [
        { calls: [tools.read('shared.txt')] },
        { calls: [tools.edit('shared.txt', 'row 38', 'SECOND')] },
        { calls: [tools.read('shared.txt')] },
        { calls: two.stillWants('SECOND') ? [tools.edit('shared.txt', 'row 38', 'SECOND')] : [tools.shell('true')] },
        { calls: [tools.shell('cat untracked.txt')] },
        { text: 'done' },
      ]),
    ]);
    expect([a.exit, b.exit, one.seat.model.left, two.seat.model.left]).toEqual([0, 0, 0, 0]);
    const before = workspace.read('shared.txt')!;
    expect([before.includes('FIRST'), before.includes('HUMAN'), before.includes('SECOND')]).toEqual([
      true,
      true,
      false,
    ]);
    const pending = await two.seat.changes('--path', 'shared.txt');
    const seconds = pending.filter(({ agent }: ChangeJson) => agent !== one.seat.agent);
    expect((await workspace.pal('accept', ...seconds.map(({ id }) => id))).exit).toBe(0);
    await until(() => workspace.read('shared.txt')!.includes('SECOND'));
    expect(workspace.read('shared.txt')).toBe(rows({ 2: 'FIRST', 20: 'HUMAN', 38: 'SECOND' }));
    const left = await workspace.json<Record<string, readonly unknown[]>>('conflicts');
    expect(Object.values(left).flat()).toEqual([]);
  });
}

type Script = (tools: Tools) => readonly Step[];

/** An agent in a worktree; where it works is known when it asks its model for the first time. */
class Guest {
  readonly seat: Seat;
  readonly #name: string;
  #path = '';

  constructor(seat: Seat, name: string) {
    this.seat = seat;
    this.#name = name;
  }

  /** Under `pal run`. */
  async run(mode: 'auto' | 'review', prompt: string, script: Script): Promise<Ran> {
    this.#prepare(script);
    const words = this.seat.driver.words(this.seat, prompt, {});
    return this.seat.start([process.execPath, PAL, 'run', '--agent', this.#name, '--worktree', mode, '--', ...words]);
  }

  /** By itself. */
  async play(prompt: string, more: readonly string[], script: Script): Promise<Ran> {
    this.#prepare(script);
    return this.seat.start([...this.seat.driver.words(this.seat, prompt, {}), ...more]);
  }

  #prepare(script: Script): void {
    const { seat } = this;
    const there = Object.create(seat, { path: { value: (name: string) => join(this.#path, name) } }) as Seat;
    const planned = script(seat.driver.tools(there)).length;
    const steps = Array.from({ length: planned }, (_, n): Step => {
      // Made anew for each request: the names in it are only known then.
      const step = () => script(seat.driver.tools(there))[n]!;
      return {
        run: async () => {
          this.#path ||= (await this.worktree()).path;
          await step().run?.();
        },
        get calls() {
          return step().calls ?? [];
        },
        get text() {
          return step().text ?? '';
        },
      };
    });
    seat.model.play(steps);
  }

  /** What the other did may have come in between: then the edit was refused, and is made again on what is there. */
  stillWants(line: string): boolean {
    const file = join(this.#path, 'shared.txt');
    return this.#path !== '' && existsSync(file) && !readFileSync(file, 'utf8').includes(line);
  }

  async worktree(): Promise<NonNullable<SessionJson['worktree']>> {
    const { sessions } = await this.seat.workspace.json<{ sessions: readonly SessionJson[] }>('session', 'list');
    const worktree = sessions.find(({ agent }) => agent === this.#name)?.worktree;
    if (worktree === undefined) throw new Error(`${this.#name} has no worktree`);
    return worktree;
  }
}

/** Forty lines, none of them a part of another, some of them replaced. */
function rows(changed: Readonly<Record<number, string>>): string {
  return Array.from(
    { length: 40 },
    (_, index) => `${changed[index + 1] ?? `row ${String(index + 1).padStart(2, '0')}`}\n`,
  ).join('');
}
