import {
  type ContentId,
  type Decision,
  type FileChange,
  type FileVersion,
  type Flowed,
  failed,
  NOBODY_KNOWN,
  type Operation,
  type Outcome,
  ok,
  type PlaceId,
  placeOf,
  type Seq,
  sameVersion,
  type WorkspacePath,
} from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import type { ContentStore } from '../content/content.js';
import type { FileState } from '../log/log.js';
import { type KnownTree, versionOf } from '../store/known-tree.js';
import type { LiveLog } from '../store/live-log.js';
import { measure } from '../store/measure.js';
import type { Disk, Rescue } from '../tree/disk.js';
import { type FileStat, STAT_STEP_MS } from '../tree/stat.js';
import { SyncGroup, type Syncing } from '../tree/sync-group.js';
import { changesBy } from './changes-by.js';
import type { FileWrite } from './file-write.js';

export type { FileWrite };

/** What the log shall say about it; `files` is filled in with what was written. */
export type WritingBody = Extract<Decision, { readonly files: unknown }> | Flowed;

export type WriterParts = {
  /** Where the files are; null is the workspace's own folder. */
  readonly place: PlaceId | null;
  readonly disk: Disk;
  readonly content: ContentStore;
  readonly known: KnownTree;
  readonly live: LiveLog;
  /** Whether a running call has written the file, and the log does not say so yet. */
  readonly isAhead: (path: WorkspacePath) => boolean;
  /** Told what a file is now: what an older look at the tree has to say of it does not count any more. */
  readonly wrote: (path: WorkspacePath) => void;
  /** Told what a user should see. */
  readonly remark: (line: string) => void;
};

/** Why a file is left alone of which more is known than the log says. */
export const CALL_RUNNING = 'a running call has written the file; try again when it has ended';

const INTENT = 'writing';
type Intent = {
  readonly writes: readonly FileWrite[];
  /** Null where a running call writes through us: then its end says what it wrote. */
  readonly body: WritingBody | null;
  /** The last operation before it. One of the same kind that came later is the one intended, since nothing else runs. */
  readonly after: Seq | 0;
  /** In ms since the epoch: folders that are older were there before. */
  readonly begunAtMs?: number;
};
type Rescued = { readonly path: WorkspacePath; readonly version: FileVersion };
/** Files that are written together, and wait for the disk together. */
const WRITES_AT_ONCE = 256;

/**
 * Writes into the user's files: all of it, or none. The intent is durable before the first byte, so that whatever
 * interrupts us, the next open finishes it or takes it back. A file that is not what the plan expects stops everything,
 * and what was written before it is put back. What somebody saves into one of the files while we write is never lost: it
 * stays, or is stored and logged as a change of its own.
 *
 * Runs inside the workspace's queue, after a look at the world.
 */
export class Writer {
  readonly #parts: WriterParts;
  readonly #intent: string;
  readonly #at: { readonly place?: PlaceId };
  #rescued: Rescued[] = [];

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.#intent = parts.place === null ? INTENT : `${INTENT}:${parts.place}`;
    this.#at = parts.place === null ? {} : { place: parts.place };
  }

  /** What a running call did so far would be recorded nowhere if it were written over: it would be no step of the file. */
  isAhead(path: WorkspacePath): boolean {
    return this.#parts.isAhead(path);
  }

  /** A content without which these cannot be written, or taken back again; `contents` are at hand. Null if all is there. */
  async missingFor(
    writes: readonly FileWrite[],
    contents: readonly (Uint8Array | null)[] = [],
  ): Promise<ContentId | null> {
    const { content } = this.#parts;
    const atHand = new Set(contents.flatMap((bytes) => (bytes === null ? [] : content.idOf(bytes))));
    for (const version of writes.filter(isReal).flatMap(({ expected, next }) => [expected, next]))
      if (version !== null && !atHand.has(version.content) && !(await content.has(version.content)))
        return version.content;
    return null;
  }

  /** `contents`: some that may not be stored yet. They are, before anything is written. */
  async apply(
    writes: readonly FileWrite[],
    body: WritingBody,
    contents: readonly (Uint8Array | null)[] = [],
  ): Promise<Outcome<Operation, Refusal>> {
    const fresh = contents.filter((bytes) => bytes !== null);
    const real = writes.filter(isReal);
    // Where a file takes the place of one with the same bytes nothing is written, and still it is a step of both.
    const told = writes.filter((write) => isReal(write) || write.movedFrom !== undefined);
    const ahead = real.map(({ path }) => path).filter((path) => this.isAhead(path));
    if (ahead.length > 0) return failed({ code: 'conflict', paths: ahead, why: CALL_RUNNING });
    // Storing waits for the disk, and measuring for nobody.
    const [files] = await Promise.all([changesBy(told, this.#reading(fresh), this.#parts.known), this.#store(fresh)]);
    // What is taken off the disk must be kept as surely as what is put there: it may have to come back.
    const content = await this.missingFor(real);
    if (content !== null) return failed({ code: 'unknown-content', content });
    const { log } = this.#parts.live;
    const intent = { writes: told, body, after: log.last, begunAtMs: Date.now() } satisfies Intent;
    if (real.length > 0) log.marks.set(this.#intent, JSON.stringify(intent));
    return this.#carryOut(intent, files);
  }

  /**
   * For a running call that writes through us: gives a file that holds `expected` other bytes; null is no file. Nothing is
   * said of it here, because the call's end finds it. Doing it twice is doing it once.
   */
  async replace(path: WorkspacePath, expected: ContentId | null, bytes: Uint8Array): Promise<Outcome<null, Refusal>> {
    const { disk, content, live } = this.#parts;
    const read = await disk.read(path);
    const movedOn = failed({ code: 'moved', paths: [path], seq: live.log.last } as const);
    if (!read.ok && read.error.code === 'unstable') return movedOn;
    if (!read.ok && read.error.code !== 'missing') return failed({ code: 'not-written', path, why: read.error.detail });
    const found = read.ok ? { ...read.value, content: content.idOf(read.value.bytes) } : null;
    if (found?.content === content.idOf(bytes)) return ok(null);
    if ((found?.content ?? null) !== expected || found?.mode === '120000') return movedOn;
    // What is taken off the disk must be kept as surely as what is put there: it may have to come back.
    const kept = await content.putMany([bytes, ...(found === null ? [] : [found.bytes])]);
    const mode = found?.mode ?? '100644';
    const write: FileWrite = {
      path,
      expected: found === null ? null : { content: found.content, mode, size: found.bytes.length },
      next: { content: kept[0]!, mode, size: bytes.length },
    };
    live.log.marks.set(
      this.#intent,
      JSON.stringify({ writes: [write], body: null, after: live.log.last } satisfies Intent),
    );
    const [written] = await this.#writeTogether([write]);
    await this.#recordRescued();
    live.log.marks.set(this.#intent, '');
    return written!.ok ? ok(null) : written!;
  }

  /** Finishes what an earlier process began, or takes it back where the world moved on. Says which, or null. */
  async recover(): Promise<'finished' | 'taken-back' | null> {
    const { log } = this.#parts.live;
    const stored = log.marks.get(this.#intent);
    if (stored === null || stored === '') return null;
    const intent = JSON.parse(stored) as Intent;
    const { writes, body, after } = intent;
    const isSaid = (operation: Operation) => placeOf(operation) === this.#parts.place;
    if (body !== null && log.find({ kinds: [body.kind], since: after }).some(isSaid)) {
      // Everything was done and said; only the intent was left standing.
      log.marks.set(this.#intent, '');
      return 'finished';
    }
    const { disk, content } = this.#parts;
    await disk.clearLeftovers(
      writes.map(({ path }) => path),
      { hash: (data) => content.idOf(data), isKept: (id) => content.has(id), rescue: this.#rescue },
    );
    if (body === null) {
      await this.#recordRescued();
      log.marks.set(this.#intent, '');
      return null;
    }
    const files = await changesBy(writes, content, this.#parts.known);
    const done = await this.#carryOut({ ...intent, body }, files);
    return done.ok ? 'finished' : 'taken-back';
  }

  async #carryOut(
    intent: Intent & { readonly body: WritingBody },
    files: readonly FileChange[],
  ): Promise<Outcome<Operation, Refusal>> {
    const { live, known } = this.#parts;
    const writes = intent.writes.filter(isReal);
    const states: FileState[] = [];
    const refused = await this.#inOrder(writes, (lot) => this.#writeAll(lot, states));
    if (refused !== null) {
      await this.#takeBack(intent);
      await this.#recordRescued();
      live.log.marks.set(this.#intent, '');
      return failed(refused);
    }
    const gone = writes.filter(({ next }) => next === null).map(({ path }) => path);
    const operation = await this.#say({ ...intent.body, files }, states, gone, intent);
    for (const state of states) known.set(state);
    for (const path of gone) known.delete(path);
    for (const { path } of writes) this.#parts.wrote(path);
    await this.#recordRescued();
    if (writes.length > 0) live.log.marks.set(this.#intent, '');
    return ok(operation);
  }

  /**
   * Removals first, then the folders that they left empty, so that a file can take the place of a folder and the other
   * way round. Ends with the first answer that is not null.
   */
  async #inOrder(
    writes: readonly FileWrite[],
    write: (some: readonly FileWrite[]) => Promise<Refusal | null>,
  ): Promise<Refusal | null> {
    const removals = writes.filter(({ next }) => next === null);
    const refused = await write(removals);
    if (refused !== null) return refused;
    this.#parts.disk.removeEmptyFolders(removals);
    return write(writes.filter(({ next }) => next !== null));
  }

  /** What cannot be logged must not stand in the files: the next look would take it for a person's doing. */
  async #say(
    body: WritingBody,
    states: readonly FileState[],
    gone: readonly WorkspacePath[],
    intent: Intent,
  ): Promise<Operation> {
    const { live } = this.#parts;
    try {
      return live.append([{ ...body, ...this.#at }], { files: states, gone, ...this.#at })[0]!;
    } catch (error) {
      await this.#takeBack(intent);
      live.log.marks.set(this.#intent, '');
      throw error;
    }
  }

  /** Writes that do not depend on each other, some at a time; stops at the first that is refused. */
  async #writeAll(writes: readonly FileWrite[], states: FileState[]): Promise<Refusal | null> {
    for (let at = 0; at < writes.length; at += WRITES_AT_ONCE) {
      for (const outcome of await this.#writeTogether(writes.slice(at, at + WRITES_AT_ONCE))) {
        if (!outcome.ok) return outcome.error;
        if (outcome.value !== null) states.push(outcome.value);
      }
    }
    return null;
  }

  #writeTogether(lot: readonly FileWrite[]): Promise<readonly Outcome<FileState | null, Refusal>[]> {
    const group = new SyncGroup(lot.length);
    return Promise.all(lot.map((write) => this.#writeInGroup(write, group)));
  }

  async #writeInGroup(write: FileWrite, group: SyncGroup): Promise<Outcome<FileState | null, Refusal>> {
    const member = group.join();
    try {
      return await this.#write(write, member);
    } finally {
      member.end();
    }
  }

  /** A file that holds `next` already was written by us before we were interrupted, or by somebody who agrees. */
  async #write({ path, expected, next }: FileWrite, syncing: Syncing): Promise<Outcome<FileState | null, Refusal>> {
    const { disk, content, live } = this.#parts;
    const bytes = next === null ? null : await content.get(next.content);
    if (bytes !== null && !bytes.ok) return failed({ code: 'unknown-content', content: next!.content });
    const file = bytes === null ? null : { bytes: bytes.value, mode: next!.mode };
    const options = { syncing, rescue: this.#rescue };
    const written = await disk.write(path, expected, file, (data) => content.idOf(data), options);
    if (written.ok) return ok(this.#stateOf(path, next, written.value.stat));
    if (written.error.code === 'conflict') {
      const { found, stat } = written.error;
      if (sameVersion(found, next)) return ok(this.#stateOf(path, next, stat));
      return failed({ code: 'moved', paths: [path], seq: live.log.last });
    }
    return failed(
      written.error.code === 'no-space'
        ? { code: 'no-space' }
        : { code: 'not-written', path, why: written.error.detail },
    );
  }

  /** What was not written yet holds what it shall hold, and what somebody else wrote is left to them. */
  async #takeBack({ writes, begunAtMs }: Intent): Promise<void> {
    const foldersSinceMs = begunAtMs === undefined ? Number.POSITIVE_INFINITY : begunAtMs - STAT_STEP_MS;
    const back = writes
      .filter(isReal)
      .map(({ path, expected, next }) => ({ path, expected: next, next: expected, foldersSinceMs }));
    await this.#inOrder(back, async (some) => {
      for (let at = 0; at < some.length; at += WRITES_AT_ONCE) {
        for (const outcome of await this.#writeTogether(some.slice(at, at + WRITES_AT_ONCE)))
          if (!outcome.ok && outcome.error.code !== 'moved') this.#tellNotBack(outcome.error);
      }
      return null;
    });
  }

  #tellNotBack(why: Refusal): void {
    const what = why.code === 'not-written' ? `${why.path}: ${why.why}` : why.code;
    this.#parts.remark(`a file that was written could not be put back (${what}); what it held is in the store`);
  }

  /** Somebody saved a file while we had the one before in our hands: theirs has the name, and this one is kept. */
  readonly #rescue: Rescue = {
    keep: async (path, { mode }, bytes) => {
      const content = await this.#parts.content.put(bytes);
      this.#rescued.push({ path, version: { content, mode, size: bytes.length } });
      return true;
    },
    left: (path, place) =>
      this.#parts.remark(`${path} was saved by somebody while it was written; what it held before is in ${place}`),
  };

  /** As the changes that they were: somebody wrote this, and then something else, which the next look will find. */
  async #recordRescued(): Promise<void> {
    const { live, known, content, remark } = this.#parts;
    for (const { path, version } of this.#rescued.splice(0)) {
      const before = versionOf(known.get(path));
      const state = this.#stateOf(path, version, null);
      if (state === null || sameVersion(before, version)) continue;
      const file: FileChange = { path, before, after: version, ...(await measure(content, before, version)) };
      const body = {
        kind: 'changed',
        author: NOBODY_KNOWN,
        evidence: 'unknown',
        cause: 'rescue',
        files: [file],
        ...this.#at,
      } as const;
      live.append([body], { files: [state], ...this.#at });
      known.set(state);
      remark(`${path} was saved twice while it was written; what was saved first is kept as ${version.content}`);
    }
  }

  /** Taking back mostly gives what was there before, and that is kept already. */
  async #store(fresh: readonly Uint8Array[]): Promise<void> {
    const { content } = this.#parts;
    if (fresh.length === 1) await content.put(fresh[0]!);
    if (fresh.length <= 1) return;
    const kept = await Promise.all(fresh.map((bytes) => content.has(content.idOf(bytes))));
    await content.putMany(fresh.filter((_, index) => kept[index] !== true));
  }

  #reading(fresh: readonly Uint8Array[]): Pick<ContentStore, 'get'> {
    const { content } = this.#parts;
    const atHand = new Map(fresh.map((bytes) => [content.idOf(bytes), bytes]));
    return {
      get: async (id) => {
        const bytes = atHand.get(id);
        return bytes === undefined ? content.get(id) : ok(bytes);
      },
    };
  }

  /** The stat is that of the moment of writing, which proves nothing later: the next look at the file reads it. */
  #stateOf(path: WorkspacePath, version: FileVersion | null, stat: FileStat | null): FileState | null {
    if (version === null) return null;
    const { mode, content, size } = version;
    const explicit = this.#parts.known.get(path)?.explicit ?? false;
    const { ctimeMs, ino } = stat ?? { ctimeMs: -1, ino: 0 };
    return { path, mode, content, size, mtimeMs: -1, ctimeMs, ino, kept: true, explicit };
  }
}

function isReal({ expected, next }: FileWrite): boolean {
  return !sameVersion(expected, next);
}
