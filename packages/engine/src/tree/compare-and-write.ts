import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { failed, type Outcome, ok, sameVersion, type WorkspacePath } from '@palimpsest/core';
import { isAbsence } from '../files/system-error.js';
import { giveName, isUntouched, isUntouchedButMoved, moveAside, temporaryName } from './aside.js';
import type { ContentHash, ExpectedFile, NextFile, Rescue, WriteConflict, WriteOptions, Written } from './disk.js';
import { DiskRefusal } from './disk-error.js';
import type { HeldFolders } from './held-folder.js';
import { type Found, letGo, lookAt, putBack, rescueAside, type Spot } from './letting-go.js';
import { makeFolders, placeToWrite, removeFolder } from './place.js';
import { type FileStat, fileStatOf, lstatAt } from './stat.js';
import { SYNC_ALONE, type Syncing } from './sync-group.js';
import { writeTemporary } from './temporary-file.js';

type WriteRequest = {
  readonly path: WorkspacePath;
  readonly expected: ExpectedFile | null;
  readonly next: NextFile | null;
  readonly hash: ContentHash;
  readonly options: WriteOptions;
};

/** Throws what the system throws, or a refusal. */
export async function compareAndWrite(
  folders: HeldFolders,
  root: string,
  request: WriteRequest,
): Promise<Outcome<Written, WriteConflict>> {
  const { path, expected, next, hash, options } = request;
  const place = placeToWrite(root, path);
  const isThere = place !== null && place.missing.length === 0;
  if (!isThere && expected !== null) return conflict(path, null);
  const madeFolders: WorkspacePath[] = [];
  if (!isThere && next === null) return ok({ stat: null, madeFolders });
  if (place === null) throw new DiskRefusal('not-a-folder', `a link stands where ${path} needs a folder`);
  let stat: FileStat | null | 'moved' = 'moved';
  try {
    const folder = makeFolders(folders, root, place, madeFolders);
    const { rescue = LEAVE_BESIDE, syncing = SYNC_ALONE } = options;
    const spot: Spot = { root, path, folder, name: place.name, hash, rescue };
    try {
      const current = await lookAt(folder.at(place.name), hash);
      if (!sameVersion(expected, current?.version ?? null)) return conflict(path, current);
      if (next !== null) stat = await replace(spot, current, next, syncing);
      else if (current !== null) stat = await remove(spot, current, syncing);
      else stat = null;
      if (stat === 'moved') return conflict(path, await lookAt(folder.at(place.name), hash));
      await syncAbove(folders, root, madeFolders, syncing);
      return ok({ stat, madeFolders });
    } finally {
      folder.release();
    }
  } finally {
    if (stat === 'moved') for (const made of madeFolders.toReversed()) removeFolder(folders, join(root, made));
  }
}

const LEAVE_BESIDE: Rescue = { keep: async () => false, left: () => undefined };

async function remove(spot: Spot, current: Found, syncing: Syncing): Promise<null | 'moved'> {
  const { folder, name } = spot;
  const wasCurrent = (found: Found) => sameVersion(found.version, current.version);
  folder.refuseIfMoved();
  if (!isUntouched(folder.at(name), current.stat)) return 'moved';
  const aside = moveAside(folder, name);
  if (aside === null) return 'moved';
  let outcome: 'gone' | 'changed' = 'changed';
  if (folder.stands() && isUntouchedButMoved(folder.at(aside), current.stat)) {
    await syncing.othersDone();
    outcome = await letGo(spot, aside, wasCurrent);
  }
  if (outcome === 'changed') await putBack(spot, aside, wasCurrent);
  await syncing.folder(folder);
  return outcome === 'gone' ? null : 'moved';
}

/** Writes beside the target first. The name has the old file, for a few microseconds none, then the new one. */
async function replace(
  spot: Spot,
  current: Found | null,
  next: NextFile,
  syncing: Syncing,
): Promise<FileStat | 'moved'> {
  const { folder, name } = spot;
  const temporary = temporaryName();
  folder.refuseIfMoved();
  try {
    await writeTemporary(folder.at(temporary), next, current?.stats ?? null, syncing);
    folder.refuseIfMoved();
    if (current === null) return giveName(folder, temporary, name) === 'given' ? statNow(spot) : 'moved';
    return await exchange(spot, current, { temporary, next, syncing });
  } finally {
    removeIfThere(folder.at(temporary));
    await syncing.folder(folder);
  }
}

type Exchange = { readonly temporary: string; readonly next: NextFile; readonly syncing: Syncing };

async function exchange(
  spot: Spot,
  current: Found,
  { temporary, next, syncing }: Exchange,
): Promise<FileStat | 'moved'> {
  const { folder, name } = spot;
  const wasCurrent = (found: Found) => sameVersion(found.version, current.version);
  if (!isUntouched(folder.at(name), current.stat)) return 'moved';
  const aside = moveAside(folder, name);
  if (aside === null) return 'moved';
  let given: 'given' | 'taken' = 'taken';
  try {
    given = giveName(folder, temporary, name);
  } finally {
    // Whoever has the name now keeps it; if nobody does, because something failed, the old file gets it back.
    if (given === 'taken') await putBack(spot, aside, wasCurrent);
  }
  if (given === 'taken') return 'moved';
  const stat = statNow(spot);
  if (folder.stands() && isUntouchedButMoved(folder.at(aside), current.stat)) {
    await syncing.othersDone();
    if ((await letGo(spot, aside, wasCurrent)) === 'gone') return stat;
  }
  await takeBack(spot, aside, { stat, version: { content: spot.hash(next.bytes), mode: next.mode }, wasCurrent });
  return 'moved';
}

type Ours = {
  readonly stat: FileStat;
  readonly version: ExpectedFile;
  readonly wasCurrent: (found: Found) => boolean;
};

/** Somebody wrote to the old file when it had been moved aside already: it takes its place again instead of ours. */
async function takeBack(spot: Spot, aside: string, { stat, version, wasCurrent }: Ours): Promise<void> {
  const { folder, name } = spot;
  const taken = moveAside(folder, name);
  const isOurs = (found: Found) => sameVersion(found.version, version);
  if (taken === null) return putBack(spot, aside, wasCurrent);
  if (isUntouchedButMoved(folder.at(taken), stat)) {
    await putBack(spot, aside, wasCurrent);
    await rescueAside(spot, taken, isOurs);
    return;
  }
  // Saved once more, over ours: the last one keeps the name.
  await putBack(spot, taken, isOurs);
  await rescueAside(spot, aside, wasCurrent);
}

/** In the same breath as the step before. Should it be somebody else's already, the next look will read it. */
function statNow({ folder, name }: Spot): FileStat {
  const stats = lstatAt(folder.at(name));
  return typeof stats === 'string' ? NO_STAT : fileStatOf(stats);
}

const NO_STAT: FileStat = { mode: '100644', size: -1, mtimeMs: -1, ctimeMs: -1, ino: 0 };

async function syncAbove(
  folders: HeldFolders,
  root: string,
  made: readonly WorkspacePath[],
  syncing: Syncing,
): Promise<void> {
  for (const folder of made) {
    const above = folders.hold(join(root, folder, '..'));
    try {
      await syncing.folder(above);
    } finally {
      above.release();
    }
  }
}

function conflict(path: WorkspacePath, found: Found | null): Outcome<Written, WriteConflict> {
  return failed({ code: 'conflict', path, found: found?.version ?? null, stat: found?.stat ?? null });
}

function removeIfThere(temporary: string): void {
  try {
    unlinkSync(temporary);
  } catch (error) {
    // It was never made, or has become the target.
    if (!isAbsence(error)) throw error;
  }
}
