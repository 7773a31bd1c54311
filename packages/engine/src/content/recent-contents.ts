import type { ContentId } from '@palimpsest/core';

/** The contents used last, within a number of bytes. */
interface RecentContents {
  get(id: ContentId): Uint8Array | null;
  add(id: ContentId, bytes: Uint8Array): void;
  drop(id: ContentId): void;
}

const LIMIT_BYTES = 16 * 1024 * 1024;
/** One large file must not push out everything else. */
const ITEM_LIMIT_BYTES = LIMIT_BYTES / 8;

export function recentContents(): RecentContents {
  // A Map keeps the order of insertion, so its first key is the one used longest ago.
  const items = new Map<ContentId, Uint8Array>();
  let held = 0;
  const drop = (id: ContentId) => {
    held -= items.get(id)?.byteLength ?? 0;
    items.delete(id);
  };
  return {
    drop,
    get: (id) => {
      const bytes = items.get(id);
      if (bytes === undefined) return null;
      items.delete(id);
      items.set(id, bytes);
      return new Uint8Array(bytes);
    },
    add: (id, bytes) => {
      drop(id);
      if (bytes.byteLength > ITEM_LIMIT_BYTES) return;
      // Copies both ways: what a caller does to its array later is not what was stored.
      items.set(id, new Uint8Array(bytes));
      held += bytes.byteLength;
      for (const oldest of items.keys()) {
        if (held <= LIMIT_BYTES) return;
        drop(oldest);
      }
    },
  };
}
