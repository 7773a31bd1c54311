import { type Database, transact } from './sqlite.js';

/** Marks a database file as a log of ours, so that no other program's database is ever migrated. */
const APPLICATION_ID = 0x50_41_4c_31;

/**
 * Each text takes the schema from version N to N + 1 and is never edited once released. Times, sizes and inodes are
 * REAL: the drivers hand every number over as a double, and an INTEGER above 2^53 could not be read back.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE operation (
    seq INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    session TEXT,
    call TEXT,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX operation_kind ON operation (kind);
  CREATE INDEX operation_session ON operation (session) WHERE session IS NOT NULL;
  CREATE INDEX operation_call ON operation (call) WHERE call IS NOT NULL;

  CREATE TABLE touched (
    path TEXT NOT NULL,
    seq INTEGER NOT NULL REFERENCES operation (seq),
    PRIMARY KEY (path, seq)
  ) STRICT, WITHOUT ROWID;

  -- Two tables of known files: one stands while the other is filled. Meta 'live-files' names the one that stands.
  CREATE TABLE file_0 (
    path TEXT PRIMARY KEY,
    mode TEXT NOT NULL,
    content TEXT NOT NULL,
    size REAL NOT NULL,
    mtime_ms REAL NOT NULL,
    ctime_ms REAL NOT NULL,
    ino REAL NOT NULL,
    kept INTEGER NOT NULL,
    explicit INTEGER NOT NULL,
    borrowed INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE file_1 (
    path TEXT PRIMARY KEY,
    mode TEXT NOT NULL,
    content TEXT NOT NULL,
    size REAL NOT NULL,
    mtime_ms REAL NOT NULL,
    ctime_ms REAL NOT NULL,
    ino REAL NOT NULL,
    kept INTEGER NOT NULL,
    explicit INTEGER NOT NULL,
    borrowed INTEGER
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE view (
    name TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    encoded TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  PRAGMA application_id = ${APPLICATION_ID};
  `,
  `
  -- What is known of the files of worktrees: the same columns, for each place.
  CREATE TABLE place_file (
    place TEXT NOT NULL,
    path TEXT NOT NULL,
    mode TEXT NOT NULL,
    content TEXT NOT NULL,
    size REAL NOT NULL,
    mtime_ms REAL NOT NULL,
    ctime_ms REAL NOT NULL,
    ino REAL NOT NULL,
    kept INTEGER NOT NULL,
    explicit INTEGER NOT NULL,
    borrowed INTEGER,
    PRIMARY KEY (place, path)
  ) STRICT, WITHOUT ROWID;
  `,
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** All steps are taken together or not at all. */
export function migrate(database: Database): void {
  if (schemaVersionOf(database) === SCHEMA_VERSION) return;
  transact(database, () => {
    // Read again under the lock: another process may have migrated in between.
    for (const step of MIGRATIONS.slice(schemaVersionOf(database))) database.exec(step);
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

export function schemaVersionOf(database: Database): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

/** True for an empty database and for one of ours, whatever its version. */
export function isLogDatabase(database: Database): boolean {
  const applicationId = database.prepare('PRAGMA application_id').get()?.application_id;
  if (applicationId === APPLICATION_ID) return true;
  return database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
}
