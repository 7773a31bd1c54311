import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ChangeId, Checkpoint, ContentId, ReviewEntry, WorkspacePath } from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import type { ObjectId } from '../git/object-id.js';
import type { ObjectStore } from '../git/objects.js';
import type { FileState } from '../log/log.js';
import type { KnownTree } from '../store/known-tree.js';
import type { Disk } from '../tree/disk.js';

type HealthParts = {
  readonly objects: ObjectStore;
  readonly content: ContentStore;
  readonly known: KnownTree;
  readonly disk: Disk;
  readonly signal: AbortSignal;
};

type StoreHealth = {
  /** Contents that were missing and could be taken from the disk again. */
  readonly mended: number;
  readonly lost: readonly WorkspacePath[];
  readonly broken: readonly Checkpoint[];
  /** Open changes that could be taken back, if their bytes were there. */
  readonly stuck: readonly ChangeId[];
};

const LOOKUPS_AT_ONCE = 512;
/** Bytes held in memory before they are stored together. */
const BATCH_BYTES = 8 * 1024 * 1024;
/** Files that are looked at before the event loop is let go. */
const LOOKED_AT_IN_A_ROW = 16;

/**
 * Looks, after opening, whether the store still has what it should: the bytes of every known file and of every open
 * change, and the commit and tree of every checkpoint. Bytes that are gone but still on disk are stored again.
 */
export async function checkStore(
  parts: HealthParts,
  saved: readonly Checkpoint[],
  open: readonly ReviewEntry[],
): Promise<StoreHealth> {
  const { known, objects } = parts;
  const kept = [...known.states()].filter((state) => state.kept);
  const absent = await missing(parts, [...new Set(kept.map(({ content }) => content))]);
  const { mended, lost } = await mendFromDisk(parts, absent);
  const broken: Checkpoint[] = [];
  for (const checkpoint of saved) {
    if (parts.signal.aborted) break;
    const whole = (await objects.has(checkpoint.commit)) && (await objects.has(checkpoint.tree));
    if (!whole) broken.push(checkpoint);
  }
  const gone = await missing(parts, [...new Set(open.flatMap(contentsOf))]);
  const stuck = open.filter((entry) => contentsOf(entry).some((id) => gone.has(id))).map(({ id }) => id);
  return { mended, lost: lost.map(({ path }) => path), broken, stuck };
}

function contentsOf({ file: { before, after, reversible } }: ReviewEntry): readonly ContentId[] {
  return reversible ? [before, after].flatMap((version) => version?.content ?? []) : [];
}

async function missing({ objects, signal }: HealthParts, ids: readonly ContentId[]): Promise<ReadonlySet<ContentId>> {
  const absent = new Set<ContentId>();
  for (let at = 0; at < ids.length && !signal.aborted; at += LOOKUPS_AT_ONCE) {
    const some = ids.slice(at, at + LOOKUPS_AT_ONCE);
    const present = await Promise.all(some.map((id) => objects.has(id)));
    some.forEach((id, n) => {
      if (present[n] === false) absent.add(id);
    });
    // Looking up may not wait for anything; the event loop must be let go all the same.
    await nextTurn();
  }
  return absent;
}

/** Stores contents of known files again, where the disk still has them. */
export async function mendFromDisk(
  { objects, content, known, disk, signal }: HealthParts,
  absent: ReadonlySet<ObjectId>,
): Promise<{ readonly mended: number; readonly lost: readonly FileState[] }> {
  const affected =
    absent.size === 0 ? [] : [...known.states()].filter((state) => state.kept && absent.has(state.content));
  const lost: FileState[] = [];
  let mended = 0;
  let found: Uint8Array[] = [];
  const store = async () => {
    await content.putMany(found);
    mended += found.length;
    found = [];
  };
  for (const [n, state] of affected.entries()) {
    if (signal.aborted) break;
    if (!(await objects.owns(state.content))) {
      const read = await disk.read(state.path);
      if (read.ok && content.idOf(read.value.bytes) === state.content) found.push(read.value.bytes);
      else lost.push(state);
    }
    if (n % LOOKED_AT_IN_A_ROW === 0) await nextTurn();
    if (found.length >= LOOKUPS_AT_ONCE || bytesIn(found) > BATCH_BYTES) await store();
  }
  await store();
  return { mended, lost };
}

function bytesIn(list: readonly Uint8Array[]): number {
  return list.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
