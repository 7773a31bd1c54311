import { createHash } from 'node:crypto';
import { parse } from 'node:path';
import { findRoot, realFolder } from './find-root.js';
import { ownWorktreeOf } from './own-worktree.js';

/** `data`: the folder with all of our data. */
type WhereFrom = { readonly home: string; readonly data: string };

/**
 * The id of the workspace of a git root, without asking the daemon: the path, free of links, hashed as the engine does.
 * Null where only the daemon can tell which workspace a folder belongs to.
 */
export function workspaceIdOf(directory: string, { home, data }: WhereFrom): string | null {
  const own = ownWorktreeOf(directory, data);
  if (own !== null) return own;
  let inRepository = true;
  const root = findRoot(directory, {
    // Asked only when there is no repository around.
    isKnown: () => {
      inRepository = false;
      return false;
    },
    isTooWide: (folder) => folder === parse(folder).root || folder === (realFolder(home) ?? home),
  });
  return root === null || !inRepository ? null : createHash('sha256').update(root).digest('hex').slice(0, 16);
}
