import { setTimeout as wait } from 'node:timers/promises';
import type { CommandFile } from '../cli/command.js';
import { runningDaemon, said } from '../face/client.js';
import { Failure } from '../face/failure.js';
import { isAlive } from '../link/discovery.js';
import { withProgress } from '../print/progress.js';

/** It finishes what it was asked to do before it goes. */
const STOP_PATIENCE_MS = 20_000;
const POLL_MS = 20;

export const command: CommandFile = {
  summary: 'stop the daemon; the next command starts it again',
  section: 'Daemon',
  examples: [{ line: 'pal stop', does: 'when it has finished what it was asked to do' }],
  define: (self, act) =>
    self.action(
      act(async (face) => {
        const daemon = await runningDaemon(face);
        if (daemon === null) return { json: { stopped: false }, text: () => 'the daemon is not running' };
        const { client, pid } = daemon;
        said(await client.shutdown());
        await withProgress('waiting for the daemon to finish', () => goneOf(pid));
        return { json: { stopped: true, pid }, text: () => `stopped the daemon (process ${pid})` };
      }),
    ),
};

async function goneOf(pid: number): Promise<void> {
  for (const until = Date.now() + STOP_PATIENCE_MS; isAlive(pid); await wait(POLL_MS)) {
    if (Date.now() < until) continue;
    throw new Failure({
      code: 'still-running',
      message: `the daemon (process ${pid}) has not stopped yet`,
      hint: `wait, or end it: \`kill ${pid}\``,
    });
  }
}
