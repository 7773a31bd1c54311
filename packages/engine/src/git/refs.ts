import { promises as fs } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { failed, type Outcome, ok } from '@palimpsest/core';
import { codeOf, type Durability, listNames, readBounded, syncPath, tempName } from './durable.js';
import { isObjectId, type ObjectId } from './object-id.js';
import { isRefName, parsePackedRefs, withPackedRefs } from './packed-refs.js';

export type RefError =
  | { readonly code: 'bad-name'; readonly name: string }
  | { readonly code: 'locked'; readonly name: string };

/** The refs of our own bare repository, which nobody else writes. */
export interface Refs {
  /** Sets many or, with null, removes them, in one write. */
  setMany(changes: ReadonlyMap<string, ObjectId | null>): Promise<Outcome<void, RefError>>;
  list(prefix: string): Promise<ReadonlyMap<string, ObjectId>>;
}

/** A lock is held for some milliseconds; one this old belongs to a process that died. */
export const REF_LOCK_STALE_MS = 10_000;
/** How long a live lock is waited for. */
const REF_LOCK_WAIT_MS = 2_000;
const RETRY_MS = 10;
const REF_FILE_LIMIT_BYTES = 4096;
const PACKED_REFS_LIMIT_BYTES = 64 * 1024 * 1024;

export function openRefs(gitDir: string, durability: Durability): Refs {
  /** Our own writers wait for each other however long it takes; the lock is for other processes. */
  let turn: Promise<unknown> = Promise.resolve();
  const packedPath = join(gitDir, 'packed-refs');
  const packedText = async () => {
    const file = await readBounded(packedPath, PACKED_REFS_LIMIT_BYTES);
    return file.kind === 'read' ? file.bytes.toString('utf8') : '';
  };
  const loose = async (name: string): Promise<ObjectId | null> => {
    const file = await readBounded(join(gitDir, name), REF_FILE_LIMIT_BYTES);
    if (file.kind !== 'read') return null;
    const id = file.bytes.toString('latin1').trim();
    return isObjectId(id) ? id : null;
  };
  const setMany: Refs['setMany'] = async (changes) => {
    for (const [name, id] of changes) {
      if (!isRefName(name)) return failed({ code: 'bad-name', name });
      if (id !== null && !isObjectId(id)) throw new Error(`not an object id: ${JSON.stringify(id)}`);
    }
    const written = turn.then(() => write(changes));
    turn = written.catch(() => undefined);
    return written;
  };
  const write: Refs['setMany'] = async (changes) => {
    const packed = await withLock(packedPath, 'packed-refs', async (commit) =>
      commit(withPackedRefs(await packedText(), changes), durability),
    );
    if (!packed.ok) return packed;
    // A loose ref would hide the packed one.
    for (const folder of new Set([...changes.keys()].map((name) => dirname(name)))) {
      const loose = (await listNames(join(gitDir, folder))).map((file) => `${folder}/${file}`);
      for (const name of loose) if (changes.has(name)) await fs.rm(join(gitDir, name), { force: true });
    }
    return ok(undefined);
  };

  const list: Refs['list'] = async (prefix) => {
    const found = new Map([...parsePackedRefs(await packedText())].filter(([name]) => name.startsWith(prefix)));
    const files = await fs.readdir(join(gitDir, 'refs'), { recursive: true, withFileTypes: true });
    for (const file of files) {
      if (!file.isFile()) continue;
      const name = join(file.parentPath, file.name)
        .slice(gitDir.length + 1)
        .replaceAll('\\', '/');
      if (!name.startsWith(prefix) || !isRefName(name)) continue;
      const id = await loose(name);
      if (id !== null) found.set(name, id);
    }
    return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  return { setMany, list };
}

type Commit = (text: string, durability: Durability) => Promise<Outcome<void, RefError>>;

/** Holds `<path>.lock`, as git does, so that git and we exclude each other. */
async function withLock(
  path: string,
  name: string,
  work: (commit: Commit) => Promise<Outcome<void, RefError>>,
): Promise<Outcome<void, RefError>> {
  const lock = `${path}.lock`;
  const taken = await takeLock(lock, name);
  if (!taken.ok) return taken;
  const held = taken.value;
  let renamed = false;
  try {
    const own = (await held.stat()).ino;
    return await work(async (text, durability) => {
      await held.writeFile(text);
      if (durability === 'full') await held.sync();
      // Someone may have taken us for dead; then the name is theirs and must stay so.
      if ((await inodeOf(lock)) !== own) return failed({ code: 'locked', name });
      await fs.rename(lock, path);
      renamed = true;
      if (durability === 'full') await syncPath(dirname(path));
      return ok(undefined);
    });
  } finally {
    await held.close();
    if (!renamed) await fs.rm(lock, { force: true });
  }
}

async function takeLock(lock: string, name: string): Promise<Outcome<fs.FileHandle, RefError>> {
  const until = Date.now() + REF_LOCK_WAIT_MS;
  for (;;) {
    try {
      return ok(await fs.open(lock, 'wx', 0o600));
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    await breakStale(lock);
    if (Date.now() > until) return failed({ code: 'locked', name });
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
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

async function inodeOf(path: string): Promise<number | null> {
  const stat = await fs.stat(path).catch(() => null);
  return stat === null ? null : stat.ino;
}
