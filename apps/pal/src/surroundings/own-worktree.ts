import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { realFolder } from './find-root.js';

/**
 * The id of the workspace whose worktree a folder is in; null when it is in none of ours. It follows from where the worktree
 * lies, so that nothing in the worktree, which is the agent's to write, can lead us elsewhere.
 */
export function ownWorktreeOf(folder: string, data: string): string | null {
  const place = realFolder(folder);
  const workspaces = realFolder(join(data, 'workspaces'));
  if (place === null || workspaces === null || !place.startsWith(workspaces + sep)) return null;
  const [id, kind, name, tree] = place.slice(workspaces.length + 1).split(sep);
  return id !== undefined && kind === 'worktrees' && name !== undefined && tree !== undefined ? id : null;
}

/** The worktrees of ours that are among the data of a workspace, by the folders of their marks. */
export function ownWorktreesIn(workspaceData: string): readonly string[] {
  const home = join(workspaceData, 'worktrees');
  if (!existsSync(home)) return [];
  return readdirSync(home)
    .map((name) => join(home, name))
    .filter((folder) => existsSync(join(folder, 'mark.json')));
}
