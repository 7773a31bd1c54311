import { lstatSync, mkdirSync, realpathSync, rmdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isGitInternal, trustPath, type WorkspacePath } from '@palimpsest/core';
import { errorCode } from '../files/system-error.js';
import { DiskRefusal } from './disk-error.js';
import type { HeldFolder, HeldFolders } from './held-folder.js';
import { asWorkspacePath, isInside } from './inside.js';
import { lstatAt } from './stat.js';

/** Where a write really happens: an existing folder without links in its path, the folders missing below it, a name. */
type WritePlace = {
  readonly folder: string;
  readonly missing: readonly string[];
  readonly name: string;
};

/**
 * Follows the parents of a path as far as they exist. Null where one of them is a link to elsewhere in the workspace: the
 * files there have paths of their own, and below the link there is nothing. Throws a refusal when it leads out.
 */
export function placeToWrite(root: string, path: WorkspacePath): WritePlace | null {
  refuseGitInternal(path);
  const segments = path.split('/');
  const name = segments.pop() as string;
  let folder = root;
  let behindLink = false;
  for (const [index, segment] of segments.entries()) {
    const place = join(folder, segment);
    const stats = lstatAt(place);
    if (stats === 'missing') return checked(root, { folder, missing: segments.slice(index), name }, behindLink);
    if (stats === 'unreadable') throw new DiskRefusal('denied', `cannot look at ${place}`);
    behindLink ||= stats.isSymbolicLink();
    if (stats.isSymbolicLink()) folder = followed(root, place);
    else if (stats.isDirectory()) folder = place;
    else throw new DiskRefusal('not-a-folder', `${place} is not a folder`);
  }
  return checked(root, { folder, missing: [], name }, behindLink);
}

/** Makes the missing folders and holds the one that the file goes into. */
export function makeFolders(folders: HeldFolders, root: string, place: WritePlace, made: WorkspacePath[]): HeldFolder {
  let folder = folders.hold(place.folder);
  for (const segment of place.missing) {
    try {
      mkdirSync(folder.at(segment));
      made.push(asWorkspacePath(root, join(folder.place, segment)));
    } catch (error) {
      // Somebody else made it meanwhile: fine if it is a folder, and then it is not ours to report.
      if (errorCode(error) !== 'EEXIST') throw error;
    } finally {
      folder.release();
    }
    folder = folders.hold(join(folder.place, segment));
  }
  return folder;
}

/** Removes a folder if it is empty and young enough. Whether it was there at all is all the same. */
export function removeFolder(folders: HeldFolders, place: string, sinceMs = Number.NEGATIVE_INFINITY): boolean {
  let above: HeldFolder | null = null;
  try {
    above = folders.hold(dirname(place));
    const folder = above.at(basename(place));
    const stats = lstatSync(folder);
    // A link is not a folder, wherever it leads.
    if (!stats.isDirectory() || stats.birthtimeMs < sinceMs) return false;
    rmdirSync(folder);
    return true;
  } catch {
    // Not empty, not there any more, or not ours to remove.
    return false;
  } finally {
    above?.release();
  }
}

function followed(root: string, link: string): string {
  let real: string;
  try {
    real = realpathSync.native(link);
  } catch (error) {
    throw new DiskRefusal(errorCode(error) === 'ELOOP' ? 'loop' : 'not-a-folder', `${link} leads nowhere`);
  }
  if (!isInside(root, real)) throw new DiskRefusal('outside', `${link} leads to ${real}, outside the workspace`);
  const stats = lstatAt(real);
  if (typeof stats === 'string' || !stats.isDirectory())
    throw new DiskRefusal('not-a-folder', `${real} is not a folder`);
  return real;
}

function checked(root: string, place: WritePlace, behindLink: boolean): WritePlace | null {
  const real = join(place.folder, ...place.missing, place.name);
  refuseGitInternal(asWorkspacePath(root, real));
  return behindLink ? null : place;
}

/** In any case of letters, because some disks do not tell `.GIT` from `.git`. */
function refuseGitInternal(path: WorkspacePath): void {
  if (isGitInternal(trustPath(path.toLowerCase()))) throw new DiskRefusal('git-internal', `${path} belongs to git`);
}
