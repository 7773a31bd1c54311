import { promises as fs } from 'node:fs';
import { join } from 'node:path';
import { asContentId, type ContentId, failed, ok } from '@palimpsest/core';
import { listNames } from '../files/durable.js';
import { objectFolders } from '../git/bare-repository.js';
import { hashObject } from '../git/object-id.js';
import type { ObjectStore } from '../git/objects.js';
import { GitFailure } from '../git/run.js';
import type { ContentStore } from './content.js';
import { Loan } from './loan.js';
import { recentContents } from './recent-contents.js';

/** How many questions are put to git before the first is answered. */
const QUESTIONS_AT_ONCE = 512;
/** Contents that are held in memory together while they are made ours. */
const OWNED_AT_ONCE = 64;

/** Contents as blobs of our bare repository. Closing it closes the objects. */
export function gitContent(objects: ObjectStore, loan: Loan = new Loan(objects)): ContentStore {
  const recent = recentContents();
  const idOf = (bytes: Uint8Array) => asContentId(hashObject('blob', bytes));

  const get: ContentStore['get'] = async (id) => {
    const known = recent.get(id);
    if (known !== null) return ok(known);
    const read = await objects.read(id);
    if (!read.ok) {
      if (read.error.code === 'damaged') return failed({ code: 'damaged', id });
      throw new GitFailure(read.error);
    }
    // A tree or a commit is not content, whatever its id.
    if (read.value === null || read.value.type !== 'blob') return failed({ code: 'missing', id });
    recent.add(id, read.value.bytes);
    return ok(read.value.bytes);
  };

  const own: ContentStore['own'] = async (ids) => {
    const lost = new Set<ContentId>();
    if (!loan.open) return lost;
    const lent: ContentId[] = [];
    for (const id of new Set(ids)) if (!loan.isStruck(id) && !(await objects.owns(id))) lent.push(id);
    for (let at = 0; at < lent.length; at += OWNED_AT_ONCE) {
      const some = lent.slice(at, at + OWNED_AT_ONCE);
      const found = await Promise.all(some.map(get));
      const bytes = found.flatMap((content, n) => {
        if (content.ok) return [content.value];
        lost.add(some[n]!);
        return [];
      });
      await objects.writeMany(bytes.map((content) => ({ type: 'blob', bytes: content })));
    }
    return lost;
  };

  return {
    idOf,
    get,
    own,
    sizes: (ids) => sizesOf(ids, objects),
    put: async (bytes) => {
      const id = asContentId(await objects.write('blob', bytes));
      recent.add(id, bytes);
      return id;
    },
    putMany: async (list) => (await objects.writeMany(list.map((bytes) => ({ type: 'blob', bytes })))).map(asContentId),
    has: (id) => objects.has(id),
    forget: async (ids) => {
      for (const id of ids) recent.drop(id);
      await loan.strike(ids);
      await objects.remove(ids);
    },
    bytesOnDisk: () => bytesIn(objects.gitDir),
    close: () => objects.close(),
  };
}

async function sizesOf(ids: readonly ContentId[], objects: ObjectStore): Promise<ReadonlyMap<ContentId, number>> {
  const found = new Map<ContentId, number>();
  for (let at = 0; at < ids.length; at += QUESTIONS_AT_ONCE) {
    const some = ids.slice(at, at + QUESTIONS_AT_ONCE);
    const answers = await Promise.all(some.map((id) => objects.sizeOf(id)));
    some.forEach((id, n) => {
      const size = answers[n];
      if (size !== null && size !== undefined) found.set(id, size);
    });
  }
  return found;
}

async function bytesIn(gitDir: string): Promise<number> {
  let bytes = 0;
  for (const folder of [...(await objectFolders(gitDir)), join(gitDir, 'damaged')]) {
    for (const name of await listNames(folder)) {
      const stat = await fs.stat(join(folder, name)).catch(() => null);
      if (stat?.isFile() === true) bytes += stat.size;
    }
  }
  return bytes;
}
