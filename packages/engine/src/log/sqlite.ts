import { createRequire } from 'node:module';
import { LogError, type LogErrorCode } from './log.js';

/** The part of `DatabaseSync` that we use; `node:sqlite` and `@photostructure/sqlite` both have it. */
export interface Database {
  readonly isOpen: boolean;
  readonly isTransaction: boolean;
  prepare(sql: string): Statement;
  exec(sql: string): void;
  close(): void;
}

export interface Statement {
  run(...values: readonly SqlValue[]): unknown;
  get(...values: readonly SqlValue[]): Row | undefined;
  all(...values: readonly SqlValue[]): Row[];
}

export type SqlValue = string | number | null;
export type Row = Readonly<Record<string, SqlValue>>;

type DatabaseOptions = {
  readonly readOnly?: boolean;
  readonly timeout?: number;
  /** Whether SQLite refuses what only a repair needs. */
  readonly defensive?: boolean;
};
type DatabaseConstructor = new (file: string, options?: DatabaseOptions) => Database;

/** From this major on the built-in module is there and prints no warning. */
const FIRST_MAJOR_WITH_SQLITE = 24;

let driver: DatabaseConstructor | null = null;

export function openDatabase(file: string, options: DatabaseOptions): Database {
  driver ??= loadDriver();
  return new driver(file, options);
}

/**
 * `require` loads one driver at the first use, where an `import` would load both or make every importer wait. What `#sqlite`
 * is stands in the nearest package.json: a package, or the copy that is part of `pal` where that is installed.
 */
function loadDriver(): DatabaseConstructor {
  const major = Number(process.versions.node.split('.')[0]);
  const name = major >= FIRST_MAJOR_WITH_SQLITE ? 'node:sqlite' : '#sqlite';
  const loaded = createRequire(import.meta.url)(name) as { readonly DatabaseSync: DatabaseConstructor };
  return loaded.DatabaseSync;
}

export function closedAfter<D extends { close(): void }, T>(database: D, work: (database: D) => T): T {
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Runs `work` in one transaction that is wholly kept, or wholly undone when anything throws. */
export function transact<T>(database: Database, work: () => T): T {
  try {
    database.exec('BEGIN IMMEDIATE');
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // After some errors SQLite has rolled back by itself, and a second time would be an error of its own.
    if (database.isOpen && database.isTransaction) database.exec('ROLLBACK');
    throw asLogError(error);
  }
}

/** Runs one statement outside a transaction, with errors translated. */
export function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asLogError(error);
  }
}

/** The `LogError` for an error of SQLite; whatever else was thrown is returned as it is. */
export function asLogError(error: unknown): unknown {
  const code = sqliteCodeOf(error);
  if (code === null) return error;
  return new LogError(meaningOf(code), (error as Error).message, error);
}

function sqliteCodeOf(error: unknown): number | null {
  if (!(error instanceof Error)) return null;
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode;
  if (!('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return null;
  // The driver for older Nodes leaves the code out of what it throws while it fetches rows.
  return CODES_BY_MESSAGE[error.message] ?? SQLITE_ERROR;
}

/** Primary result codes, and the one extended code that a full disk also shows as. See sqlite.org/rescode.html. */
const SQLITE_ERROR = 1;
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;
const SQLITE_IOERR_SHMSIZE = 4874;
/** SQLite's own words for these codes. */
const CODES_BY_MESSAGE: Readonly<Record<string, number>> = {
  'database is locked': SQLITE_BUSY,
  'database table is locked': SQLITE_LOCKED,
  'database disk image is malformed': SQLITE_CORRUPT,
  'database or disk is full': SQLITE_FULL,
  'file is not a database': SQLITE_NOTADB,
};

function meaningOf(code: number): LogErrorCode {
  if (code === SQLITE_IOERR_SHMSIZE) return 'no-space';
  switch (code & 0xff) {
    case SQLITE_FULL:
      return 'no-space';
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return 'damaged';
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return 'busy';
    default:
      return 'io';
  }
}
