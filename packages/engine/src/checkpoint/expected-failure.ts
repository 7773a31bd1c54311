import type { Refusal } from '../basis/refusal.js';
import { errorCode } from '../files/system-error.js';
import { GitFailure } from '../git/run.js';
import { LogError } from '../log/log.js';
import { DamagedCheckpoint } from './tree-reader.js';

/** A full disk and a damaged store are the world's doing, and an answer; anything else that is thrown is a bug of ours. */
export function expectedFailure(error: unknown): Refusal | null {
  if (error instanceof DamagedCheckpoint) return { code: 'damaged', what: error.message };
  if (error instanceof GitFailure && error.error.code === 'git-killed' && error.error.why === 'cancelled')
    return { code: 'closed' };
  // Git says it in its own words only.
  const isGitFull = error instanceof GitFailure && /No space left|Disk quota exceeded/.test(error.message);
  const isFull = isGitFull || errorCode(error) === 'ENOSPC' || (error instanceof LogError && error.code === 'no-space');
  return isFull ? { code: 'no-space' } : null;
}
