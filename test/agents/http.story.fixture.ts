import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { killDaemon, missed } from './records.story.fixture.js';
import type { Seat } from './seat.fixture.js';

/** What is different where the agent asks by itself: nobody is there to start the daemon until the turn is over. */
export function httpStories(at: () => Seat): void {
  test('[AGT3b] the daemon is killed in the middle: the run succeeds, the changes are found, and the next turn is heard', async () => {
    const seat = at();
    const { read, edit, shell, write } = seat.driver.tools(seat);
    seat.workspace.write('killed.txt', 'one\ntwo\nthree\n');
    const ran = await seat.run('Go on without the daemon.', [
      { calls: [read('killed.txt')] },
      { run: () => killDaemon(seat), calls: [edit('killed.txt', 'two', 'zwei')] },
      { calls: [shell('echo four >> killed.txt')] },
      { text: 'done' },
    ]);
    expect([ran.exit, seat.model.left]).toEqual([0, 0]);
    const found = await seat.changes('--status', 'all', '--path', 'killed.txt');
    const theirs = found.filter(({ kind }) => kind === 'modify');
    expect(theirs.reduce((sum, { added }) => sum + added, 0)).toBe(2);
    expect(found.slice(1).map(({ before }) => before)).toEqual(found.slice(0, -1).map(({ after }) => after));
    expect(missed(seat)).toContain('the daemon was gone before the turn was over');
    expect((await seat.workspace.pal('doctor')).stdout).toContain('of agents got no answer in time');
    await seat.run('And now?', [{ calls: [write('after.txt', 'one\n')] }, { text: 'done' }], { resume: true });
    expect(await seat.changes('--path', 'after.txt')).toMatchObject([{ tool: 'Write', agent: 'claude' }]);
  });

  test('[AGT3c] strict: an edit that cannot be checked does not run', async () => {
    const seat = at();
    const { write } = seat.driver.tools(seat);
    await seat.init('--http', '--strict');
    const ran = await seat.run('Write it if you may.', [
      { run: () => killDaemon(seat), calls: [write('strict.txt', 'one\n')] },
      { text: 'done' },
    ]);
    expect(ran.exit).toBe(0);
    expect(() => seat.workspace.read('strict.txt')).toThrow();
    await seat.init('--http');
  });

  test('[AGT1d] somebody else has the port: nothing begins that they would decide about, and it is said what to do', async () => {
    const seat = at();
    const { write } = seat.driver.tools(seat);
    const { port } = JSON.parse(readFileSync(join(seat.user.data, 'hook-door.json'), 'utf8')) as { port: number };
    killDaemon(seat);
    const other = await standIn(port);
    try {
      const ran = await seat.run('Write it.', [{ calls: [write('taken.txt', 'one\n')] }, { text: 'done' }]);
      expect(ran.stdout).toContain(`Palimpsest is not at port ${port}`);
      expect(seat.model.left).toBe(2);
      expect((await seat.workspace.pal('doctor')).stdout).toContain(
        `asks at port ${port}, and the daemon is not there`,
      );
      await seat.init('--http');
      await seat.run('Write it.', [{ calls: [write('taken.txt', 'one\n')] }, { text: 'done' }]);
      expect(await seat.changes('--path', 'taken.txt')).toMatchObject([{ tool: 'Write', agent: 'claude' }]);
    } finally {
      other.close();
    }
  });
}

/** Takes the port as soon as the one who was killed has left it. */
async function standIn(port: number): Promise<Server> {
  for (;;) {
    const server = createServer((socket) => socket.destroy());
    const listening = new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (await listening) return server;
    await sleep(20);
  }
}
