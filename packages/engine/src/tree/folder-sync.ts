import { closeSync, constants, fsync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { errorCode } from './stat.js';

type Syncing = { readonly running: Promise<void>; next: Promise<void> | null };

const syncing = new Map<string, Syncing>();
const fsyncOf = promisify(fsync);

/**
 * Makes the names in a folder survive a crash; without it one could forget the new name although the bytes are safe.
 * Whoever comes while the folder is being synced waits for the next time, together with all who come until then.
 */
export function syncFolder(folder: string): Promise<void> {
  const present = syncing.get(folder);
  if (present === undefined) return begin(folder);
  present.next ??= present.running.then(() => begin(folder));
  return present.next;
}

function begin(folder: string): Promise<void> {
  const done = syncNow(folder);
  const entry: Syncing = { running: done.catch(() => undefined), next: null };
  syncing.set(folder, entry);
  void entry.running.then(() => {
    if (entry.next === null) syncing.delete(folder);
  });
  return done;
}

async function syncNow(folder: string): Promise<void> {
  let fd: number;
  try {
    fd = openSync(folder, constants.O_RDONLY);
  } catch {
    // Some systems cannot open folders, and need not.
    return;
  }
  try {
    await fsyncOf(fd);
  } catch (error) {
    if (!CANNOT_SYNC_FOLDERS.has(errorCode(error))) throw error;
  } finally {
    closeSync(fd);
  }
}

const CANNOT_SYNC_FOLDERS: ReadonlySet<string> = new Set(['EINVAL', 'EPERM', 'EISDIR', 'ENOTSUP', 'EBADF']);
