import { closeSync, constants, promises as fs, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { errorCode, isAbsence } from '../files/system-error.js';

type SmallFile =
  | { readonly kind: 'read'; readonly bytes: Buffer; readonly mtimeMs: number }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly why: 'not-a-file' | 'too-large' | 'unreadable' };

/**
 * Reads a regular file up to a limit. In a repository that is not ours any name may be a pipe, a device or a huge
 * file; none of them may hang us or fill memory.
 */
export async function readBounded(path: string, limitBytes: number): Promise<SmallFile> {
  try {
    const handle = await fs.open(path, READ_WITHOUT_WAITING);
    try {
      const stat = await handle.stat();
      return refusalOf(stat, limitBytes) ?? { kind: 'read', bytes: await handle.readFile(), mtimeMs: stat.mtimeMs };
    } finally {
      await handle.close();
    }
  } catch (error) {
    return unreadable(error);
  }
}

/** The same for what every tool call asks twice and is a line long: handing it to the thread pool would cost more. */
export function readBoundedNow(path: string, limitBytes: number): SmallFile {
  try {
    const fd = openSync(path, READ_WITHOUT_WAITING);
    try {
      const stat = fstatSync(fd);
      return refusalOf(stat, limitBytes) ?? { kind: 'read', bytes: readFileSync(fd), mtimeMs: stat.mtimeMs };
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    return unreadable(error);
  }
}

const READ_WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

function refusalOf(stat: Stats, limitBytes: number): SmallFile | null {
  if (!stat.isFile()) return { kind: 'refused', why: 'not-a-file' };
  return stat.size > limitBytes ? { kind: 'refused', why: 'too-large' } : null;
}

/** Throws what is not about this file. */
function unreadable(error: unknown): SmallFile {
  if (isAbsence(error)) return { kind: 'absent' };
  switch (errorCode(error)) {
    case 'EISDIR':
      return { kind: 'refused', why: 'not-a-file' };
    case 'EACCES':
    case 'EPERM':
    case 'ELOOP':
    case 'ENAMETOOLONG':
    case 'ENXIO':
      return { kind: 'refused', why: 'unreadable' };
    default:
      throw error;
  }
}

/** More than any file holds whose whole content is one line. */
export const SMALL_FILE_LIMIT_BYTES = 64 * 1024;

/** By hand: a pattern for it would try again at each of a million line ends that somebody put in the middle. */
export function withoutLineEnds(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === '\n' || text[end - 1] === '\r')) end -= 1;
  return text.slice(0, end);
}
