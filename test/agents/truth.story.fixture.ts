import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeJson } from '@palimpsest/protocol';
import { expect, test } from 'vitest';
import { killDaemon } from './records.story.fixture.js';
import type { Seat } from './seat.fixture.js';

/** What an agent does must be told apart from what people do, on a machine that has other things to do as well. */
export function truthStories(at: () => Seat): void {
  test('[FRE3c] reading a few lines again does not make the rest of the file seen', async () => {
    const seat = at();
    const { read, readLines, write } = seat.driver.tools(seat);
    seat.workspace.write('long.txt', rows({}));
    const human = rows({ 50: 'row 50 as the human wants it\nand one more' });
    const mine = rows({ 1: 'AGENT' });
    // Its editor writes no file whole that is there already; by number it inserts at the wrong place just as quietly.
    const over =
      seat.agent === 'cline'
        ? { name: 'editor', input: { path: seat.path('long.txt'), new_text: 'AGENT', insert_line: 60 } }
        : write('long.txt', mine);
    const ran = await seat.run('Change the first line.', [
      { calls: [read('long.txt')] },
      { run: () => seat.workspace.put('long.txt', human), calls: [readLines('long.txt', 1, 5)] },
      { calls: [over] },
      { text: 'done' },
    ]);
    expect([ran.exit, seat.model.left]).toEqual([0, 0]);
    expect(seat.workspace.read('long.txt')).toBe(human);
    expect(seat.model.turns.at(-1)).toContain('long.txt');
    expect(await authorsOf(seat, 'long.txt')).not.toContain('agent');
  });

  test('[CAP16a] a file that a command empties and fills again is one change of that command', async () => {
    const seat = at();
    const { shell } = seat.driver.tools(seat);
    seat.workspace.write('half.txt', 'before\n');
    const ran = await seat.run('Rewrite it.', [
      { calls: [shell(': > half.txt; sleep 0.7; echo after > half.txt; sleep 0.3')] },
      { text: 'done' },
    ]);
    expect([ran.exit, seat.model.left]).toEqual([0, 0]);
    const changes = await seat.changes('--path', 'half.txt');
    expect(changes.map(({ author, kind, added, removed }) => [author.kind, kind, added, removed])).toEqual([
      ['agent', 'modify', 1, 1],
    ]);
    expect((await seat.workspace.pal('reject', changes[0]!.id)).exit).toBe(0);
    expect(seat.workspace.read('half.txt')).toBe('before\n');
  });

  test('[CAP4e] what a command writes after its call has ended is never taken for the human', async () => {
    const seat = at();
    const { background, shell } = seat.driver.tools(seat);
    const ran = await seat.run('Start it and go on.', [
      { calls: [background('sleep 1; echo late > background.txt')] },
      { run: () => appears(seat, 'background.txt'), calls: [shell('echo going on')] },
      { text: 'done' },
    ]);
    expect([ran.exit, seat.model.left]).toEqual([0, 0]);
    const changes = await seat.changes('--path', 'background.txt');
    expect(changes.map(({ kind, status }) => [kind, status])).toEqual([['create', 'pending']]);
    expect(await authorsOf(seat, 'background.txt')).not.toContain('human');
    expect((await seat.workspace.pal('reject', changes[0]!.id)).exit).toBe(0);
    expect(existsSync(seat.path('background.txt'))).toBe(false);
  });

  test('[CAP3g] a call that is running when the daemon dies is taken up again', async () => {
    const seat = at();
    const { shell } = seat.driver.tools(seat);
    seat.workspace.write('mid-call.txt', 'one\n');
    const kill = `sed -E 's/.*"pid":([0-9]+).*/\\1/' "$PALIMPSEST_HOME/daemon.json" | xargs kill -9`;
    const ran = await seat.run('Go on without the daemon.', [
      { calls: [shell('echo earlier > earlier.txt')] },
      { calls: [shell(`${kill}; sleep 0.2; echo two >> mid-call.txt`)] },
      { calls: [shell('echo later > later.txt')] },
      { text: 'done' },
    ]);
    expect([ran.exit, seat.model.left]).toEqual([0, 0]);
    expect(seat.workspace.read('mid-call.txt')).toBe('one\ntwo\n');
    const changes = await seat.changes('--path', 'mid-call.txt');
    const [, middle] = seat.model.made;
    expect(changes).toHaveLength(1);
    const [change] = changes;
    const calls =
      change!.author.kind === 'agent' ? [change!.callId] : (change!.candidates ?? []).map(({ callId }) => callId);
    const wanted = seat.driver.callId(middle!.id);
    if (wanted !== null) expect(calls).toEqual([wanted]);
    expect(calls).toHaveLength(1);
    expect(change!.author.kind).not.toBe('human');
  });

  test('[CAP3g] an edit that is running when the daemon dies is its own, and the human keeps theirs', async () => {
    const seat = at();
    const { read, edit, shell } = seat.driver.tools(seat);
    seat.workspace.write('edited.txt', rows({}));
    seat.workspace.write('mine.txt', 'one\n');
    const since = (await seat.workspace.json<{ seq: number }>('status')).seq;
    const ran = await seat.run('Edit it.', [
      { calls: [shell('echo before > before.txt')] },
      { calls: [read('edited.txt')] },
      { run: () => killDaemon(seat), calls: [edit('edited.txt', 'row 55', 'AGENT')] },
      { run: () => seat.workspace.put('mine.txt', 'one\nhuman\n'), calls: [shell('echo after > after.txt')] },
      { text: 'done' },
    ]);
    expect([ran.exit, seat.model.left]).toEqual([0, 0]);
    expect(await authorsOf(seat, 'mine.txt', since)).not.toContain('agent');
    expect(await authorsOf(seat, 'edited.txt', since)).not.toContain('human');
    expect(seat.workspace.read('edited.txt')).toContain('AGENT');
    const log = await seat.workspace.json<{ operations: readonly { seq: number; decision?: string }[] }>('log');
    expect(log.operations.filter(({ seq, decision }) => seq > since && decision === 'deny')).toEqual([]);
  });
}

/** Every file of a fresh workspace is known before the first call can touch it. */
export function firstCallStories(take: (git: 'git' | 'no git') => Promise<Seat>): void {
  test.each(['git', 'no git'] as const)('[CAP15a] the first call of a session loses nothing: %s', async (git) => {
    const seat = await take(git);
    try {
      const before = seat.tree();
      const { shell } = seat.driver.tools(seat);
      const command = [
        'rm -r many/1',
        'mv many/2 moved',
        'mv hello.txt greeting.txt',
        'for f in many/3/*; do echo over > "$f"; done',
        'rm notes.txt',
        'mkdir -p new/deep && echo 1 > new/deep/a && echo 2 > new/deep/b',
      ].join('; ');
      const ran = await seat.run('Tidy up.', [{ calls: [shell(command)] }, { text: 'done' }]);
      expect([ran.exit, seat.model.left]).toEqual([0, 0]);
      const after = seat.tree();
      expect(after.size).not.toBe(before.size);
      // The agent did not wait for all of what it told.
      await seat.stockTaken();
      const changes = await seat.changes();
      const told = new Set(changes.flatMap(pathsOf));
      expect(
        differences(before, after)
          .filter((path) => !told.has(path))
          .slice(0, 5),
      ).toEqual([]);
      const { left } = await seat.workspace.json<{ left: readonly { id: string }[] }>('reject', '--all');
      const spared = changes.filter(({ id }) => left.some((one) => one.id === id));
      // A machine that was too busy to read them in time does not claim that it has what they held; and what was seen
      // before it heard of the call is not taken for the call's, but says that it may be.
      const isTheCalls = ({ candidates = [] }: ChangeJson) => candidates.some(({ agent }) => agent === seat.agent);
      expect(spared.filter((change) => change.reversible && !isTheCalls(change))).toEqual([]);
      const named = new Set(spared.flatMap(pathsOf));
      const lost = differences(before, seat.tree());
      expect(lost.filter((path) => !named.has(path)).slice(0, 5)).toEqual([]);
      if (lost.length > 0) process.stdout.write(`${seat.agent}, ${git}: ${lost.length} files are left, and named\n`);
      const perhaps = spared.filter(({ reversible }) => reversible).map(({ id }) => id);
      if (perhaps.length > 0) expect((await seat.workspace.pal('reject', ...perhaps)).exit).toBe(0);
      const unread = new Set(spared.filter(({ reversible }) => !reversible).flatMap(pathsOf));
      expect(differences(before, seat.tree()).filter((path) => !unread.has(path))).toEqual([]);
    } finally {
      await seat.leave();
    }
  });
}

/** Ten thousand files that nobody but the disk holds. */
export function manyFiles(): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  for (let index = 0; index < 10_000; index++) {
    files[`many/${index % 20}/file-${index}.txt`] = `file ${index}\n${'x'.repeat(index % 500)}\n`;
  }
  return files;
}

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}

function pathsOf({ path, fromPath }: ChangeJson): readonly string[] {
  return fromPath === undefined ? [path] : [path, fromPath];
}

async function authorsOf(seat: Seat, path: string, since = 0): Promise<readonly string[]> {
  const changes = await seat.changes('--status', 'all', '--path', path);
  return changes.filter(({ seq }) => seq > since).map(({ author }) => author.kind);
}

async function appears(seat: Seat, name: string): Promise<void> {
  while (!existsSync(seat.path(name))) await sleep(50);
  // Asking looks at the disk first.
  await seat.workspace.pal('status');
}

/** A hundred lines, some of them replaced. */
function rows(changed: Readonly<Record<number, string>>): string {
  return Array.from({ length: 100 }, (_, index) => `${changed[index + 1] ?? `row ${index + 1}`}\n`).join('');
}
