import type { FileVersion, WorkspacePath } from '@palimpsest/core';

/** One file to be replaced: what must be there now, and what shall be. Null is no file. */
export type FileWrite = {
  readonly path: WorkspacePath;
  readonly expected: FileVersion | null;
  readonly next: FileVersion | null;
  /**
   * The file comes from there: another of the writes takes it away at that path, and the log calls both a rename. Or it
   * went by that name when it was removed, and comes back by another.
   */
  readonly movedFrom?: WorkspacePath;
  /** With a deletion: folders above that it leaves empty go too, if they are younger than this, in ms since the epoch. */
  readonly foldersSinceMs?: number;
};
