import type { FileMode } from '../file.js';
import type { LineSpan } from './span.js';

/** What a patch says about one file. Paths are as written, less git's `a/` and `b/`: untrusted, to be parsed by the caller. */
export interface FilePatch {
  readonly kind: 'modify' | 'create' | 'delete' | 'rename' | 'copy';
  /** Null for a created file. */
  readonly oldPath: string | null;
  /** Null for a deleted file. */
  readonly newPath: string | null;
  readonly oldMode?: FileMode;
  readonly newMode?: FileMode;
  /** The patch says that bytes differ and does not say how in lines. */
  readonly binary: boolean;
  readonly hunks: readonly PatchHunk[];
}

export interface PatchHunk extends LineSpan {
  readonly lines: readonly PatchLine[];
}

export interface PatchLine {
  readonly kind: 'context' | 'removed' | 'added';
  /** With its terminator, which only the last line of a text may lack. */
  readonly bytes: Uint8Array;
}
