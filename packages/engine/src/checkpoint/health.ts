import type { Checkpoint, ContentId, WorkspacePath } from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import type { ObjectStore } from '../git/objects.js';
import type { KnownTree } from '../known-tree.js';
import type { Disk } from '../tree/disk.js';

export type HealthParts = {
  readonly objects: ObjectStore;
  readonly content: ContentStore;
  readonly known: KnownTree;
  readonly disk: Disk;
  readonly signal: AbortSignal;
};

export type Findings = {
  /** Contents that were missing and could be taken from the disk again. */
  readonly mended: number;
  readonly lost: readonly WorkspacePath[];
  readonly broken: readonly Checkpoint[];
};

const LOOKUPS_AT_ONCE = 512;

/**
 * Looks, after opening, whether the store still has what it should: the bytes of every known file, and the commit and
 * tree of every checkpoint. Bytes that are gone but still on disk are stored again.
 */
export async function checkStore(parts: HealthParts, saved: readonly Checkpoint[]): Promise<Findings> {
  const { known, objects } = parts;
  const kept = [...known.states()].filter((state) => state.kept);
  const absent = await missing(parts, [...new Set(kept.map(({ content }) => content))]);
  const affected = absent.size === 0 ? [] : kept.filter(({ content }) => absent.has(content));
  const lost: WorkspacePath[] = [];
  let mended = 0;
  for (const { path, content } of affected) {
    if (await mend(parts, path, content)) mended += 1;
    else lost.push(path);
  }
  const broken: Checkpoint[] = [];
  for (const checkpoint of saved) {
    if (parts.signal.aborted) break;
    const whole = (await objects.has(checkpoint.commit)) && (await objects.has(checkpoint.tree));
    if (!whole) broken.push(checkpoint);
  }
  return { mended, lost, broken };
}

async function missing({ objects, signal }: HealthParts, ids: readonly ContentId[]): Promise<ReadonlySet<ContentId>> {
  const absent = new Set<ContentId>();
  for (let at = 0; at < ids.length && !signal.aborted; at += LOOKUPS_AT_ONCE) {
    const some = ids.slice(at, at + LOOKUPS_AT_ONCE);
    const present = await Promise.all(some.map((id) => objects.has(id)));
    some.forEach((id, n) => {
      if (present[n] === false) absent.add(id);
    });
    // Looking up may not wait for anything; others must get their turn all the same.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return absent;
}

async function mend({ content, disk }: HealthParts, path: WorkspacePath, id: ContentId): Promise<boolean> {
  const read = await disk.read(path);
  if (!read.ok || content.idOf(read.value.bytes) !== id) return false;
  await content.put(read.value.bytes);
  return true;
}
