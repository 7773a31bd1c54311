import { setTimeout as wait } from 'node:timers/promises';
import { runningDaemon, said } from '../face/client.js';
import type { Face } from '../face/face.js';
import { Failure } from '../face/failure.js';
import { isAlive } from '../link/discovery.js';
import { withProgress } from '../print/progress.js';

/** It finishes what it was asked to do before it goes. */
const STOP_PATIENCE_MS = 20_000;
const POLL_MS = 20;

/** The process that was stopped, and is gone; null when none was running. */
export async function stopDaemon(face: Face): Promise<number | null> {
  const daemon = await runningDaemon(face);
  if (daemon === null) return null;
  const { client, pid } = daemon;
  said(await client.shutdown());
  await withProgress('waiting for the daemon to finish', () => goneOf(pid));
  return pid;
}

async function goneOf(pid: number): Promise<void> {
  for (const until = Date.now() + STOP_PATIENCE_MS; isAlive(pid); await wait(POLL_MS)) {
    if (Date.now() < until) continue;
    throw new Failure(
      'still-running',
      `the daemon (process ${pid}) has not stopped yet`,
      `wait, or end it: \`kill ${pid}\``,
    );
  }
}
