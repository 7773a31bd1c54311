import { asContentId, type FileMode, trustPath } from '@palimpsest/core';
import { fromColumn, toColumn } from './column.js';
import { type FileState, LogError } from './log.js';
import { type Database, type Row, type SqlValue, transact } from './sqlite.js';

export type GiveWay = () => Promise<void>;

/** How long one chunk may write before it commits; the commit itself comes on top. */
const CHUNK_MS = 8;
/** Rows between two looks at the clock. */
const ROWS_PER_LOOK = 64;

/** What is known of a file, as the columns of its row. */
export function columnsOf(state: FileState): readonly SqlValue[] {
  return [
    toColumn(state.path),
    state.mode,
    state.content,
    state.size,
    state.mtimeMs,
    state.ctimeMs,
    state.ino,
    Number(state.kept),
    Number(state.explicit),
    state.borrowed === undefined ? null : Number(state.borrowed),
  ];
}

export function checkedState(row: Row): FileState {
  try {
    return stateOf(row);
  } catch (error) {
    throw new LogError('damaged', `what is known of the file ${row.path} cannot be read`, error);
  }
}

function stateOf(row: Row): FileState {
  return {
    path: trustPath(fromColumn(String(row.path))),
    mode: row.mode as FileMode,
    content: asContentId(String(row.content)),
    size: Number(row.size),
    mtimeMs: Number(row.mtime_ms),
    ctimeMs: Number(row.ctime_ms),
    ino: Number(row.ino),
    kept: row.kept === 1,
    explicit: row.explicit === 1,
    ...(row.borrowed === null ? {} : { borrowed: row.borrowed === 1 }),
  };
}

/** Each chunk is a transaction of its own; between two of them the event loop runs. */
export async function inChunks(
  database: Database,
  states: Iterable<FileState>,
  put: (state: FileState) => void,
  giveWay: GiveWay,
): Promise<void> {
  const rest = states[Symbol.iterator]();
  for (let more = true; more; ) {
    checkOpen(database);
    more = transact(database, () => writeChunk(rest, put));
    if (more) await giveWay();
  }
}

/** Whether anything may be left. */
function writeChunk(rest: Iterator<FileState>, put: (state: FileState) => void): boolean {
  const end = performance.now() + CHUNK_MS;
  for (let row = 1; ; row++) {
    const next = rest.next();
    if (next.done === true) return false;
    put(next.value);
    if (row % ROWS_PER_LOOK === 0 && performance.now() >= end) return true;
  }
}

export function checkOpen(database: Database): void {
  if (!database.isOpen) throw new LogError('closed', 'the log was closed while its files were being replaced');
}
