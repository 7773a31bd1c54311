import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../files/durable.js';
import { isAbsence } from '../files/system-error.js';
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
  readonly state: 'making' | 'made';
  readonly root: string;
  /** The name of the tree's folder. */
  readonly folder: string;
  /** From the top of the repository to the workspace; empty when they are the same. */
  readonly prefix: string;
  readonly links: readonly Link[];
  readonly portBase: number;
};

const MARK = 'mark.json';
const NAME = /^[A-Za-z0-9][\w.-]{0,99}$/;

/** It becomes the name of a folder. */
export function isWorktreeName(name: string): boolean {
  return NAME.test(name);
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
