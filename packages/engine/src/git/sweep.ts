import { promises as fs } from 'node:fs';
import { join } from 'node:path';
import { failed, type Outcome, ok } from '@palimpsest/core';
import { syncPath } from '../files/durable.js';
import { loosePath } from './loose.js';
import type { ObjectId } from './object-id.js';
import type { ObjectStore } from './objects.js';
import { type Inventory, takeInventory } from './owned.js';
import { openPacks, removePack } from './packs.js';
import { packExisting } from './repack.js';
import type { GitError } from './run.js';

/** Up to both, looking things up is as quick as it gets, and there is nothing to do. */
export const PACKS_LIMIT = 32;
const LOOSE_LIMIT = 4096;

/**
 * Puts everything we own into one pack, with deltas, and then removes what it replaces. Meant for the background.
 * Objects written meanwhile stay where they are, but nothing may be removed meanwhile: it would come back in the new
 * pack. One unreadable object stops it, with nothing removed.
 */
export async function consolidate(objects: ObjectStore, signal: AbortSignal): Promise<Outcome<null, GitError>> {
  const inventory = await takeInventory(objects.gitDir);
  if (inventory.packs.length <= PACKS_LIMIT && inventory.loose.length <= LOOSE_LIMIT) return ok(null);
  const pack = await packNeeded(objects, inventory, inventory.ids, new Map(), signal);
  if (!pack.ok) return pack;
  const done = await removeUnneeded(objects, inventory, inventory.ids, pack.value);
  return done.ok ? ok(null) : done;
}

/**
 * Copies those of the inventory that are needed into a new pack, small by way of deltas. Nothing is removed, so it may
 * run while others write. Answers the ids that are safe there.
 */
export async function packNeeded(
  objects: ObjectStore,
  inventory: Inventory,
  needed: ReadonlySet<ObjectId>,
  names: ReadonlyMap<ObjectId, string>,
  signal: AbortSignal,
): Promise<Outcome<NewPack, GitError>> {
  const wanted = [...inventory.ids].filter((id) => needed.has(id));
  if (wanted.length === 0) return ok({ names: [], ids: new Set() });
  const packed = await packExisting(objects, wanted, { deltas: 'search', priority: 'background', signal, names });
  return packed.ok ? ok({ names: [packed.value], ids: new Set(wanted) }) : packed;
}

type NewPack = { readonly names: readonly string[]; readonly ids: ReadonlySet<ObjectId> };

/**
 * Removes what is on the inventory and not needed. Whatever is needed and not in the new pack, because it came into need
 * since, is packed first. Nothing may come into need meanwhile.
 */
export async function removeUnneeded(
  objects: ObjectStore,
  inventory: Inventory,
  needed: ReadonlySet<ObjectId>,
  pack: NewPack,
): Promise<Outcome<{ readonly removed: number }, GitError>> {
  const objectsDir = join(objects.gitDir, 'objects');
  const packDir = join(objectsDir, 'pack');
  const late = [...inventory.ids].filter((id) => needed.has(id) && !pack.ids.has(id));
  const kept = new Set(pack.names);
  if (late.length > 0) {
    const packed = await packExisting(objects, late, { deltas: 'reuse', priority: 'normal' });
    if (!packed.ok) return failed(packed.error);
    kept.add(packed.value);
  }
  const present = await openPacks(packDir).all();
  const safe = present.filter(({ name }) => kept.has(name) || !inventory.packs.includes(name));
  const lost = [...inventory.ids].find((id) => needed.has(id) && !safe.some(({ index }) => index.has(id)));
  if (lost !== undefined) throw new Error(`object ${lost} would be lost by tidying up; nothing was removed`);
  for (const name of inventory.packs) if (!kept.has(name)) await removePack(packDir, name);
  for (const id of inventory.loose) await fs.rm(loosePath(objectsDir, id), { force: true });
  await syncPath(packDir);
  objects.refresh();
  return ok({ removed: [...inventory.ids].filter((id) => !needed.has(id)).length });
}

/** Takes a new pack away again, when it turned out to hold what it must not. */
export async function dropPack(objects: ObjectStore, pack: NewPack, inventory: Inventory): Promise<void> {
  for (const name of pack.names)
    if (!inventory.packs.includes(name)) await removePack(join(objects.gitDir, 'objects', 'pack'), name);
  objects.refresh();
}

/** Bytes that objects take on disk. */
export async function bytesOf(objects: ObjectStore, ids: readonly ObjectId[]): Promise<number> {
  if (ids.length === 0) return 0;
  const told = await objects.git.run({
    gitDir: objects.gitDir,
    args: ['cat-file', '--batch-check=%(objectsize:disk)'],
    stdin: Buffer.from(ids.map((id) => `${id}\n`).join('')),
  });
  if (!told.ok) return 0;
  return told.value
    .toString('latin1')
    .split('\n')
    .reduce((sum, line) => sum + (/^\d+$/.test(line) ? Number(line) : 0), 0);
}
