import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * The right to be the daemon of a data directory, for one process at a time. It is a lock of the operating system on a
 * file of its own, taken through SQLite, which knows how on every platform: the system drops it when the process ends
 * in any way, so none is ever left over.
 *
 * The lock file must never be opened in another way by the process that holds it: POSIX would drop the lock when that
 * other handle is closed.
 */
export type DaemonLock = { release(): void };

/** Null when another process holds it. */
export function takeDaemonLock(dataDir: string): DaemonLock | null {
  const database = openDatabase(join(dataDir, LOCK_NAME));
  try {
    // Nothing is ever written: the intent to write already excludes every other process that has it.
    database.exec('BEGIN IMMEDIATE');
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
  held.add(database);
  return {
    release() {
      if (held.delete(database)) database.close();
    },
  };
}

const LOCK_NAME = 'daemon.lock';
const SQLITE_BUSY = 5;
/** From this major on the built-in module is there and prints no warning. */
const FIRST_MAJOR_WITH_SQLITE = 24;

type Database = { exec(sql: string): void; close(): void };
type Driver = { readonly DatabaseSync: new (file: string, options: { readonly timeout: number }) => Database };

/** A connection that nobody refers to would be closed by the garbage collector, and the lock with it. */
const held = new Set<Database>();

function openDatabase(file: string): Database {
  const major = Number(process.versions.node.split('.')[0]);
  const name = major >= FIRST_MAJOR_WITH_SQLITE ? 'node:sqlite' : '@photostructure/sqlite';
  const { DatabaseSync } = createRequire(import.meta.url)(name) as Driver;
  return new DatabaseSync(file, { timeout: 0 });
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && ((error.errcode as number) & 0xff) === SQLITE_BUSY;
}
