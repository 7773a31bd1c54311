import { readdirSync, unlinkSync } from 'node:fs';
import { addTo, type WorkspacePath } from '@palimpsest/core';
import { isAsideName, isAsideOf, isTemporaryName } from './aside.js';
import type { Leftovers } from './disk.js';
import { DiskRefusal } from './disk-error.js';
import type { HeldFolder, HeldFolders } from './held-folder.js';
import { putBack, type Spot } from './letting-go.js';
import { placeToWrite } from './place.js';
import { lstatAt } from './stat.js';

type Beside = { readonly path: WorkspacePath; readonly name: string };

/** What a process of ours that was killed left beside these files. */
export async function clearLeftovers(
  folders: HeldFolders,
  root: string,
  paths: Iterable<WorkspacePath>,
  leftovers: Leftovers,
): Promise<void> {
  for (const [place, beside] of byFolder(root, paths)) {
    const folder = holdIfThere(folders, place);
    if (folder === null) continue;
    try {
      await clearFolder(root, folder, beside, leftovers);
    } finally {
      folder.release();
    }
  }
}

async function clearFolder(
  root: string,
  folder: HeldFolder,
  beside: readonly Beside[],
  { hash, isKept, rescue }: Leftovers,
): Promise<void> {
  for (const left of namesIn(folder)) {
    if (isTemporaryName(left)) removeTemporary(folder.at(left));
    if (!isAsideName(left)) continue;
    // One that belongs to none of these files is not ours to judge.
    const owner = beside.find(({ name }) => isAsideOf(left, name));
    if (owner === undefined) continue;
    const spot: Spot = { root, folder, hash, rescue, ...owner };
    await putBack(spot, left, ({ version }) => isKept(version.content));
  }
}

function byFolder(root: string, paths: Iterable<WorkspacePath>): ReadonlyMap<string, Beside[]> {
  const folders = new Map<string, Beside[]>();
  for (const path of paths) {
    const place = placeIfThere(root, path);
    if (place !== null) addTo(folders, place.folder, { path, name: place.name });
  }
  return folders;
}

/** Null where a write would be refused, or would have to make the folder. */
function placeIfThere(root: string, path: WorkspacePath) {
  try {
    const place = placeToWrite(root, path);
    return place?.missing.length === 0 ? place : null;
  } catch (error) {
    if (error instanceof DiskRefusal) return null;
    throw error;
  }
}

function holdIfThere(folders: HeldFolders, place: string): HeldFolder | null {
  try {
    return folders.hold(place);
  } catch (error) {
    if (error instanceof DiskRefusal) return null;
    throw error;
  }
}

function namesIn(folder: HeldFolder): readonly string[] {
  try {
    return readdirSync(folder.at('.'));
  } catch {
    // One that may not be listed holds nothing that we could clear.
    return [];
  }
}

function removeTemporary(place: string): void {
  const stats = lstatAt(place);
  // A folder of such a name is not from us.
  if (typeof stats !== 'string' && !stats.isDirectory()) unlinkSync(place);
}
