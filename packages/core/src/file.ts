import type { ContentId } from './ids.js';
import type { WorkspacePath } from './path.js';
import type { LineSpan } from './span.js';

/** Git's modes for the three kinds of file that a tree can hold. */
export type FileMode = '100644' | '100755' | '120000';

/** One state of one file. */
export type FileVersion = {
  readonly content: ContentId;
  readonly mode: FileMode;
  readonly size: number;
};

/**
 * What happened to one file. Exactly one of `before` and `after` may be null. With `fromPath` neither is, but where a
 * decision brings back a removed file by a name that it had before the one it was removed under: then `before` is null.
 */
export type FileChange = {
  readonly path: WorkspacePath;
  readonly fromPath?: WorkspacePath;
  readonly before: FileVersion | null;
  readonly after: FileVersion | null;
  readonly binary: boolean;
  /** False when the bytes were too large to keep, so that the change can be seen but not taken back. */
  readonly reversible: boolean;
  readonly spans: readonly LineSpan[];
};

type ChangeKind = 'create' | 'modify' | 'delete' | 'rename';

export function kindOfChange(change: FileChange): ChangeKind {
  if (change.before === null) return 'create';
  if (change.after === null) return 'delete';
  return change.fromPath === undefined ? 'modify' : 'rename';
}

/** Whether two files hold the same. The size follows from the content, so it need not be known. */
export function sameVersion(
  a: Pick<FileVersion, 'content' | 'mode'> | null,
  b: Pick<FileVersion, 'content' | 'mode'> | null,
): boolean {
  if (a === null || b === null) return a === b;
  return a.content === b.content && a.mode === b.mode;
}
