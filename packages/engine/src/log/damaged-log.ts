import { callOfOperation, type Operation, sessionOfOperation } from '@palimpsest/core';
import { knownFiles } from './known-files.js';
import { checkTime, type FileState, LogError, pathsOf } from './log.js';
import { attempt, type Database, openDatabase, type Row, type Statement } from './sqlite.js';
import { marksIn, operationOf } from './sqlite-log.js';

/** Operations read at once, as long as nothing is in the way. */
const ROWS_AT_ONCE = 500;
/** After so many runs of which nothing could be read, what is skipped doubles each time: a lost end may be long. */
const PATIENT_RUNS = 20;

/** What can still be read of a log of which something is broken. None of its methods throws for what is not readable. */
export class DamagedLog {
  readonly #database: Database | null;
  readonly #bounds: Bounds;

  static open(file: string, bounds: Bounds): DamagedLog {
    const database = readable(() => openDatabase(file, { readOnly: true, defensive: false }));
    // Otherwise SQLite reads nothing at all of a file that is shorter than it was.
    readable(() => database?.exec('PRAGMA writable_schema = ON'));
    return new DamagedLog(database, bounds);
  }

  private constructor(database: Database | null, bounds: Bounds) {
    this.#database = database;
    this.#bounds = bounds;
  }

  close(): void {
    this.#database?.close();
  }

  /** In order, some at a time. */
  *operations(): Generator<readonly Operation[]> {
    const read = this.#prepared('SELECT seq, at, body FROM operation WHERE seq > ? ORDER BY seq LIMIT ?');
    const get = this.#prepared('SELECT seq, at, body FROM operation WHERE seq = ?');
    if (read === null || get === null) return;
    let failedRuns = 0;
    for (let at = 0, seen = 0; at <= highestNumber(this.#bounds, seen); ) {
      const rows = readable(() => read.all(at, ROWS_AT_ONCE));
      const run = rows?.every(({ seq }, n) => Number(seq) > Number(rows[n - 1]?.seq ?? at)) ? rows : null;
      // Where a run of them cannot be read, each is asked for by itself.
      const possible = highestNumber(this.#bounds, seen);
      const found = (run ?? oneByOne(get, at + 1, ROWS_AT_ONCE)).filter(({ seq }) => Number(seq) <= possible);
      const whole = found.flatMap((row) => wholeOperation(row) ?? []);
      if (whole.length > 0) yield whole;
      seen = Number(found.at(-1)?.seq ?? seen);
      if (run !== null && (run.length < ROWS_AT_ONCE || found.length === 0)) return;
      failedRuns = found.length > 0 ? 0 : failedRuns + 1;
      at = run === null ? at + ROWS_AT_ONCE * 2 ** Math.max(0, failedRuns - PATIENT_RUNS) : seen;
    }
  }

  /** The table of known files; null when there is any doubt about it. */
  files(): readonly FileState[] | null {
    const database = this.#database;
    if (database === null || !['meta', 'file_0', 'file_1'].every((table) => this.#isSound(table))) return null;
    return readable(() => [...knownFiles(database).all()]);
  }

  marks(): ReadonlyMap<string, string> {
    const database = this.#database;
    return (database === null ? null : readable(() => marksIn(database))) ?? new Map();
  }

  #isSound(table: string): boolean {
    return readable(() => this.#prepared(`PRAGMA quick_check(${table})`)?.get()?.quick_check) === 'ok';
  }

  #prepared(sql: string) {
    return readable(() => this.#database?.prepare(sql) ?? null);
  }
}

/** `floor`: no number up to it was given to an operation later. `most`: how many operations the file can hold. */
type Bounds = { readonly floor: number; readonly most: number };

/** No operation of the log has a number beyond this, when `seen` is one that it has. */
export function highestNumber({ floor, most }: Bounds, seen: number): number {
  return Math.max(floor, seen) + most;
}

/** Whatever reading broken bytes leads to, it means that they cannot be read; a full disk does not. */
function readable<T>(work: () => T): T | null {
  try {
    return attempt(work);
  } catch (error) {
    if (error instanceof LogError && error.code === 'no-space') throw error;
    return null;
  }
}

/** Null for a row that was not written so. */
function wholeOperation(row: Row): Operation | null {
  return readable(() => {
    const operation = operationOf(row);
    checkTime(operation.at);
    const texts = [operation.kind, sessionOfOperation(operation), callOfOperation(operation), ...pathsOf(operation)];
    return Number.isSafeInteger(operation.seq) && texts.every((text) => text === null || typeof text === 'string')
      ? operation
      : null;
  });
}

function oneByOne(get: Statement, first: number, count: number): readonly Row[] {
  const found: Row[] = [];
  for (let seq = first; seq < first + count; seq++) {
    const row = readable(() => get.get(seq));
    if (row) found.push(row);
  }
  return found;
}
