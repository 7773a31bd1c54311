import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The workspace that a folder belongs to: the nearest enclosing git root, or the nearest folder that is known already,
 * or the folder itself. The answer is absolute and free of links, so that every spelling of it is one workspace. Null
 * when the folder is not there.
 */
export function findWorkspaceRoot(directory: string, isKnown: (root: string) => boolean): string | null {
  const start = realFolder(directory);
  if (start === null) return null;
  return nearest(start, isGitRoot) ?? nearest(start, isKnown) ?? start;
}

/**
 * The id of the workspace of a git root, without asking the daemon: the path, free of links, hashed as the engine does.
 * Null where only the daemon can tell which workspace a folder belongs to.
 */
export function workspaceIdOf(directory: string): string | null {
  const start = realFolder(directory);
  const root = start === null ? null : nearest(start, isGitRoot);
  return root === null ? null : createHash('sha256').update(root).digest('hex').slice(0, 16);
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
    return readFileSync(git, 'utf8').startsWith('gitdir:');
  } catch {
    return false; // A `.git` that cannot be read makes no root; the folder itself is still a workspace.
  }
}

function realFolder(directory: string): string | null {
  try {
    const real = realpathSync.native(directory);
    return statSync(real).isDirectory() ? real : null;
  } catch {
    return null; // Missing, unreadable and not a folder come to the same: there is nothing to work in.
  }
}
