import { listNames } from '../files/durable.js';
import { type Mark, readMark, worktreeOf } from './mark.js';
import { removeMade } from './remove-worktree.js';
import type { Worktree } from './worktree.js';

/** Those that were made to the end, by their marks. Whatever else lies there is not ours. */
export async function findWorktrees(home: string): Promise<readonly Worktree[]> {
  return (await marksIn(home))
    .filter(({ mark }) => mark.state === 'made')
    .map(({ name, mark }) => worktreeOf(home, name, mark));
}

/** Removes what a process left behind that died while it made one. Only for whoever holds the workspace's lock. */
export async function sweepWorktrees(home: string): Promise<void> {
  for (const { name, mark } of await marksIn(home)) if (mark.state === 'making') await removeMade(home, name, mark);
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
