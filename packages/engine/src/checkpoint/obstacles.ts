import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parentOf, trustPath, type WorkspacePath } from '@palimpsest/core';
import { lstatAt } from '../tree/stat.js';

/** What stands in the way of writing a file where nothing is known to be, given what will be removed first. */
export type Obstacle =
  /** A file that was never captured; it stays. */
  | 'uncaptured-file'
  /** A folder that will not be empty. */
  | 'folder'
  /** Above it stands a file or a link instead of a folder. */
  | 'not-a-folder';

/** Looks at the disk without opening anything. Null when the way is free. */
export function obstacleAt(root: string, path: WorkspacePath, removed: ReadonlySet<WorkspacePath>): Obstacle | null {
  for (let above = parentOf(path); above !== null; above = parentOf(above)) {
    const stats = lstatAt(join(root, above));
    if (typeof stats !== 'string' && !stats.isDirectory() && !removed.has(above)) return 'not-a-folder';
  }
  const stats = lstatAt(join(root, path));
  if (stats === 'missing') return null;
  if (stats === 'unreadable') return removedAbove(path, removed) ? null : 'uncaptured-file';
  if (stats.isDirectory()) return emptiesOut(root, path, removed) ? null : 'folder';
  return removed.has(path) || removedAbove(path, removed) ? null : 'uncaptured-file';
}

/** When the file at a path was made, as far as the disk can tell; zero where it cannot. */
export function birthOf(root: string, path: WorkspacePath): number {
  return lstatSync(join(root, path), { throwIfNoEntry: false })?.birthtimeMs ?? 0;
}

function removedAbove(path: WorkspacePath, removed: ReadonlySet<WorkspacePath>): boolean {
  for (let above = parentOf(path); above !== null; above = parentOf(above)) if (removed.has(above)) return true;
  return false;
}

/** A folder goes with its last file; one that holds an empty folder has no last file that would take it along. */
function emptiesOut(root: string, folder: WorkspacePath, removed: ReadonlySet<WorkspacePath>): boolean {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return (
    entries.length > 0 &&
    entries.every((entry) => {
      const path = trustPath(`${folder}/${entry.name}`);
      return entry.isDirectory() ? emptiesOut(root, path, removed) : removed.has(path);
    })
  );
}
