import type { ContentId, FileMode, FileVersion, Outcome, WorkspacePath } from '@palimpsest/core';
import type { FileStat } from './stat.js';
import type { Syncing } from './sync-group.js';

/**
 * The door to the user's files. Nothing else of ours opens, writes or removes one. Paths are real locations: below a
 * symlink there is nothing, except for a write, which goes where the link leads if that is inside the workspace.
 */
export interface Disk {
  /** Null when no file or symlink that can be read is there. `statPaths` tells the cases apart. */
  stat(path: WorkspacePath): FileStat | null;
  /** Bytes that belong to the stat they come with, also while somebody writes. A symlink's bytes are its target. */
  read(path: WorkspacePath): Promise<Outcome<FileRead, DiskError>>;
  /** The content id of a file of any size, without holding its bytes. */
  identify(path: WorkspacePath): Promise<Outcome<FileIdentity, DiskError>>;
  /**
   * Replaces `expected` by `next`, or does nothing at all. Null stands for no file: it creates, or deletes. The write is
   * atomic and survives a crash once it has answered.
   */
  write(
    path: WorkspacePath,
    expected: ExpectedFile | null,
    next: NextFile | null,
    hash: ContentHash,
    options?: WriteOptions,
  ): Promise<Outcome<Written, WriteConflict | DiskError>>;
  /** Removes what a write of ours that was killed left beside these files. Nothing may be writing there. */
  clearLeftovers(paths: Iterable<WorkspacePath>): void;
}

export type FileRead = { readonly stat: FileStat; readonly bytes: Uint8Array; readonly mode: FileMode };
export type FileIdentity = { readonly stat: FileStat; readonly content: ContentId; readonly mode: FileMode };

export type ExpectedFile = Pick<FileVersion, 'content' | 'mode'>;
export type NextFile = { readonly bytes: Uint8Array; readonly mode: FileMode };
export type ContentHash = (bytes: Uint8Array) => ContentId;

export type WriteOptions = {
  /** With others that are written at the same time; alone by default. */
  readonly syncing?: Syncing;
  /** After a deletion: also remove the folders above that it left empty. They stay by default. */
  readonly emptyParents?: 'keep' | 'remove';
  /** Only folders made since then, in ms since the epoch. One whose age the disk does not know counts as old. */
  readonly foldersSinceMs?: number;
};

export type Written = {
  /** Null after a deletion. */
  readonly stat: FileStat | null;
  /** Folders that had to be made, outermost first. */
  readonly madeFolders: readonly WorkspacePath[];
  /** Folders that were removed because they had become empty, innermost first. */
  readonly removedFolders: readonly WorkspacePath[];
};

/** The file is not what the caller thought it was; it was left as it is. */
export type WriteConflict = {
  readonly code: 'conflict';
  readonly path: WorkspacePath;
  readonly found: ExpectedFile | null;
};

export type DiskErrorCode =
  | 'missing'
  /** A link on the way leads out of the workspace. */
  | 'outside'
  /** Git's own data, which is not ours to write. */
  | 'git-internal'
  | 'is-folder'
  | 'not-a-folder'
  /** A socket, pipe or device. */
  | 'special'
  | 'denied'
  | 'no-space'
  | 'loop'
  | 'name-too-long'
  | 'too-large'
  /** It kept moving while it was read. */
  | 'unstable'
  | 'io';

/** `detail` is what the system said, for a log or a curious person. */
export type DiskError = { readonly code: DiskErrorCode; readonly path: WorkspacePath; readonly detail: string };
