import {
  type FileChange,
  type FileVersion,
  failed,
  type Operation,
  type OperationBody,
  type Outcome,
  ok,
  type Seq,
  sameVersion,
  type WorkspacePath,
} from '@palimpsest/core';
import type { ContentStore } from './content/content.js';
import type { Journal } from './journal.js';
import type { KnownTree } from './known-tree.js';
import type { FileState } from './log/log.js';
import { measure } from './measure.js';
import type { Refusal } from './refusal.js';
import type { Disk } from './tree/disk.js';
import { statIsProof } from './tree/stat.js';
import { SyncGroup, type Syncing } from './tree/sync-group.js';

/** One file to be replaced: what must be there now, and what shall be. Null is no file. */
export type FileWrite = {
  readonly path: WorkspacePath;
  readonly expected: FileVersion | null;
  readonly next: FileVersion | null;
  /** The file comes from there: another of the writes takes it away at that path, and the log calls both a rename. */
  readonly movedFrom?: WorkspacePath;
  /** With a deletion: folders above that it leaves empty go too if they are younger than this, in ms since the epoch. */
  readonly foldersSinceMs?: number;
};

/** What the log shall say about it; `files` is filled in with what was written. */
export type WritingBody = Extract<OperationBody, { readonly kind: 'decided' | 'resolved' | 'restored' | 'undone' }>;

export type WriterParts = {
  readonly disk: Disk;
  readonly content: ContentStore;
  readonly known: KnownTree;
  readonly journal: Journal;
};

const INTENT = 'writing';
/** `after`: the last operation before it. One of the same kind that came later is the one intended, since nothing else runs. */
type Intent = { readonly writes: readonly FileWrite[]; readonly body: WritingBody; readonly after: Seq | 0 };
/** Files that are written together, and wait for the disk together. */
const WRITES_AT_ONCE = 256;

/**
 * Writes into the user's files: all of it, or none. The intent is durable before the first byte, so that whatever
 * interrupts us, the next open finishes it or takes it back. A file that is not what the plan expects stops everything,
 * and what was written before it is put back.
 *
 * Runs inside the workspace's queue, after a look at the world.
 */
export class Writer {
  readonly #parts: WriterParts;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  /** `contents`: some that may not be stored yet. They are, before anything is written. */
  async apply(
    writes: readonly FileWrite[],
    body: WritingBody,
    contents: readonly (Uint8Array | null)[] = [],
  ): Promise<Outcome<Operation, Refusal>> {
    const fresh = contents.filter((bytes) => bytes !== null);
    const real = writes.filter(({ expected, next }) => !sameVersion(expected, next));
    // Storing waits for the disk, and measuring for nobody.
    const [files] = await Promise.all([this.#changes(real, this.#reading(fresh)), this.#store(fresh)]);
    for (const { next } of real) {
      if (next !== null && !(await this.#parts.content.has(next.content))) {
        return failed({ code: 'unknown-content', content: next.content });
      }
    }
    const { log } = this.#parts.journal;
    const intent: Intent = { writes: real, body, after: log.last };
    if (real.length > 0) log.setMeta(INTENT, JSON.stringify(intent));
    return this.#carryOut(real, { ...body, files });
  }

  /** Finishes what an earlier process began, or takes it back where the world moved on. Says which, or null. */
  async recover(): Promise<'finished' | 'taken-back' | null> {
    const { log } = this.#parts.journal;
    const stored = log.meta(INTENT);
    if (stored === null || stored === '') return null;
    const { writes, body, after } = JSON.parse(stored) as Intent;
    if (log.find({ kinds: [body.kind], since: after, limit: 1 }).length > 0) {
      // Everything was done and said; only the intent was left standing.
      log.setMeta(INTENT, '');
      return 'finished';
    }
    this.#parts.disk.clearLeftovers(writes.map(({ path }) => path));
    const files = await this.#changes(writes, this.#parts.content);
    const done = await this.#carryOut(writes, { ...body, files });
    return done.ok ? 'finished' : 'taken-back';
  }

  async #carryOut(writes: readonly FileWrite[], body: WritingBody): Promise<Outcome<Operation, Refusal>> {
    const { journal, known } = this.#parts;
    const states: FileState[] = [];
    // Removals first, so that a file can take the place of a folder and the other way round.
    const ordered = [...writes.filter(({ next }) => next === null), ...writes.filter(({ next }) => next !== null)];
    const removals = ordered.findIndex(({ next }) => next !== null);
    const refused =
      (await this.#writeAll(ordered.slice(0, removals < 0 ? ordered.length : removals), states)) ??
      (await this.#writeAll(removals < 0 ? [] : ordered.slice(removals), states));
    if (refused !== null) {
      await this.#takeBack(ordered);
      journal.log.setMeta(INTENT, '');
      return failed(refused);
    }
    const gone = writes.filter(({ next }) => next === null).map(({ path }) => path);
    const operation = await this.#say(body, states, gone, ordered);
    for (const state of states) known.set(state);
    for (const path of gone) known.delete(path);
    if (writes.length > 0) journal.log.setMeta(INTENT, '');
    return ok(operation);
  }

  /** What cannot be logged must not stand in the files: the next look would take it for a person's doing. */
  async #say(
    body: WritingBody,
    states: readonly FileState[],
    gone: readonly WorkspacePath[],
    writes: readonly FileWrite[],
  ): Promise<Operation> {
    const { journal } = this.#parts;
    try {
      return journal.append([body], states, gone)[0]!;
    } catch (error) {
      await this.#takeBack(writes);
      journal.log.setMeta(INTENT, '');
      throw error;
    }
  }

  /** Writes that do not depend on each other, some at a time; stops at the first that is refused. */
  async #writeAll(writes: readonly FileWrite[], states: FileState[]): Promise<Refusal | null> {
    for (let at = 0; at < writes.length; at += WRITES_AT_ONCE) {
      const lot = writes.slice(at, at + WRITES_AT_ONCE);
      const group = new SyncGroup(lot.length);
      const outcomes = await Promise.all(lot.map((write) => this.#writeInGroup(write, group)));
      for (const outcome of outcomes) {
        if (!outcome.ok) return outcome.error;
        if (outcome.value !== null) states.push(outcome.value);
      }
    }
    return null;
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
  async #write(
    { path, expected, next, foldersSinceMs }: FileWrite,
    syncing?: Syncing,
  ): Promise<Outcome<FileState | null, Refusal>> {
    const { disk, content, journal } = this.#parts;
    const bytes = next === null ? null : await content.get(next.content);
    if (bytes !== null && !bytes.ok) return failed({ code: 'unknown-content', content: next!.content });
    const file = bytes === null ? null : { bytes: bytes.value, mode: next!.mode };
    const written = await disk.write(path, expected, file, (data) => content.idOf(data), {
      emptyParents: 'remove',
      ...(syncing === undefined ? {} : { syncing }),
      ...(foldersSinceMs === undefined ? {} : { foldersSinceMs }),
    });
    if (written.ok) return ok(this.#stateOf(path, next, written.value.stat));
    if (written.error.code === 'conflict') {
      const { found } = written.error;
      const agrees =
        next === null ? found === null : found !== null && found.content === next.content && found.mode === next.mode;
      if (agrees) return ok(this.#stateOf(path, next, disk.stat(path)));
      return failed({ code: 'moved', paths: [path], seq: journal.log.last });
    }
    return failed(
      written.error.code === 'no-space'
        ? { code: 'no-space' }
        : { code: 'not-written', path, why: written.error.detail },
    );
  }

  /** What was not written yet holds what it shall hold, and what somebody else wrote is left to them. */
  async #takeBack(writes: readonly FileWrite[]): Promise<void> {
    for (const { path, expected, next } of [...writes].reverse())
      await this.#write({ path, expected: next, next: expected });
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

  async #changes(writes: readonly FileWrite[], content: Pick<ContentStore, 'get'>): Promise<readonly FileChange[]> {
    const changes: FileChange[] = [];
    const sources = new Map(writes.map((write) => [write.path, write.expected]));
    const moved = new Set(writes.map((write) => write.movedFrom));
    for (const { path, expected, next, movedFrom } of writes) {
      if (moved.has(path)) continue;
      const before = movedFrom === undefined ? expected : (sources.get(movedFrom) ?? null);
      const change = { path, before, after: next, ...(await measure(content, before, next)) };
      changes.push(movedFrom === undefined ? change : { ...change, fromPath: movedFrom });
    }
    return changes;
  }

  #stateOf(path: WorkspacePath, next: FileVersion | null, stat: ReturnType<Disk['stat']>): FileState | null {
    if (next === null || stat === null) return null;
    const explicit = this.#parts.known.get(path)?.explicit ?? false;
    const mtimeMs = statIsProof(stat, Date.now()) ? stat.mtimeMs : -1;
    return {
      path,
      mode: next.mode,
      content: next.content,
      size: stat.size,
      mtimeMs,
      ctimeMs: stat.ctimeMs,
      ino: stat.ino,
      kept: true,
      explicit,
    };
  }
}
