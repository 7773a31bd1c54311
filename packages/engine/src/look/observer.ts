import { existsSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ContentId, WorkspacePath } from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import type { FileState } from '../log/log.js';
import type { KnownTree } from '../store/known-tree.js';
import { holdsTheSame, isUnread } from '../store/unread.js';
import type { Unstored } from '../store/unstored.js';
import type { Coverage } from '../tree/coverage.js';
import type { Disk } from '../tree/disk.js';
import { type FileStat, type Standing, sameStat, statIsProof, statPaths } from '../tree/stat.js';
import { unrecorded, verifiedBefore } from './baseline.js';

/** A file is not what it was when we last looked. Its new bytes are in the store already. */
export type Observation = {
  readonly path: WorkspacePath;
  readonly before: FileState | null;
  readonly after: FileState | null;
};

export type ObserverParts = {
  readonly root: string;
  readonly known: KnownTree;
  readonly content: ContentStore;
  readonly disk: Disk;
  readonly unstored: Unstored;
  readonly coverage: () => Coverage;
  /** Whether a file that is known by name only came while nobody watched. */
  readonly cameUnwatched: (path: WorkspacePath) => boolean;
  /** Whether the log tells anything of it. */
  readonly isRecorded: (path: WorkspacePath) => boolean;
};

/** Bytes held in memory before they are written to the store together. */
const BATCH_BYTES = 8 * 1024 * 1024;
const READS_AT_ONCE = 16;
/** Small files are read in place; after so long others get their turn. */
const SLICE_MS = 8;
/** Stands in for a modification time that cannot prove anything, so that the next look reads the file again. */
const NO_PROOF = -1;

/** Looks at files that may have changed, and says which did. It believes the disk, and nothing else. */
export class Observer {
  readonly #parts: ObserverParts;
  /** Files that were not read and were gone when they were looked at. */
  readonly #awaited = new Set<WorkspacePath>();

  constructor(parts: ObserverParts) {
    this.#parts = parts;
  }

  /** What was observed is how the file always was, as far as we are concerned. */
  adopt({ after }: Observation): void {
    if (after !== null) this.#parts.unstored.add(after.path);
  }

  /** Files that were in view for a while, and nobody's change; those that are as they were then are not known any more. */
  leave(paths: Iterable<WorkspacePath>): ReadonlySet<WorkspacePath> {
    const { known, root, unstored, isRecorded } = this.#parts;
    const visitors = [...paths].filter((path) => known.get(path)?.explicit === false && !isRecorded(path));
    const isAsItWas = (path: WorkspacePath, standing: Standing) =>
      standing.kind === 'file' && sameStat(known.get(path)!, standing.stat);
    const left = new Set([...statPaths(root, visitors)].flatMap(([path, now]) => (isAsItWas(path, now) ? path : [])));
    for (const path of left) {
      known.delete(path);
      unstored.drop(path);
    }
    return left;
  }

  /** Those of the paths at which there was a file that was not read, and is none now. */
  missingUnread(paths: Iterable<WorkspacePath>): ReadonlySet<WorkspacePath> {
    const { known, root } = this.#parts;
    if (known.unread.size === 0 || !existsSync(root)) return new Set();
    const unread = [...paths].filter((path) => known.unread.has(path));
    return new Set([...statPaths(root, unread)].flatMap(([path, standing]) => (isGone(standing) ? [path] : [])));
  }

  /** What is waited for: whoever takes it looks at it again. */
  takeAwaited(): readonly WorkspacePath[] {
    const awaited = [...this.#awaited];
    this.#awaited.clear();
    return awaited;
  }

  /** A file that was not read and is gone is waited for, because it may be met under another name, unless it is `lost`. */
  async look(
    paths: Iterable<WorkspacePath>,
    lost: ReadonlySet<WorkspacePath> = new Set(),
  ): Promise<readonly Observation[]> {
    // A workspace that is gone as a whole was moved or unmounted: nobody deleted its files one by one.
    if (!existsSync(this.#parts.root)) return [];
    const standings = statPaths(this.#parts.root, paths);
    const observations: Observation[] = [];
    const unread: WorkspacePath[] = [];
    for (const [path, standing] of standings) {
      const before = this.#parts.known.get(path);
      if (this.#needsReading(path, standing, before)) unread.push(path);
      else if (before !== null && isGone(standing)) {
        if (isUnread(before) && !lost.has(path)) this.#awaited.add(path);
        else observations.push({ path, before, after: null });
      }
    }
    const moved = new Map<WorkspacePath, FileState>();
    for await (const observation of this.#read(unread, moved)) observations.push(observation);
    for (const { path, after } of observations) {
      if (after === null) this.#parts.known.delete(path);
      else this.#parts.known.set(after);
    }
    for (const [path, origin] of moved) if (this.#parts.known.unread.has(path)) this.#parts.known.set(origin);
    return observations.map((one) =>
      isUnread(one.before) ? { ...one, before: moved.get(one.path) ?? one.before } : one,
    );
  }

  /** As if it had not been looked at: what came of these observations was lost on the way. */
  unsee(observations: readonly Observation[]): void {
    for (const { path, before } of observations) {
      if (before === null) this.#parts.known.delete(path);
      else this.#parts.known.set(before);
    }
  }

  /**
   * The same, with before-images that were compared and are ours: for what is to be recorded. What git lent and has no
   * more is not known, and such a change cannot be taken back.
   */
  async verify(observations: readonly Observation[]): Promise<readonly Observation[]> {
    const { content } = this.#parts;
    const verified: Observation[] = [];
    for (const observation of observations) {
      const { before } = observation;
      verified.push(before?.borrowed ? { ...observation, before: await verifiedBefore(content, before) } : observation);
    }
    const lost = await content.own(verified.flatMap(({ before }) => (before?.kept ? [before.content] : [])));
    return verified.map((observation) => {
      const { before } = observation;
      return before?.kept && lost.has(before.content) ? { ...observation, before: unrecorded(before) } : observation;
    });
  }

  #needsReading(path: WorkspacePath, standing: Standing, before: FileState | null): boolean {
    if (standing.kind !== 'file') return false;
    if (before !== null) return isUnread(before) || !sameStat(before, standing.stat);
    return this.#parts.coverage().file(path, standing.stat.size).covered;
  }

  /** `moved` is told what files held that were not read before they went to another name. */
  async *#read(paths: readonly WorkspacePath[], moved: Map<WorkspacePath, FileState>): AsyncGenerator<Observation> {
    let batch: Pending[] = [];
    let batchBytes = 0;
    let until = performance.now() + SLICE_MS;
    for (let at = 0; at < paths.length; at += READS_AT_ONCE) {
      if (performance.now() > until) {
        await nextTurn();
        until = performance.now() + SLICE_MS;
      }
      const read = await Promise.all(paths.slice(at, at + READS_AT_ONCE).map((path) => this.#readOne(path)));
      for (const pending of read) {
        if (pending === null) continue;
        const origin = this.#originOf(pending);
        if (origin !== null) moved.set(origin.path, origin);
        if (pending.bytes === null) yield this.#observe(pending, pending.content);
        else batch.push(pending);
        batchBytes += pending.bytes?.length ?? 0;
      }
      if (batchBytes >= BATCH_BYTES) {
        yield* this.#store(batch);
        batch = [];
        batchBytes = 0;
      }
    }
    yield* this.#store(batch);
  }

  /** Null when nothing worth telling came of it: same content, gone meanwhile, or not to be read. */
  async #readOne(path: WorkspacePath): Promise<Pending | null> {
    const { known } = this.#parts;
    const before = known.get(path);
    const found = await this.#bytesOrIdentity(path);
    if (found === 'unreadable') return null;
    if (found === 'missing')
      return before === null || isUnread(before)
        ? null
        : { path, before, stat: null, takenAtMs: 0, content: before.content, bytes: null };
    const { stat, takenAtMs, content, bytes } = found;
    const old = this.#asItWas(path, stat, content, bytes !== null);
    if (old !== null && old.content === content && old.mode === stat.mode) {
      // What nobody but git has may be gone from there when the file is another; and the bytes are at hand now.
      if (((old.borrowed && old.kept) || isUnread(before)) && bytes !== null)
        return { path, before: old, stat, takenAtMs, content, bytes };
      this.#same(path, old, found);
      return null;
    }
    return { path, before: old, stat, takenAtMs, content, bytes };
  }

  /** What is known of a file before this reading. One that was not read yet and was left alone held what it holds. */
  #asItWas(path: WorkspacePath, stat: FileStat, content: ContentId, kept: boolean): FileState | null {
    const before = this.#parts.known.get(path);
    if (before === null || !isUnread(before) || !holdsTheSame(before, stat)) return before;
    return this.#parts.cameUnwatched(path) ? null : { ...before, content, kept };
  }

  /** The file that was known by name only and has become this one, with its bytes. */
  #originOf({ path, stat, content, bytes }: Pending): FileState | null {
    const { known } = this.#parts;
    const from = stat === null ? null : known.unread.at(stat.ino);
    const origin = from === null || from === path ? null : known.get(from);
    return origin !== null && holdsTheSame(origin, stat!) ? { ...origin, content, kept: bytes !== null } : null;
  }

  /** A file that is too large to keep is identified without holding its bytes. */
  async #bytesOrIdentity(path: WorkspacePath): Promise<Found | 'missing' | 'unreadable'> {
    const { disk, content, coverage } = this.#parts;
    // A stat proves as much as it did when it was taken; storing the bytes may take long, and makes it no older.
    const takenAtMs = Date.now();
    const stat = disk.stat(path);
    if (stat !== null && stat.size > coverage().rules.limits.keptFileBytes) {
      const identity = await disk.identify(path);
      if (identity.ok) return { stat: identity.value.stat, takenAtMs, content: identity.value.content, bytes: null };
      return identity.error.code === 'missing' ? 'missing' : 'unreadable';
    }
    const read = await disk.read(path);
    if (read.ok) {
      const { bytes } = read.value;
      return { stat: read.value.stat, takenAtMs, content: content.idOf(bytes), bytes };
    }
    return read.error.code === 'missing' ? 'missing' : 'unreadable';
  }

  async *#store(batch: readonly Pending[]): AsyncGenerator<Observation> {
    if (batch.length === 0) return;
    const ids = await this.#parts.content.putMany(batch.map((pending) => pending.bytes!));
    for (const [index, pending] of batch.entries()) {
      const { path, before, stat, content } = pending;
      if (before !== null && stat !== null && before.content === content && before.mode === stat.mode)
        this.#same(path, before, { stat, takenAtMs: pending.takenAtMs });
      else yield this.#observe(pending, ids[index]!);
    }
  }

  /** Nothing but its stat, at most, is another; and it has been compared. */
  #same(path: WorkspacePath, { content, kept, explicit }: FileState, taken: Taken): void {
    this.#parts.known.set(this.#stateOf(path, taken, content, kept, explicit));
    this.#parts.unstored.add(path);
  }

  #observe(pending: Pending, content: ContentId): Observation {
    const { path, before, stat, takenAtMs } = pending;
    if (stat === null) return { path, before, after: null };
    const explicit = before?.explicit ?? this.#parts.coverage().isNamed(path);
    return { path, before, after: this.#stateOf(path, { stat, takenAtMs }, content, pending.bytes !== null, explicit) };
  }

  #stateOf(
    path: WorkspacePath,
    { stat, takenAtMs }: Taken,
    content: ContentId,
    kept: boolean,
    explicit: boolean,
  ): FileState {
    const { mode, size, ctimeMs, ino } = stat;
    const mtimeMs = statIsProof(stat, takenAtMs) ? stat.mtimeMs : NO_PROOF;
    return { path, mode, content, size, mtimeMs, ctimeMs, ino, kept, explicit };
  }
}

type Taken = { readonly stat: FileStat; readonly takenAtMs: number };
type Found = Taken & { readonly content: ContentId; readonly bytes: Uint8Array | null };

/** `stat` is null for a file that vanished, `bytes` for one that vanished or is too large to keep. */
type Pending = {
  readonly path: WorkspacePath;
  readonly before: FileState | null;
  readonly stat: FileStat | null;
  readonly takenAtMs: number;
  readonly content: ContentId;
  readonly bytes: Uint8Array | null;
};

/** What cannot be read is not known to be gone. */
function isGone(standing: Standing): boolean {
  return standing.kind === 'missing' || standing.kind === 'folder' || standing.kind === 'special';
}
