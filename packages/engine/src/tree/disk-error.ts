import { parentOf, type WorkspacePath } from '@palimpsest/core';
import { errorCode } from '../files/system-error.js';

type DiskErrorCode =
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

export function diskError(path: WorkspacePath, error: unknown): DiskError {
  if (error instanceof DiskRefusal) return { code: error.code, path, detail: error.message };
  const said = error instanceof Error ? error.message : String(error);
  // What was done through an open folder is told by the path that people know.
  const detail = said.replaceAll(THROUGH_OPEN_FOLDER, parentOf(path) ?? '.');
  return { code: CODES[errorCode(error)] ?? 'io', path, detail };
}

const THROUGH_OPEN_FOLDER = /\/proc\/self\/fd\/\d+/g;

/** Carries an expected refusal out of nested steps to the one place that turns it into a value. */
export class DiskRefusal extends Error {
  readonly code: DiskErrorCode;

  constructor(code: DiskErrorCode, detail: string) {
    super(detail);
    this.code = code;
  }
}

const CODES: Readonly<Record<string, DiskErrorCode>> = {
  ENOENT: 'missing',
  EISDIR: 'is-folder',
  ENOTDIR: 'not-a-folder',
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'denied',
  ENOSPC: 'no-space',
  EDQUOT: 'no-space',
  ELOOP: 'loop',
  ENAMETOOLONG: 'name-too-long',
  EFBIG: 'too-large',
  ERR_FS_FILE_TOO_LARGE: 'too-large',
};
