import type { KnownRefusal } from '@palimpsest/protocol';

/**
 * The refusal that a thrown error amounts to, where it is the world's fault: a full disk, a damaged store. Null for a
 * bug of ours.
 */
export function refusalOfFault(error: unknown): KnownRefusal | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  switch (error.code) {
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
      return { code: 'io', why: error.message };
    default:
      return null;
  }
}
