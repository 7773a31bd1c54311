import { promises as fs, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAbandoned, listNames, replaceFile, TEMP_OBJECT_PREFIX, tempName } from '../files/durable.js';
import { errorCode, isAbsence } from '../files/system-error.js';
import type { ObjectId } from '../git/object-id.js';
import type { Worktree } from './worktree.js';

/*
 * What lies in the folder of one worktree:
 *
 *   mark.json      written before anything else and removed last: what has no mark was not made by us
 *   FOLDER/        the tree, named like the workspace's own folder, because that is the name agents show
 *   scratch.git/   only while it is made
 */

/** A repository of the user's that has an entry of ours among its worktrees. */
export type Link = {
  /** Where in the tree its top is; empty for the tree itself. */
  readonly at: string;
  readonly commonDir: string;
  /** Git's entry, `commonDir/worktrees/ID`; null before git has said which it is. */
  readonly entry: string | null;
  readonly head: ObjectId;
};

export type Mark = {
  readonly version: 1;
  /** What is not `made` is not to be relied on, and goes on the next open if nobody is at it any more. */
  readonly state: 'making' | 'made' | 'removing';
  readonly root: string;
  /** The name of the tree's folder. */
  readonly folder: string;
  /** From the top of the repository to the workspace; empty when they are the same. */
  readonly prefix: string;
  readonly links: readonly Link[];
  readonly portBase: number;
};

export const MARK = 'mark.json';
export const SCRATCH = 'scratch.git';
const PRIVATE = 0o700;
const NAME = /^[A-Za-z0-9][\w.-]{0,99}$/;

/** It becomes the name of a folder. */
export function isWorktreeName(name: string): boolean {
  return NAME.test(name) && !name.startsWith(TEMP_OBJECT_PREFIX);
}

export function markedFolder(home: string, name: string): string {
  return join(home, name);
}

export function treeOf(home: string, name: string, mark: Mark): string {
  return join(markedFolder(home, name), mark.folder);
}

/** Null when there is none, or one that is not of ours. */
export function readMark(home: string, name: string): Mark | null {
  if (!isWorktreeName(name)) return null;
  try {
    const mark = JSON.parse(readFileSync(join(markedFolder(home, name), MARK), 'utf8')) as Mark;
    const isOurs = mark.version === 1 && isFolderName(mark.folder) && Array.isArray(mark.links);
    return isOurs ? mark : null;
  } catch (error) {
    if (isAbsence(error) || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Takes a name with its mark in one step; false when somebody has it. */
export async function takeName(home: string, name: string, mark: Mark): Promise<boolean> {
  const temp = tempName();
  await fs.mkdir(markedFolder(home, temp), { mode: PRIVATE });
  try {
    await writeMark(home, temp, mark);
    await fs.rename(markedFolder(home, temp), markedFolder(home, name));
    return true;
  } catch (error) {
    await fs.rm(markedFolder(home, temp), { recursive: true, force: true });
    if (['EEXIST', 'ENOTEMPTY', 'ENOTDIR', 'EPERM'].includes(errorCode(error))) return false;
    throw error;
  }
}

/** Gives it back in one step: from then on there is neither the name nor the mark. */
export async function giveNameBack(home: string, name: string): Promise<void> {
  const temp = markedFolder(home, tempName());
  await fs.rename(markedFolder(home, name), temp);
  await fs.rm(temp, { recursive: true, force: true });
}

/** What a process left that died within one of these two. */
export async function sweepNames(home: string): Promise<void> {
  for (const name of await listNames(home))
    if (name.startsWith(TEMP_OBJECT_PREFIX) && isAbandoned(name))
      await fs.rm(markedFolder(home, name), { recursive: true, force: true });
}

export async function writeMark(home: string, name: string, mark: Mark): Promise<void> {
  await replaceFile(join(markedFolder(home, name), MARK), `${JSON.stringify(mark, null, 2)}\n`, 'full');
}

export function worktreeOf(home: string, name: string, mark: Mark): Worktree {
  const top = treeOf(home, name, mark);
  const main = mark.links.find(({ at }) => at === '') ?? null;
  return {
    name,
    kind: main === null ? 'copy' : 'linked',
    root: mark.root,
    path: mark.prefix === '' ? top : join(top, ...mark.prefix.split('/')),
    top,
    head: main?.head ?? null,
    portBase: mark.portBase,
  };
}

/** What is read from the mark leads to what is removed, so it may name nothing but a folder beside it. */
function isFolderName(folder: unknown): boolean {
  return typeof folder === 'string' && folder !== '' && !/[/\\\0]|^\.\.?$/.test(folder) && folder !== MARK;
}
