import { setTimeout as wait } from 'node:timers/promises';
import { listNames } from '../files/durable.js';
import { type Mark, markedFolder, readMark, sweepNames, worktreeOf } from './mark.js';
import { occupantsOf } from './occupants.js';
import { removeMade } from './remove-worktree.js';
import type { Worktree } from './worktree.js';

const DESERTED_CHECK_MS = 50;
const DESERTED_CHECKS = 200;

/** Those that were made to the end, by their marks. Whatever else lies there is not ours. */
export async function findWorktrees(home: string): Promise<readonly Worktree[]> {
  return (await marksIn(home))
    .filter(({ mark }) => mark.state === 'made')
    .map(({ name, mark }) => worktreeOf(home, name, mark));
}

/** Removes what a process left behind that died while it made or removed one. Only for whoever holds the workspace's lock. */
export async function sweepWorktrees(home: string): Promise<void> {
  await sweepNames(home);
  for (const { name, mark } of await marksIn(home))
    if (mark.state !== 'made' && (await isDeserted(markedFolder(home, name)))) await removeMade(home, name, mark);
}

/** A git that outlived its daemon goes on writing there; what it does not finish in time is left for the next open. */
async function isDeserted(folder: string): Promise<boolean> {
  for (let n = 0; n < DESERTED_CHECKS; n++) {
    if ((await occupantsOf(folder)).length === 0) return true;
    await wait(DESERTED_CHECK_MS);
  }
  return false;
}

/** Those that are just being made count too. */
export async function portBasesIn(home: string): Promise<ReadonlySet<number>> {
  return new Set((await marksIn(home)).map(({ mark }) => mark.portBase));
}

async function marksIn(home: string): Promise<readonly { readonly name: string; readonly mark: Mark }[]> {
  const names = await listNames(home);
  return names.flatMap((name) => {
    const mark = readMark(home, name);
    return mark === null ? [] : [{ name, mark }];
  });
}
