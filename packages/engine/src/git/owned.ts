import { join } from 'node:path';
import { listNames } from '../files/durable.js';
import type { ObjectId } from './object-id.js';
import { openPacks } from './packs.js';

/** Everything in our own files, whatever is borrowed. */
export async function ownedIds(gitDir: string): Promise<ReadonlySet<ObjectId>> {
  const objectsDir = join(gitDir, 'objects');
  const owned = new Set(await looseIds(objectsDir));
  for (const pack of await openPacks(join(objectsDir, 'pack')).all()) for (const id of pack.index.ids()) owned.add(id);
  return owned;
}

export async function looseIds(objectsDir: string): Promise<readonly ObjectId[]> {
  const ids: ObjectId[] = [];
  for (const folder of await listNames(objectsDir)) {
    if (!/^[0-9a-f]{2}$/.test(folder)) continue;
    for (const name of await listNames(join(objectsDir, folder)))
      if (/^[0-9a-f]{38}$/.test(name)) ids.push(folder + name);
  }
  return ids;
}
