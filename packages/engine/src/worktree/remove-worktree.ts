import { promises as fs } from 'node:fs';
import { join } from 'node:path';
import { failed, type Outcome, ok } from '@palimpsest/core';
import { errorCode, isAbsence } from '../files/system-error.js';
import type { Git } from '../git/run.js';
import { entryOf, removeEntry } from './link.js';
import {
  giveNameBack,
  type Link,
  MARK,
  type Mark,
  markedFolder,
  readMark,
  SCRATCH,
  treeOf,
  writeMark,
} from './mark.js';
import { occupantsOf } from './occupants.js';
import type { RemovalRefusal } from './worktree.js';

export type RemovalRequest = {
  readonly home: string;
  readonly name: string;
  readonly git: Git;
  /** What becomes of commits that no branch or tag has: `keep` refuses to remove the worktree. */
  readonly commits: 'keep' | 'leave';
};

/** Removes a worktree that we made, and git's entry of it. Whether anything in it is still needed is for others to know. */
export async function removeWorktree(request: RemovalRequest): Promise<Outcome<null, RemovalRefusal>> {
  const { home, name, git } = request;
  const mark = readMark(home, name);
  if (mark === null) return failed({ code: 'not-ours', name });
  const top = treeOf(home, name, mark);
  const processes = await occupantsOf(top);
  if (processes.length > 0) return failed({ code: 'busy', processes });
  const beside = await strangersIn(home, name, mark);
  if (beside.length > 0) return failed({ code: 'not-removed', path: beside[0]!, why: 'it is not ours' });
  if (request.commits === 'keep') {
    for (const link of mark.links) {
      const lost = await loneCommits(git, link, top);
      if (lost !== null) return failed(lost);
    }
  }
  try {
    await removeMade(home, name, mark);
    return ok(null);
  } catch (error) {
    return failed({ code: 'not-removed', path: top, why: errorCode(error) });
  }
}

/** What somebody put beside the tree, and nobody looks at. */
async function strangersIn(home: string, name: string, mark: Mark): Promise<readonly string[]> {
  const folder = markedFolder(home, name);
  const ours = new Set([MARK, mark.folder, `${mark.folder}.removing`, SCRATCH]);
  return (await fs.readdir(folder)).filter((entry) => !ours.has(entry)).map((entry) => join(folder, entry));
}

/** The mark goes last, so that a removal that was cut short can be begun again. */
export async function removeMade(home: string, name: string, mark: Mark): Promise<void> {
  const top = treeOf(home, name, mark);
  // A tree that is gone in part must not be taken for one in which somebody removed files.
  await writeMark(home, name, { ...mark, state: 'removing' });
  const entries: { readonly commonDir: string; readonly entry: string }[] = [];
  for (const link of mark.links) {
    const entry = await entryOf(link, join(top, link.at));
    if (entry !== null) entries.push({ commonDir: link.commonDir, entry });
  }
  // In one step, so that nobody who looks meanwhile sees a tree of which files were removed.
  const aside = `${top}.removing`;
  await fs.rename(top, aside).catch((error: unknown) => {
    if (!isAbsence(error)) throw error;
  });
  await removeTree(aside);
  for (const { commonDir, entry } of entries) await removeEntry(commonDir, entry);
  await giveNameBack(home, name);
}

/** Follows no link. A folder without its owner's rights, as some package managers make them, goes too. */
async function removeTree(top: string): Promise<void> {
  try {
    await fs.rm(top, { recursive: true, force: true });
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes(errorCode(error))) throw error;
    await allowRemoval(top);
    await fs.rm(top, { recursive: true, force: true });
  }
}

async function allowRemoval(folder: string): Promise<void> {
  await fs.chmod(folder, 0o700);
  for (const entry of await fs.readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await allowRemoval(join(folder, entry.name));
}

async function loneCommits(git: Git, link: Link, top: string): Promise<RemovalRefusal | null> {
  const entry = await entryOf(link, join(top, link.at));
  if (entry === null) return null;
  const args = ['rev-list', '--max-count=1000', 'HEAD', '--not', link.head, '--branches', '--tags', '--remotes'];
  const listed = await git.run({ gitDir: entry, args });
  if (!listed.ok) return { code: 'not-removed', path: top, why: 'its commits cannot be read' };
  const commits = listed.value.toString('latin1').split('\n').filter(Boolean);
  const [head] = commits;
  return head === undefined ? null : { code: 'commits', head, count: commits.length };
}
