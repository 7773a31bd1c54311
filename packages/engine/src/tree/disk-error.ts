import type { WorkspacePath } from '@palimpsest/core';
import type { DiskError, DiskErrorCode } from './disk.js';
import { errorCode } from './stat.js';

export function diskError(path: WorkspacePath, error: unknown): DiskError {
  if (error instanceof Refusal) return { code: error.code, path, detail: error.message };
  const detail = error instanceof Error ? error.message : String(error);
  return { code: CODES[errorCode(error)] ?? 'io', path, detail };
}

/** Carries an expected refusal out of nested steps to the one place that turns it into a value. */
export class Refusal extends Error {
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
