import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Seat } from './seat.fixture.js';

/** What every agent must show: each change once, with its call. */
export function recordStories(at: () => Seat): void {
  test('[AGT1b] each change is listed once, with its session, call and tool', async () => {
    const seat = at();
    const { read, edit, write, shell } = seat.driver.tools(seat);
    const ran = await seat.run('Fix the add function.', [
      { calls: [read('src/app.js')] },
      { calls: [edit('src/app.js', '  return a - b', '  return a + b')] },
      { calls: [write('NEW.md', '# new')] },
      { calls: [shell('echo from-shell >> hello.txt')] },
      { calls: [shell('echo before-failing > failed.txt; exit 3')] },
      { calls: [read('missing.txt')] },
      { text: 'done' },
    ]);
    expect([ran.exit, seat.model.left]).toEqual([0, 0]);
    const { edit: edited, write: written, shell: commanded } = seat.driver.named;
    const changes = await seat.changes('--status', 'all');
    const ids = seat.model.made.map(({ id }) => seat.driver.callId(id));
    expect(changes.map(({ path, tool, kind }) => [path, tool, kind])).toEqual([
      ['src/app.js', edited, 'modify'],
      ['NEW.md', written, 'create'],
      ['hello.txt', commanded, 'modify'],
      ['failed.txt', commanded, 'create'],
    ]);
    if (ids[0] !== null) expect(changes.map(({ callId }) => callId)).toEqual(ids.slice(1, 5));
    expect(new Set(changes.map(({ callId }) => callId)).size).toBe(4);
    expect(new Set(changes.map(({ session }) => session)).size).toBe(1);
    const sessions = await seat.workspace.json<{ sessions: readonly { id: string; agent: string }[] }>(
      'session',
      'list',
    );
    expect(sessions.sessions).toMatchObject([{ id: changes[0]!.session, agent: seat.agent }]);
    expect(missed(seat)).toBe('');
  });
}

/** Nothing is lost with the daemon, and an agent whose hooks are programs has it back at its next call. */
export function killedStories(at: () => Seat): void {
  test('[AGT3b] the daemon is killed in the middle: the run succeeds and the changes are found', async () => {
    const seat = at();
    const { read, edit, shell } = seat.driver.tools(seat);
    seat.workspace.write('killed.txt', 'one\ntwo\nthree\n');
    const ran = await seat.run('Go on without the daemon.', [
      { calls: [read('killed.txt')] },
      { run: () => killDaemon(seat), calls: [edit('killed.txt', 'two', 'zwei')] },
      { run: () => killDaemon(seat), calls: [shell('echo four >> killed.txt')] },
      { text: 'done' },
    ]);
    expect([ran.exit, seat.model.left]).toEqual([0, 0]);
    expect(seat.workspace.read('killed.txt')).toBe('one\nzwei\nthree\nfour\n');
    const found = await seat.changes('--status', 'all', '--path', 'killed.txt');
    expect(found.map(({ added, removed }) => [added, removed])).toEqual(expect.arrayContaining([[1, 1]]));
    // From before the first to after the last of them, with nothing between that is not recorded.
    expect(found.slice(1).map(({ before }) => before)).toEqual(found.slice(0, -1).map(({ after }) => after));
  });
}

export function killDaemon(seat: Seat): void {
  const { pid } = JSON.parse(readFileSync(join(seat.user.data, 'daemon.json'), 'utf8')) as { pid: number };
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It was killed before and nobody has started another one since.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** What hooks noted about events that they could not deliver. */
export function missed(seat: Seat): string {
  try {
    return readFileSync(join(seat.user.data, 'missed.jsonl'), 'utf8');
  } catch {
    return ''; // Nothing was.
  }
}
