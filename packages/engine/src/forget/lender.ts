import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ContentId } from '@palimpsest/core';
import { withAlternates } from '../git/alternates.js';
import { loosePath } from '../git/loose.js';
import { openPacks } from '../git/packs.js';
import { objectDirectories, type UserRepository } from '../git/user-repository.js';

/** Those of the contents that the user's own repository has; it is read, and is not ours to change. */
export async function inRepository(
  contents: Iterable<ContentId>,
  repository: UserRepository | null,
): Promise<readonly ContentId[]> {
  if (repository === null || repository.objectFormat !== 'sha1') return [];
  const folders = await withAlternates(await objectDirectories(repository));
  const packs = folders.map((folder) => openPacks(join(folder, 'pack')));
  const found: ContentId[] = [];
  for (const id of contents) {
    const loose = folders.some((folder) => statSync(loosePath(folder, id), { throwIfNoEntry: false }) !== undefined);
    if (loose || (await Promise.all(packs.map((some) => some.has(id)))).includes(true)) found.push(id);
  }
  return found;
}
