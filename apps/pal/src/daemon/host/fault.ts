import { existsSync } from 'node:fs';
import type { OpenRefusal, Refusal } from '@palimpsest/engine';
import type { KnownRefusal, RefusalCode } from '@palimpsest/protocol';
import { errorCode } from '../../surroundings/error-code.js';

/**
 * The refusal that a thrown error amounts to, where it is the world's fault: a full disk, a damaged store, our data taken
 * from under us. A bug of ours is `internal`.
 */
export function refusalOfFault(error: unknown, dataDir: string): KnownRefusal {
  const known = refusalByCode(error);
  if (known !== null) return known;
  return existsSync(dataDir) ? { code: 'internal' } : { code: 'io', why: `the data directory ${dataDir} is gone` };
}

function refusalByCode(error: unknown): KnownRefusal | null {
  switch (errorCode(error)) {
    case 'no-space':
    case 'ENOSPC':
    case 'EDQUOT':
      return { code: 'no-space' };
    case 'damaged':
      return { code: 'damaged', what: 'the log of this workspace' };
    case 'busy':
      return { code: 'busy' };
    case 'closed':
      return { code: 'closed' };
    case 'io':
    case 'EIO':
    case 'EROFS':
    case 'EACCES':
    case 'EMFILE':
    case 'ENFILE':
      return { code: 'io', why: (error as Error).message };
    default:
      return null;
  }
}

/** What the daemon itself refuses with, beside the engine. */
type OwnCode =
  | 'ambiguous-session'
  | 'busy'
  | 'has-worktrees'
  | 'internal'
  | 'no-such-route'
  | 'not-installed'
  | 'not-json'
  | 'stopping'
  | 'too-wide'
  | 'unknown-workspace'
  | 'wrong-origin';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Does not compile unless the protocol's table of refusals names exactly those that there are. */
true satisfies Same<RefusalCode, OwnCode | Refusal['code'] | OpenRefusal['code']>;
