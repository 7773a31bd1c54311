import { dirname } from 'node:path';
import { parentOf, type WorkspacePath } from '@palimpsest/core';
import type { RemovedFile } from './disk.js';
import { DiskRefusal } from './disk-error.js';
import type { HeldFolders } from './held-folder.js';
import { asWorkspacePath, isInside } from './inside.js';
import { placeToWrite, removeFolder } from './place.js';

/**
 * Removes folders that became empty, the deepest first. All files are gone before, so that those of one folder do not get
 * in each other's way; a folder that somebody else removed, or put something into, is left as it is.
 */
export function removeEmptyFolders(
  folders: HeldFolders,
  root: string,
  above: Iterable<RemovedFile>,
): readonly WorkspacePath[] {
  const since = new Map<string, number>();
  for (const [path, sinceMs] of parentsOf(above)) {
    const deepest = existingFolder(root, path);
    for (let place = deepest; place !== null && place !== root && isInside(root, place); place = dirname(place))
      since.set(place, Math.min(since.get(place) ?? Number.POSITIVE_INFINITY, sinceMs));
  }
  const deepestFirst = [...since].sort(([one], [other]) => other.length - one.length);
  return deepestFirst
    .filter(([place, sinceMs]) => removeFolder(folders, place, sinceMs))
    .map(([place]) => asWorkspacePath(root, place));
}

/** One path for each folder, with the earliest time that was asked for. */
function parentsOf(above: Iterable<RemovedFile>): Iterable<readonly [WorkspacePath, number]> {
  const earliest = new Map<string | null, readonly [WorkspacePath, number]>();
  for (const { path, foldersSinceMs = Number.NEGATIVE_INFINITY } of above) {
    const parent = parentOf(path);
    const known = earliest.get(parent);
    if (known === undefined || foldersSinceMs < known[1]) earliest.set(parent, [path, foldersSinceMs]);
  }
  return earliest.values();
}

/** The folder of a file, or the one above it that is still there. Null where we may not write. */
function existingFolder(root: string, path: WorkspacePath): string | null {
  try {
    return placeToWrite(root, path)?.folder ?? null;
  } catch (error) {
    if (error instanceof DiskRefusal) return null;
    throw error;
  }
}
