import { promises as fs } from 'node:fs';
import { join } from 'node:path';
import { failed, type Outcome, ok } from '@palimpsest/core';
import { loosePath } from './loose.js';
import type { ObjectId } from './object-id.js';
import type { ObjectStore } from './objects.js';
import { looseIds } from './owned.js';
import { openPacks, removePack } from './packs.js';
import { packExisting } from './repack.js';
import type { GitError } from './run.js';

export type Consolidated = { readonly objects: number; readonly packs: number; readonly loose: number };

/** Below both, looking things up is as quick as it gets, and there is nothing to do. */
export const PACKS_LIMIT = 32;
export const LOOSE_LIMIT = 4096;

/**
 * Puts everything we own into one pack, with deltas, and then removes what it replaces. Meant for the background.
 * Objects written meanwhile stay where they are, but nothing may be removed meanwhile: it would come back in the new
 * pack. One unreadable object stops it, with nothing removed.
 */
export async function consolidate(
  objects: ObjectStore,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<Outcome<Consolidated, GitError>> {
  const objectsDir = join(objects.gitDir, 'objects');
  const packDir = join(objectsDir, 'pack');
  const before = await openPacks(packDir).all();
  const loose = await looseIds(objectsDir);
  const ids = [...new Set([...before.flatMap((pack) => pack.index.ids()), ...loose])];
  const nothing = { objects: ids.length, packs: 0, loose: 0 };
  if (before.length <= PACKS_LIMIT && loose.length <= LOOSE_LIMIT) return ok(nothing);
  const packed = await packExisting(objects, ids, {
    deltas: 'search',
    priority: 'background',
    ...(signal && { signal }),
  });
  if (!packed.ok) return failed(packed.error);

  const replaced = new Set(before.map((pack) => pack.name));
  const after = (await openPacks(packDir).all()).filter((pack) => !replaced.has(pack.name));
  // Only what the new pack is seen to hold may go.
  const isSafe = (id: ObjectId) => after.some((pack) => pack.index.has(id));
  for (const pack of before) if (pack.index.ids().every(isSafe)) await removePack(packDir, pack.name);
  for (const id of loose) if (isSafe(id)) await fs.rm(loosePath(objectsDir, id), { force: true });
  objects.refresh();
  return ok({ objects: ids.length, packs: before.length, loose: loose.length });
}
