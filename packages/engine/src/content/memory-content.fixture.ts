import { asContentId, type ContentId, failed, ok } from '@palimpsest/core';
import { hashObject } from '../git/object-id.js';
import type { ContentStore } from './content.js';

/** For tests and for dry runs: nothing outlives the process. */
export function memoryContent(): ContentStore {
  const contents = new Map<ContentId, Uint8Array>();
  const idOf = (bytes: Uint8Array) => asContentId(hashObject('blob', bytes));
  const keep = (bytes: Uint8Array) => {
    const id = idOf(bytes);
    if (!contents.has(id)) contents.set(id, new Uint8Array(bytes));
    return id;
  };
  return {
    idOf,
    put: async (bytes) => keep(bytes),
    putMany: async (list) => list.map(keep),
    get: async (id) => {
      const bytes = contents.get(id);
      return bytes === undefined ? failed({ code: 'missing', id }) : ok(new Uint8Array(bytes));
    },
    has: async (id) => contents.has(id),
    own: async () => new Set(),
    sizes: async (ids) =>
      new Map(ids.flatMap((id) => (contents.has(id) ? [[id, contents.get(id)?.byteLength ?? 0]] : []))),
    forget: async (ids) => {
      for (const id of ids) contents.delete(id);
    },
    bytesOnDisk: async () => 0,
    close: async () => contents.clear(),
  };
}
