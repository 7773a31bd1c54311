import { type Stats, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkspacePath } from '@palimpsest/core';
import { isAbsence } from '../files/system-error.js';
import { giveName, isUntouched } from './aside.js';
import type { ContentHash, ExpectedFile, Rescue } from './disk.js';
import { DiskRefusal } from './disk-error.js';
import type { HeldFolder } from './held-folder.js';
import { asWorkspacePath } from './inside.js';
import { readWhole } from './read-file.js';
import type { FileStat } from './stat.js';

/** One name in a folder that is held, and what it takes to judge the files that had it. */
export type Spot = {
  readonly root: string;
  readonly path: WorkspacePath;
  readonly folder: HeldFolder;
  readonly name: string;
  readonly hash: ContentHash;
  readonly rescue: Rescue;
};

export type Found = { readonly stat: FileStat; readonly stats: Stats; readonly version: ExpectedFile };

/** Somebody who writes without a pause is not waited for any longer. */
const LOOKS = 5;

type FoundBytes = Found & { readonly bytes: Uint8Array };

/** Null when nothing is there. A folder or a pipe in the place of a file is refused. */
export async function lookAt(place: string, hash: ContentHash): Promise<Found | null> {
  const found = await readAt(place, hash);
  if (found === null) return null;
  const { stat, stats, version } = found;
  return { stat, stats, version };
}

async function readAt(place: string, hash: ContentHash): Promise<FoundBytes | null> {
  try {
    const { stat, stats, value } = await readWhole(place);
    return { stat, stats, bytes: value, version: { content: hash(value), mode: stat.mode } };
  } catch (error) {
    if (!(error instanceof DiskRefusal) && isAbsence(error)) return null;
    throw error;
  }
}

/**
 * Removes what was moved aside if it is known, to the last moment: whoever had it open may have written to it since.
 * What cannot be read, or does not stop changing, is not known.
 */
export async function letGo(
  spot: Spot,
  aside: string,
  isKnown: (found: FoundBytes) => boolean | Promise<boolean>,
): Promise<'gone' | 'changed'> {
  const place = spot.folder.at(aside);
  try {
    for (let look = 0; look < LOOKS; look++) {
      const found = await readAt(place, spot.hash);
      if (found === null) return 'gone';
      if (!(await isKnown(found))) return 'changed';
      if (!isUntouched(place, found.stat)) continue;
      unlinkSync(place);
      return 'gone';
    }
  } catch {
    return 'changed';
  }
  return 'changed';
}

/**
 * Gives what was moved aside its name back. If somebody else has the name by now, theirs stays and these bytes are
 * rescued; what cannot be rescued stays beside it, which is told.
 */
export async function putBack(
  spot: Spot,
  aside: string,
  isKnown: (found: Found) => boolean | Promise<boolean>,
): Promise<void> {
  try {
    if (giveName(spot.folder, aside, spot.name) === 'given') return;
  } catch (error) {
    // Somebody removed it.
    if (isAbsence(error)) return;
    spot.rescue.left(spot.path, placeOf(spot, aside));
    throw error;
  }
  await rescueAside(spot, aside, isKnown);
}

/** For a file whose name is taken. What is `isKnown` is kept already and needs no mention. */
export async function rescueAside(
  spot: Spot,
  aside: string,
  isKnown: (found: Found) => boolean | Promise<boolean>,
): Promise<void> {
  const { path, rescue } = spot;
  const left = await letGo(
    spot,
    aside,
    async (found) => (await isKnown(found)) || (await rescue.keep(path, found.version, found.bytes)),
  );
  if (left === 'changed') rescue.left(path, placeOf(spot, aside));
}

function placeOf({ root, folder }: Spot, name: string): WorkspacePath {
  return asWorkspacePath(root, join(folder.place, name));
}
