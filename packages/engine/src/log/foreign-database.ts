import { statSync } from 'node:fs';
import { closedAfter, openDatabase, type Row, type SqlValue } from './sqlite.js';

/** Asks a database that is somebody else's. */
export type ForeignQuestion = (sql: string, ...values: readonly SqlValue[]) => readonly Row[];

/**
 * Reads a database of another program that may be writing to it. Nothing is created or changed beside it, and nobody is kept
 * waiting: while there is a write-ahead log we read through it, which never blocks a writer; where there is none the file
 * is read as it lies, without any lock. Throws what SQLite throws.
 */
export function readForeign<T>(file: string, work: (ask: ForeignQuestion) => T): T {
  for (let tries = 1; ; tries++) {
    const before = stampOf(file);
    const isLive = before.endsWith('+');
    const database = openDatabase(`${uriOf(file)}?${isLive ? 'mode=ro' : 'immutable=1'}`, {
      readOnly: true,
      timeout: BUSY_MS,
    });
    try {
      const answer = closedAfter(database, (open) => work((sql, ...values) => open.prepare(sql).all(...values)));
      // A file that is read without a lock may have been written to meanwhile.
      if (isLive || stampOf(file) === before || tries === TRIES) return answer;
    } catch (error) {
      if (isLive || tries === TRIES) throw error;
    }
  }
}

const BUSY_MS = 1_000;
const TRIES = 3;

function stampOf(file: string): string {
  const { size, mtimeMs, ino } = statSync(file);
  const ahead = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  return `${ino}/${size}/${mtimeMs}${ahead > 0 ? '+' : ''}`;
}

/** Every character that means something in a URI stands for itself in a path. */
function uriOf(file: string): string {
  return `file:${file.split('/').map(encodeURIComponent).join('/')}`;
}
