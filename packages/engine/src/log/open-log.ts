import { statSync } from 'node:fs';
import { failed, type Outcome, ok } from '@palimpsest/core';
import { type Log, LogError } from './log.js';
import { isLogDatabase, migrate, SCHEMA_VERSION, schemaVersionOf } from './schema.js';
import { asLogError, closedAfter, type Database, openDatabase } from './sqlite.js';
import { sqliteLog } from './sqlite-log.js';

type OpenLogOptions = {
  /** The database file; its folder must exist. Two more files, `-wal` and `-shm`, stand beside it. */
  readonly file: string;
  readonly busyTimeoutMs?: number;
};

/** In each case the file is left in place as it is. */
export type OpenLogError =
  | { readonly code: 'damaged'; readonly file: string; readonly reason: string }
  | { readonly code: 'newer'; readonly file: string; readonly version: number; readonly known: number }
  | { readonly code: 'not-a-log'; readonly file: string }
  | { readonly code: 'no-space' | 'busy' | 'io'; readonly file: string; readonly reason: string };

const BUSY_TIMEOUT_MS = 5000;
/** A log up to this size is checked page by page when it is opened, which takes some tens of milliseconds. */
const CHECKED_SIZE_LIMIT = 16 * 1024 * 1024;
/** Enough for the inner pages of every index at some millions of operations. */
const CACHE_KIB = 8 * 1024;
/** Pages of the write-ahead file that are moved at once: more make it rarer, fewer make the pause shorter. */
const PAGES_PER_MOVE = 2000;
/** One huge transaction does not leave a huge write-ahead file behind. */
const WAL_SIZE_LIMIT = 64 * 1024 * 1024;

export function openLog(options: OpenLogOptions): Outcome<Log, OpenLogError> {
  const { file } = options;
  const timeout = options.busyTimeoutMs ?? BUSY_TIMEOUT_MS;
  try {
    const refusal = sizeOf(file) === 0 ? null : inspect(file, timeout);
    if (refusal !== null) return failed(refusal);
    const database = openDatabase(file, { timeout });
    return closedOnError(database, () => {
      configure(database, 'full');
      migrate(database);
      return ok(sqliteLog(database));
    });
  } catch (error) {
    const known = asLogError(error);
    if (!(known instanceof LogError) || known.code === 'closed') throw error;
    return failed({ code: known.code, file, reason: known.message });
  }
}

/** Looks through a read-only connection, because a writing one would change the file by merely being closed. */
function inspect(file: string, timeout: number): OpenLogError | null {
  const database = openDatabase(file, { readOnly: true, timeout });
  return closedAfter(database, () => {
    if (!isLogDatabase(database)) return { code: 'not-a-log', file };
    const version = schemaVersionOf(database);
    if (version > SCHEMA_VERSION) return { code: 'newer', file, version, known: SCHEMA_VERSION };
    if (sizeOf(file) > CHECKED_SIZE_LIMIT) return null;
    const finding = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
    return finding === 'ok' ? null : { code: 'damaged', file, reason: String(finding) };
  });
}

/** `full` survives a loss of power, `normal` only that of the process. */
export function configure(database: Database, synchronous: 'full' | 'normal'): void {
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = ${synchronous};
    PRAGMA foreign_keys = ON;
    PRAGMA secure_delete = ON;
    PRAGMA cache_size = -${CACHE_KIB};
    PRAGMA wal_autocheckpoint = ${PAGES_PER_MOVE};
    PRAGMA journal_size_limit = ${WAL_SIZE_LIMIT};
  `);
}

/** 0 for a file that is not there. */
export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function closedOnError<T>(database: Database, work: () => T): T {
  try {
    return work();
  } catch (error) {
    database.close();
    throw error;
  }
}
