import { promises as fs } from 'node:fs';
import { failed, type Outcome } from '@palimpsest/core';
import { errorCode } from '../files/system-error.js';
import { GitFailure } from '../git/run.js';
import { isInside } from '../tree/inside.js';
import { realPlace } from '../tree/own-folders.js';
import { Making } from './making.js';
import { isWorktreeName, markedFolder } from './mark.js';
import { gitWords } from './scratch-repository.js';
import type { MadeWorktree, WorktreeRefusal, WorktreeRequest } from './worktree.js';

const PRIVATE = 0o700;

/**
 * Makes a second tree of what the workspace holds: the files of a checkpoint, linked to the user's repository where there
 * is one with a commit, with what is ignored and named, and with dependencies as the settings say. After a refusal nothing
 * is left of it.
 */
export async function makeWorktree(request: WorktreeRequest): Promise<Outcome<MadeWorktree, WorktreeRefusal>> {
  const { name, root, repository } = request;
  if (!isWorktreeName(name)) return failed({ code: 'bad-name', name });
  const home = realPlace(request.home);
  const marked = markedFolder(home, name);
  if (isInside(root, marked) || (repository !== null && isInside(repository.topLevel, marked)))
    return failed({ code: 'inside-workspace', path: home });
  const making = new Making({ ...request, home });
  try {
    await fs.mkdir(home, { recursive: true, mode: PRIVATE });
    if (!(await making.begin())) return failed({ code: 'taken', path: marked });
  } catch (error) {
    return failed(refusalOf(error));
  }
  const made = await making.make().catch((error: unknown) => failed(refusalOf(error)));
  if (!made.ok) await making.undo();
  return made;
}

/** What the disk refuses is to be expected; anything else is a bug. */
function refusalOf(error: unknown): WorktreeRefusal {
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return { code: 'no-space' };
  if (error instanceof GitFailure) return { code: 'not-made', why: gitWords(error.error) };
  if (code.startsWith('E') && error instanceof Error) return { code: 'not-made', why: error.message };
  throw error;
}
