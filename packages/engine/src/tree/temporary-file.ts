import { closeSync, constants, fchmodSync, fchownSync, fstatSync, openSync, type Stats, symlinkSync } from 'node:fs';
import { writeBytes } from '../files/durable.js';
import { errorCode } from '../files/system-error.js';
import type { NextFile } from './disk.js';
import type { Syncing } from './sync-group.js';

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
    await writeBytes(fd, next.bytes);
    if (existing?.isFile()) keepOwnership(fd, existing, executable ? 'executable' : 'plain');
    await syncing.file(fd);
  } finally {
    closeSync(fd);
  }
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
