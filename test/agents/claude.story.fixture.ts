import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { killDaemon, missed } from './records.story.fixture.js';
import type { Seat } from './seat.fixture.js';

/** What only Claude Code has: subagents, compaction by hand, a fail-closed mode. */
export function claudeStories(at: () => Seat): void {
  test('[AGT1b] a subagent’s change is of the same session, and knows which subagent', async () => {
    const seat = at();
    const { read, edit } = seat.driver.tools(seat);
    seat.workspace.write('delegated.txt', 'one\n');
    const ran = await seat.run('Have somebody do it.', [
      { calls: [{ name: 'Agent', input: { description: 'do it', prompt: TASK, subagent_type: 'general-purpose' } }] },
      { match: ONLY_CHILD, calls: [read('delegated.txt')] },
      { match: ONLY_CHILD, calls: [edit('delegated.txt', 'one', 'uno')] },
      { match: ONLY_CHILD, text: 'sub finished' },
    ]);
    expect(ran.exit).toBe(0);
    expect(seat.workspace.read('delegated.txt')).toBe('uno\n');
    const changes = await seat.changes('--path', 'delegated.txt');
    expect(changes).toMatchObject([{ tool: 'Edit', agent: 'claude' }]);
    const { sessions } = await seat.workspace.json<{ sessions: readonly { id: string }[] }>('session', 'list');
    expect(sessions.at(-1)!.id).toBe(changes[0]!.session);
    const log = await seat.workspace.json<{ operations: readonly { kind: string; agentId?: string; tool?: string }[] }>(
      'log',
    );
    const began = log.operations.filter(({ kind, tool }) => kind === 'call-began' && tool === 'Edit').at(-1)!;
    expect(began.agentId).toMatch(/./);
  });

  test('[FRE3b] after compaction nothing it saw is visible; a change meanwhile is denied after resuming', async () => {
    const seat = at();
    const { read, edit } = seat.driver.tools(seat);
    seat.workspace.write('compacted.txt', 'one\ntwo\n');
    await seat.run('Read it.', [{ calls: [read('compacted.txt')] }, { text: 'done' }]);
    expect(await seat.visible('compacted.txt')).toEqual([true]);
    expect((await seat.run('/compact', [], { resume: true })).exit).toBe(0);
    expect(await seat.visible('compacted.txt')).toEqual([false]);
    seat.workspace.write('compacted.txt', 'one\nTWO\n');
    await seat.run('Edit it.', [{ calls: [edit('compacted.txt', 'one', 'uno')] }, { text: 'done' }], { resume: true });
    expect(seat.model.turns.at(-1)).toContain('Nothing was edited. Read compacted.txt again');
    expect(seat.workspace.read('compacted.txt')).toBe('one\nTWO\n');
  });

  test('[FRE4a] the same with the model for which Claude Code itself insists on reading first', async () => {
    const seat = at();
    const { read, edit } = seat.driver.tools(seat);
    seat.workspace.write('sonnet.txt', 'one\ntwo\n');
    const steps = [
      { calls: [edit('sonnet.txt', 'one', 'uno')] },
      { calls: [read('sonnet.txt')] },
      { run: () => seat.workspace.write('sonnet.txt', 'one\nTWO\n'), calls: [edit('sonnet.txt', 'one', 'uno')] },
      { text: 'done' },
    ];
    const ran = await seat.run('Edit it.', steps, { model: 'claude-sonnet-4-5' });
    expect(ran.exit).toBe(0);
    expect(seat.workspace.read('sonnet.txt')).toBe('one\nTWO\n');
    expect(seat.model.turns.at(-1)).toContain('Nothing was edited. Read sonnet.txt again');
  });

  test('[AGT3b] a daemon that never answers holds nothing up for long, and the user can see it', async () => {
    const seat = at();
    const { write } = seat.driver.tools(seat);
    const ran = await withDeafDaemon(seat, () =>
      seat.run('Write it all the same.', [{ calls: [write('unheard.txt', 'one\n')] }, { text: 'done' }]),
    );
    expect([ran.exit, seat.workspace.read('unheard.txt')]).toEqual([0, 'one\n']);
    expect(missed(seat)).toContain('"PreToolUse"');
    const status = await seat.workspace.json<{ remarks: readonly string[] }>('status');
    expect(status.remarks.join()).toContain('got no answer in time');
    expect((await seat.workspace.pal('doctor')).stdout).toContain('of agents got no answer in time');
    expect(await seat.changes('--status', 'all', '--path', 'unheard.txt')).toMatchObject([{ kind: 'create' }]);
  });

  test('[AGT3c] strict: an edit that cannot be checked does not run', async () => {
    const seat = at();
    const { write } = seat.driver.tools(seat);
    await seat.init('--strict');
    const ran = await withDeafDaemon(seat, () =>
      seat.run('Write it if you may.', [{ calls: [write('strict.txt', 'one\n')] }, { text: 'done' }]),
    );
    expect(ran.exit).toBe(0);
    expect(() => seat.workspace.read('strict.txt')).toThrow();
    expect(seat.model.turns.at(-1)).toContain('Palimpsest could not be asked');
    await seat.init();
  });
}

const TASK = 'SUBTASK: change the file as you are told.';
/** The parent has the task in its history too, but not as what it was asked. */
const ONLY_CHILD = '"text":"SUBTASK';

/** In place of the daemon is somebody who takes every connection and says nothing. */
async function withDeafDaemon<T>(seat: Seat, work: () => Promise<T>): Promise<T> {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const file = join(seat.user.data, 'daemon.json');
  killDaemon(seat);
  const info = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...info, port, pid: process.pid }));
  try {
    return await work();
  } finally {
    rmSync(file);
    server.close();
  }
}
