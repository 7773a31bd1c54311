import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type RootQuestions = {
  readonly isKnown: (folder: string) => boolean;
  /** Never a workspace, even with a repository in it: the user's home, the root of the disk. */
  readonly isTooWide: (folder: string) => boolean;
};

/**
 * The workspace that a folder belongs to: the nearest enclosing git root, or the nearest folder that is known already,
 * or the folder itself. The answer is absolute and free of links, so that every spelling of it is one workspace. Null
 * when the folder is not there.
 */
export function findRoot(folder: string, { isKnown, isTooWide }: RootQuestions): string | null {
  const start = realFolder(folder);
  if (start === null) return null;
  const isRepository = (candidate: string) => isGitRoot(candidate) && !isTooWide(candidate);
  return nearest(start, isRepository) ?? nearest(start, isKnown) ?? start;
}

export function realFolder(folder: string): string | null {
  try {
    const real = realpathSync.native(folder);
    return statSync(real).isDirectory() ? real : null;
  } catch {
    return null; // Missing, unreadable and not a folder come to the same: there is nothing to work in.
  }
}

function nearest(start: string, matches: (folder: string) => boolean): string | null {
  for (let folder = start; ; folder = dirname(folder)) {
    if (matches(folder)) return folder;
    if (dirname(folder) === folder) return null;
  }
}

/** A `.git` folder with a HEAD, or the file that a linked worktree or a submodule has in its place. */
function isGitRoot(folder: string): boolean {
  const git = join(folder, '.git');
  try {
    const found = statSync(git, { throwIfNoEntry: false });
    if (found === undefined) return false;
    if (found.isDirectory()) return statSync(join(git, 'HEAD'), { throwIfNoEntry: false }) !== undefined;
    return found.isFile() && found.size <= POINTER_BYTES_LIMIT && readFileSync(git, 'utf8').startsWith('gitdir:');
  } catch {
    return false; // A `.git` that cannot be read makes no root; the folder itself is still a workspace.
  }
}

/** A path and a word; whatever is larger is something else. */
const POINTER_BYTES_LIMIT = 64 * 1024;
