import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PlaceId, WorkspacePath } from '@palimpsest/core';
import { toColumn } from './column.js';
import { checkedState, columnsOf, inChunks } from './file-rows.js';
import type { FileState, FileTable, LogEntry } from './log.js';
import { attempt, type Database } from './sqlite.js';

/**
 * The tables of known files of worktrees. They are filled in place: what a crash leaves half filled is made again from the
 * worktree's first tree and the log, so whoever fills one says when it is whole.
 */
export interface PlaceFiles {
  /** Runs inside the caller's transaction. */
  apply(place: PlaceId, change: Pick<LogEntry, 'files' | 'gone'>): void;
  at(place: PlaceId): FileTable;
}

const ROWS_PER_PAGE = 1000;

export function placeFiles(database: Database): PlaceFiles {
  const put = database.prepare('INSERT OR REPLACE INTO place_file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const remove = database.prepare('DELETE FROM place_file WHERE place = ? AND path = ?');
  const clear = database.prepare('DELETE FROM place_file WHERE place = ?');
  const page = database.prepare(
    `SELECT * FROM place_file WHERE place = ? AND path > ? ORDER BY path LIMIT ${ROWS_PER_PAGE}`,
  );

  function* pages(place: PlaceId): Generator<FileState> {
    let after = '';
    for (;;) {
      const rows = attempt(() => page.all(place, after));
      for (const row of rows) yield checkedState(row);
      if (rows.length < ROWS_PER_PAGE) return;
      after = String(rows.at(-1)?.path);
    }
  }

  /** For each table that is being filled, what was applied meanwhile: that is newer. */
  const newer = new Map<PlaceId, Set<WorkspacePath>>();

  return {
    apply(place, { files, gone }) {
      for (const path of [...(files ?? []).map((state) => state.path), ...(gone ?? [])]) newer.get(place)?.add(path);
      for (const state of files ?? []) put.run(place, ...columnsOf(state));
      for (const path of gone ?? []) remove.run(place, toColumn(path));
    },
    at: (place) => ({
      all: () => pages(place),
      async replace(states, giveWay = nextTurn) {
        const since = new Set<WorkspacePath>();
        newer.set(place, since);
        attempt(() => clear.run(place));
        const fill = (state: FileState) => {
          if (!since.has(state.path)) put.run(place, ...columnsOf(state));
        };
        await inChunks(database, states, fill, giveWay);
        newer.delete(place);
      },
    }),
  };
}
