import type { Operation } from '@palimpsest/core';
import { knownFiles } from './known-files.js';
import { checkTime, type FileState, LogError, pathsOf } from './log.js';
import { attempt, type Database, openDatabase, type Row, type Statement } from './sqlite.js';
import { metaIn, operationOf } from './sqlite-log.js';

/** Operations read at once, as long as nothing is in the way. */
const ROWS_AT_ONCE = 500;

/** What can still be read of a log of which something is broken. None of its methods throws for what is not readable. */
export class DamagedLog {
  /** How many operations it can have held. */
  readonly most: number;
  readonly #database: Database | null;

  static open(file: string, most: number): DamagedLog {
    const database = readable(() => openDatabase(file, { readOnly: true, defensive: false }));
    // Otherwise SQLite reads nothing at all of a file that is shorter than it was.
    readable(() => database?.exec('PRAGMA writable_schema = ON'));
    return new DamagedLog(database, most);
  }

  private constructor(database: Database | null, most: number) {
    this.#database = database;
    this.most = most;
  }

  close(): void {
    this.#database?.close();
  }

  /** In order, some at a time. */
  *operations(): Generator<readonly Operation[]> {
    const read = this.#prepared('SELECT seq, at, body FROM operation WHERE seq > ? ORDER BY seq LIMIT ?');
    const get = this.#prepared('SELECT seq, at, body FROM operation WHERE seq = ?');
    const max = this.#prepared('SELECT max(seq) AS last FROM operation');
    if (read === null || get === null) return;
    const end = readable(() => Number(max?.get()?.last ?? 0));
    for (let at = 0, seen = 0; at <= (end ?? seen + this.most); ) {
      const rows = readable(() => read.all(at, ROWS_AT_ONCE));
      const run = rows?.every(({ seq }, n) => Number(seq) > Number(rows[n - 1]?.seq ?? at)) ? rows : null;
      // Where a run of them cannot be read, each is asked for by itself.
      const found = run ?? oneByOne(get, at + 1, ROWS_AT_ONCE);
      const whole = found.flatMap((row) => wholeOperation(row) ?? []);
      if (whole.length > 0) yield whole;
      seen = Number(found.at(-1)?.seq ?? seen);
      if (run !== null && run.length < ROWS_AT_ONCE) return;
      at = run === null ? at + ROWS_AT_ONCE : seen;
    }
  }

  /** The table of known files; null when there is any doubt about it. */
  files(): readonly FileState[] | null {
    const database = this.#database;
    if (database === null || !['meta', 'file_0', 'file_1'].every((table) => this.#isSound(table))) return null;
    return readable(() => [...knownFiles(database).all()]);
  }

  meta(): ReadonlyMap<string, string> {
    const database = this.#database;
    return (database === null ? null : readable(() => metaIn(database))) ?? new Map();
  }

  #isSound(table: string): boolean {
    return readable(() => this.#prepared(`PRAGMA quick_check(${table})`)?.get()?.quick_check) === 'ok';
  }

  #prepared(sql: string) {
    return readable(() => this.#database?.prepare(sql) ?? null);
  }
}

function readable<T>(work: () => T): T | null {
  try {
    return attempt(work);
  } catch (error) {
    if (error instanceof LogError) return null;
    throw error;
  }
}

/** Null for a row that was not written so: what is built on it later must not stumble. */
function wholeOperation(row: Row): Operation | null {
  try {
    const operation = operationOf(row);
    checkTime(operation.at);
    pathsOf(operation);
    return typeof operation.kind === 'string' ? operation : null;
  } catch {
    return null;
  }
}

function oneByOne(get: Statement, first: number, count: number): readonly Row[] {
  const found: Row[] = [];
  for (let seq = first; seq < first + count; seq++) {
    const row = readable(() => get.get(seq));
    if (row) found.push(row);
  }
  return found;
}
