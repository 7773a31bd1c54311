import { join } from 'node:path';
import { listNames } from '../files/durable.js';
import type { ObjectId } from './object-id.js';
import { openPacks } from './packs.js';

/** What a store holds in its own files, whatever is borrowed, at one moment. What is written later is not on it. */
export type Inventory = {
  readonly packs: readonly string[];
  readonly loose: readonly ObjectId[];
  readonly ids: ReadonlySet<ObjectId>;
};

export async function takeInventory(gitDir: string): Promise<Inventory> {
  const objectsDir = join(gitDir, 'objects');
  const packs = await openPacks(join(objectsDir, 'pack')).all();
  const loose = await looseIds(objectsDir);
  const ids = new Set(loose);
  for (const { index } of packs) for (const id of index.ids()) ids.add(id);
  return { packs: packs.map(({ name }) => name), loose, ids };
}

export async function ownedIds(gitDir: string): Promise<ReadonlySet<ObjectId>> {
  return (await takeInventory(gitDir)).ids;
}

async function looseIds(objectsDir: string): Promise<readonly ObjectId[]> {
  const ids: ObjectId[] = [];
  for (const folder of await listNames(objectsDir)) {
    if (!/^[0-9a-f]{2}$/.test(folder)) continue;
    for (const name of await listNames(join(objectsDir, folder)))
      if (/^[0-9a-f]{38}$/.test(name)) ids.push(folder + name);
  }
  return ids;
}
