import type { ContentId, FileMode, FileVersion, Outcome, WorkspacePath } from '@palimpsest/core';
import type { DiskError } from './disk-error.js';
import type { FileStat } from './stat.js';
import type { Syncing } from './sync-group.js';

/**
 * The only way to the user's files. Nothing else of ours opens, writes or removes one. Paths are real locations: below a
 * symlink there is nothing, wherever it leads.
 */
export interface Disk {
  /** Null when no file or symlink that can be read is there. `statPaths` tells the cases apart. */
  stat(path: WorkspacePath): FileStat | null;
  /** Bytes that belong to the stat they come with, also while somebody writes. A symlink's bytes are its target. */
  read(path: WorkspacePath): Promise<Outcome<FileRead, DiskError>>;
  /** The content id of a file of any size, without holding its bytes. */
  identify(path: WorkspacePath): Promise<Outcome<FileIdentity, DiskError>>;
  /**
   * Replaces `expected` by `next`, or does nothing at all. Null stands for no file: it creates, or deletes. The write
   * survives a crash once it has answered. What somebody saves there meanwhile is never removed: it stays, or gets its
   * name back, or is rescued.
   */
  write(
    path: WorkspacePath,
    expected: ExpectedFile | null,
    next: NextFile | null,
    hash: ContentHash,
    options?: WriteOptions,
  ): Promise<Outcome<Written, WriteConflict | DiskError>>;
  /** Removes folders above files that are gone, where they became empty. Says which. */
  removeEmptyFolders(above: Iterable<RemovedFile>): readonly WorkspacePath[];
  /**
   * Clears up what a write of ours that was killed left beside these files: what was moved aside gets its name back, or is
   * rescued unless it `isKept`. Nothing of ours may be writing there.
   */
  clearLeftovers(paths: Iterable<WorkspacePath>, leftovers: Leftovers): Promise<void>;
}

type FileRead = { readonly stat: FileStat; readonly bytes: Uint8Array; readonly mode: FileMode };
type FileIdentity = { readonly stat: FileStat; readonly content: ContentId; readonly mode: FileMode };

export type ExpectedFile = Pick<FileVersion, 'content' | 'mode'>;
export type NextFile = { readonly bytes: Uint8Array; readonly mode: FileMode };
export type ContentHash = (bytes: Uint8Array) => ContentId;

export type WriteOptions = {
  /** With others that are written at the same time; alone by default. */
  readonly syncing?: Syncing;
  /** Without it such bytes stay beside the file, under a name of ours. */
  readonly rescue?: Rescue;
};

/** For bytes that lost their name to another file while we had moved them aside. */
export type Rescue = {
  /** True when they are safe elsewhere and can go. */
  keep(path: WorkspacePath, version: ExpectedFile, bytes: Uint8Array): Promise<boolean>;
  /** They could not be kept, and were left at `place`. */
  left(path: WorkspacePath, place: WorkspacePath): void;
};

export type RemovedFile = {
  readonly path: WorkspacePath;
  /** Only folders made since then, in ms since the epoch. One whose age the disk does not know counts as old. */
  readonly foldersSinceMs?: number;
};

export type Leftovers = {
  readonly hash: ContentHash;
  readonly isKept: (content: ContentId) => Promise<boolean>;
  readonly rescue: Rescue;
};

export type Written = {
  /** As it was right after the write, and too young to prove anything. Null after a deletion. */
  readonly stat: FileStat | null;
  /** Folders that had to be made, outermost first. */
  readonly madeFolders: readonly WorkspacePath[];
};

/** The file is not what the caller thought it was; it was left as it is. */
export type WriteConflict = {
  readonly code: 'conflict';
  readonly path: WorkspacePath;
  readonly found: ExpectedFile | null;
  /** The stat that belongs to what was found. */
  readonly stat: FileStat | null;
};
