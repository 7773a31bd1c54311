import { setTimeout as sleep } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';

/*
 * The one way in which tests wait. Limits are there to tell what never happens from what is slow, and are far above what
 * the slowest machine takes; no test says how long anything may take.
 */

export const LIMIT_MS = 4 * 60_000;
const LOOK_EVERY_MS = 10;

/** Waits until it holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('it did not come to that');
    await sleep(LOOK_EVERY_MS);
  }
}

/**
 * Runs work that takes moments when it is done right and hours when it is not; the latter is given up, also in the middle
 * of a regular expression, and fails. Only for work that does not wait for anything.
 */
export function ends<T>(work: () => T): T {
  return runInNewContext('work()', { work }, { timeout: LIMIT_MS }) as T;
}
