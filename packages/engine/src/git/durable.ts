import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  promises as fs,
  fstatSync,
  fsync,
  openSync,
  readFileSync,
  rmSync,
  type Stats,
  write,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/*
 * Opening, naming and writing little goes to the page cache and takes microseconds, less than handing it to another
 * thread; only what waits for the disk, syncing and large writes, leaves the main thread.
 */

/** `full`: what was acknowledged survives a power cut. `lazy`: it survives the death of the process. */
export type Durability = 'full' | 'lazy';

const INLINE_WRITE_BYTES = 64 * 1024;
const fsyncOf = promisify(fsync);

/** Leftovers of a killed writer are removed when they are older than any write can take. */
export const TEMP_AGE_LIMIT_MS = 60 * 60 * 1000;
/** Git's own sweeping knows this prefix, and its fsck ignores it. */
export const TEMP_OBJECT_PREFIX = 'tmp_obj_';

/** A name that says whose it is, so that a later process can tell a live writer's file from a dead one's. */
export function tempName(): string {
  return `${TEMP_OBJECT_PREFIX}${process.pid}_${randomBytes(6).toString('hex')}`;
}

/** True when the process that chose a `tempName` is gone. */
export function isAbandoned(name: string): boolean {
  const pid = Number(name.slice(TEMP_OBJECT_PREFIX.length).match(/^(\d+)_/)?.[1] ?? 0);
  if (pid === process.pid || pid === 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

/** Writes a new file; when it resolves, all bytes are there. After a failure nothing is left of it. */
export async function writeTemp(
  path: string,
  bytes: Uint8Array,
  { durability, mode }: { readonly durability: Durability; readonly mode: number },
): Promise<void> {
  const fd = openSync(path, 'wx', mode);
  try {
    if (bytes.byteLength <= INLINE_WRITE_BYTES) writeFileSync(fd, bytes);
    else await writeAll(fd, bytes);
    if (durability === 'full') await fsyncOf(fd);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** Replaces a small file in one step. */
export async function replaceFile(path: string, text: string, durability: Durability): Promise<void> {
  const temp = join(dirname(path), tempName());
  await writeTemp(temp, Buffer.from(text), { durability, mode: 0o600 });
  await fs.rename(temp, path);
  if (durability === 'full') await syncPath(dirname(path));
}

/** Makes the names in a directory, or the bytes of a file, survive a power cut. */
export async function syncPath(path: string): Promise<void> {
  // Windows has no way to sync a directory; its file system journals names by itself.
  if (process.platform === 'win32') return;
  const fd = openSync(path, 'r');
  try {
    await fsyncOf(fd);
  } finally {
    closeSync(fd);
  }
}

export type SmallFile =
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

/** The same for what is asked at every turn and is a line long: waiting for another thread would cost more. */
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
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return { kind: 'absent' };
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

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The names in a directory; none when it is not there. */
export async function listNames(directory: string): Promise<readonly string[]> {
  try {
    return await fs.readdir(directory);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}

async function writeAll(fd: number, bytes: Uint8Array): Promise<void> {
  const writeSome = promisify(write);
  for (let at = 0; at < bytes.byteLength; )
    at += (await writeSome(fd, bytes, at, bytes.byteLength - at, null)).bytesWritten;
}
