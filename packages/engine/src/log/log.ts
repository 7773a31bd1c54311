import type {
  CallId,
  ContentId,
  FileMode,
  Operation,
  OperationBody,
  OperationKind,
  PlaceId,
  Seq,
  SessionId,
  WorkspacePath,
} from '@palimpsest/core';
import { filesAnywhere } from '@palimpsest/core';

/**
 * The history of one workspace, and beside it what is kept in the same store because it must become true together with
 * it, or be dropped with it. It is local and synchronous by design: whoever is elsewhere follows it by `read(since)`. Laws,
 * held by one suite for every implementation:
 * - what `append` returned is there after a crash; what it threw on is not there at all;
 * - seqs are assigned in one strictly increasing row and never used twice;
 * - an operation of a kind that this version does not know is returned as it was stored;
 * - a value that was handed in or out is a copy: changing it afterwards changes nothing here.
 *
 * Methods throw a `LogError` where the store cannot do what was asked.
 */
export interface Log {
  readonly last: Seq | 0;
  append(entry: LogEntry): readonly Operation[];
  /** The operations after `since`, oldest first. */
  read(since: Seq | 0, limit: number): readonly Operation[];
  get(seq: Seq): Operation | null;
  find(query: LogQuery): readonly Operation[];
  /** How many operations there are of each kind, also of kinds that this version does not know. */
  countKinds(): ReadonlyMap<string, number>;
  readonly files: FileTable;
  /** The same for a worktree. */
  filesAt(place: PlaceId): FileTable;
  readonly views: ViewCache;
  readonly marks: Marks;
  /**
   * Puts these operations in the place of those of the same seq and kind, drops the stored views, and leaves nothing of
   * the old ones, nor of anything else that was ever overwritten or removed, in the store's files. The one exception to
   * append-only: what must be forgotten.
   */
  redact(operations: readonly Operation[]): void;
  /** Twice is the same as once. Every other method throws `closed` afterwards. */
  close(): void;
}

/** The state of the files that the history stands for. It is changed by `append`, or as a whole. */
export interface FileTable {
  /** In no promised order. Files appended while iterating may or may not be seen; all others are seen exactly once. */
  all(): Iterable<FileState>;
  /**
   * Makes `states` the whole table, at one moment at the end; until then the old one stands, also after a crash. What is
   * appended meanwhile wins over `states`. The event loop is let go every few milliseconds, and then `giveWay` is waited
   * for.
   */
  replace(states: Iterable<FileState>, giveWay?: () => Promise<void>): Promise<void>;
}

/** Views as they were folded up to some operation; losing them costs time and nothing else. */
export interface ViewCache {
  /** Null when nothing is stored, or it is of another version or of a future that the log does not have. */
  load(name: string, version: number): StoredView | null;
  save(name: string, version: number, seq: Seq | 0, encoded: unknown): void;
}

/** Single values, such as what is just being written. */
export interface Marks {
  get(key: string): string | null;
  set(key: string, value: string): void;
}

/** One transaction: the operations and what they mean for the known files become true together. */
export type LogEntry = {
  readonly bodies: readonly OperationBody[];
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly files?: readonly FileState[];
  readonly gone?: readonly WorkspacePath[];
  /** Whose files these are; without it, the workspace's own. */
  readonly place?: PlaceId;
};

/** All given conditions hold together. Both bounds are excluded themselves. */
export type LogQuery = {
  readonly kinds?: readonly OperationKind[];
  readonly session?: SessionId;
  readonly call?: CallId;
  /** Operations that changed or showed this file, or moved it away. */
  readonly path?: WorkspacePath;
  readonly since?: Seq | 0;
  readonly before?: Seq;
  readonly limit?: number;
  readonly newestFirst?: boolean;
};

/** What we last knew of a file on disk; equal stat values spare us from reading it again. */
export type FileState = {
  readonly path: WorkspacePath;
  readonly mode: FileMode;
  readonly content: ContentId;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  /** The bytes are in our own store. */
  readonly kept: boolean;
  /** A tool named the file, so it is covered whatever the ignore rules say. */
  readonly explicit: boolean;
  /** The bytes are only in the user's object store as yet. */
  readonly borrowed?: boolean;
};

export type StoredView = { readonly seq: Seq | 0; readonly encoded: unknown };

/**
 * - `no-space`: the disk is full. Nothing of the entry was kept; the same call works again when there is space.
 * - `damaged`: the stored bytes are not what was written.
 * - `busy`: another process held the database for longer than the timeout.
 * - `closed`: the log was closed.
 * - `io`: the disk or the file system failed in another way.
 */
export type LogErrorCode = 'no-space' | 'damaged' | 'busy' | 'closed' | 'io';

export class LogError extends Error {
  override readonly name = 'LogError';
  readonly code: LogErrorCode;

  constructor(code: LogErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** The paths under which `find` finds an operation. */
export function pathsOf(operation: OperationBody): ReadonlySet<WorkspacePath> {
  const paths = new Set<WorkspacePath>();
  for (const file of filesAnywhere(operation)) {
    paths.add(file.path);
    if (file.fromPath !== undefined) paths.add(file.fromPath);
  }
  if ('switched' in operation) for (const path of operation.switched?.unchanged ?? []) paths.add(path);
  if (operation.kind === 'shown') for (const file of operation.files) paths.add(file.path);
  return paths;
}

/** A time that cannot be stored or compared is a bug of the caller. */
export function checkTime(at: number): void {
  if (!Number.isFinite(at)) throw new TypeError(`not a time in milliseconds: ${at}`);
}
