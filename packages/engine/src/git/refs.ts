import { promises as fs } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tempName } from '../files/durable.js';
import { errorCode } from '../files/system-error.js';
import { readBounded } from './bounded-read.js';
import { isObjectId, type ObjectId } from './object-id.js';
import { isRefName, parsePackedRefs, withPackedRefs } from './packed-refs.js';

/**
 * The refs of our own bare repository, which nobody else writes. All are packed, so that a batch of them is one write, and
 * none waits for the disk: whoever keeps them can make them again.
 */
export interface Refs {
  /** Sets many or, with null, removes them, in one write. `locked`: another program is writing refs, or died doing so. */
  setMany(changes: ReadonlyMap<string, ObjectId | null>): Promise<'written' | 'locked'>;
  list(prefix: string): Promise<ReadonlyMap<string, ObjectId>>;
}

/** A lock is held for some milliseconds; one this old belongs to a process that died. */
export const REF_LOCK_STALE_MS = 10_000;
/** How long a live lock is waited for. */
const REF_LOCK_WAIT_MS = 2_000;
const RETRY_MS = 10;
const PACKED_REFS_LIMIT_BYTES = 64 * 1024 * 1024;

export function openRefs(gitDir: string): Refs {
  const path = join(gitDir, 'packed-refs');
  const packed = async () => {
    const file = await readBounded(path, PACKED_REFS_LIMIT_BYTES);
    return file.kind === 'read' ? file.bytes.toString('utf8') : '';
  };
  return {
    setMany: async (changes) => {
      for (const [name, id] of changes)
        if (!isRefName(name) || (id !== null && !isObjectId(id)))
          throw new Error(`not a ref: ${JSON.stringify([name, id])}`);
      return replaceLocked(path, async () => withPackedRefs(await packed(), changes));
    },
    list: async (prefix) => new Map([...parsePackedRefs(await packed())].filter(([name]) => name.startsWith(prefix))),
  };
}

/** Holds `<path>.lock`, as git does, so that git and we exclude each other. */
async function replaceLocked(path: string, next: () => Promise<string>): Promise<'written' | 'locked'> {
  const lock = `${path}.lock`;
  const held = await takeLock(lock);
  if (held === null) return 'locked';
  const own = (await held.stat()).ino;
  // Somebody may have taken us for dead; then the name is theirs and must stay so.
  const isOurs = async () => (await fs.stat(lock).catch(() => null))?.ino === own;
  try {
    await held.writeFile(await next());
    if (!(await isOurs())) return 'locked';
    await fs.rename(lock, path);
    return 'written';
  } finally {
    if (await isOurs()) await fs.rm(lock, { force: true });
    await held.close();
  }
}

async function takeLock(lock: string): Promise<fs.FileHandle | null> {
  const until = Date.now() + REF_LOCK_WAIT_MS;
  for (;;) {
    try {
      return await fs.open(lock, 'wx', 0o600);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    await breakStale(lock);
    if (Date.now() > until) return null;
    await sleep(RETRY_MS);
  }
}

/** Renamed before it is removed, so that of two breakers only one removes it and neither removes a new lock. */
async function breakStale(lock: string): Promise<void> {
  try {
    const stat = await fs.stat(lock);
    // One from the future was made before the clock was set back.
    if (Math.abs(Date.now() - stat.mtimeMs) < REF_LOCK_STALE_MS) return;
    const aside = join(dirname(lock), `.${tempName()}`);
    await fs.rename(lock, aside);
    await fs.rm(aside, { force: true });
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
