import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  openSync,
  type Stats,
  symlinkSync,
  write,
  writeFileSync,
} from 'node:fs';
import { promisify } from 'node:util';
import type { NextFile } from './disk.js';
import { errorCode } from './stat.js';
import type { Syncing } from './sync-group.js';

/*
 * Opening, naming and writing little goes to the page cache and takes microseconds, less than handing it to another
 * thread; only what waits for the disk, syncing and large writes, leaves the main thread.
 */

/** Writes a file beside the one that it shall become, with the bits of the one that it replaces. */
export async function writeTemporary(
  place: string,
  next: NextFile,
  existing: Stats | null,
  syncing: Syncing,
): Promise<void> {
  if (next.mode === '120000') return symlinkSync(Buffer.from(next.bytes), place);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  // A new file gets what the user's umask says; one that replaces stays closed until it has the old one's bits.
  const executable = next.mode === '100755';
  const fd = openSync(place, flags, existing?.isFile() ? 0o600 : executable ? 0o777 : 0o666);
  try {
    if (next.bytes.byteLength <= INLINE_BYTES) writeFileSync(fd, next.bytes);
    else await writeAll(fd, next.bytes);
    if (existing?.isFile()) keepOwnership(fd, existing, executable ? 'executable' : 'plain');
    await syncing.file(fd);
  } finally {
    closeSync(fd);
  }
}

const INLINE_BYTES = 64 * 1024;

async function writeAll(fd: number, bytes: Uint8Array): Promise<void> {
  const writeSome = promisify(write);
  for (let at = 0; at < bytes.byteLength; )
    at += (await writeSome(fd, bytes, at, bytes.byteLength - at, null)).bytesWritten;
}

function keepOwnership(fd: number, existing: Stats, kind: 'executable' | 'plain'): void {
  const own = fstatSync(fd);
  if (own.uid !== existing.uid || own.gid !== existing.gid) {
    try {
      fchownSync(fd, existing.uid, existing.gid);
    } catch (error) {
      // Only root may give files away; for anybody else the file becomes the writer's, as with every editor.
      if (errorCode(error) !== 'EPERM') throw error;
    }
  }
  fchmodSync(fd, permissions(existing.mode & 0o7777, kind));
}

/** Whoever may read may execute, as git does it; bits that already say the right thing stay exactly as they are. */
function permissions(existing: number, kind: 'executable' | 'plain'): number {
  const isExecutable = (existing & 0o100) !== 0;
  if (kind === 'plain') return isExecutable ? existing & ~0o111 : existing;
  return isExecutable ? existing : existing | ((existing & 0o444) >> 2);
}
