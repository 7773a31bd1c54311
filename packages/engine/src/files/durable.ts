import { randomBytes } from 'node:crypto';
import { closeSync, promises as fs, fsync, openSync, readdirSync, rmSync, write, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { errorCode, isAbsence } from './system-error.js';

/*
 * Opening, naming, listing and writing little goes to the page cache and takes microseconds, less than handing it to another
 * thread; only what waits for the disk, syncing and large writes, leaves the main thread.
 */

/** `full`: what was acknowledged survives a power cut. `lazy`: it survives the death of the process. */
export type Durability = 'full' | 'lazy';

const INLINE_WRITE_BYTES = 64 * 1024;

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
  return pid !== 0 && !isRunning(pid);
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Any other error says that it is there and belongs to someone else.
    return errorCode(error) !== 'ESRCH';
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
    await writeBytes(fd, bytes);
    if (durability === 'full') await syncDescriptor(fd);
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
    await syncDescriptor(fd);
  } finally {
    closeSync(fd);
  }
}

export const syncDescriptor: (fd: number) => Promise<void> = promisify(fsync);

export async function writeBytes(fd: number, bytes: Uint8Array): Promise<void> {
  if (bytes.byteLength <= INLINE_WRITE_BYTES) return writeFileSync(fd, bytes);
  for (let at = 0; at < bytes.byteLength; )
    at += (await writeSome(fd, bytes, at, bytes.byteLength - at, null)).bytesWritten;
}

const writeSome = promisify(write);

/** The names in a directory; none when it is not there. A store has hundreds of them, so others get a turn after each. */
export async function listNames(directory: string): Promise<readonly string[]> {
  await nextTurn();
  try {
    return readdirSync(directory);
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}
