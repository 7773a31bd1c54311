import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WorkspacePath } from '@palimpsest/core';
import { toColumn } from './column.js';
import { checkedState, checkOpen, columnsOf, type GiveWay, inChunks } from './file-rows.js';
import type { FileState, LogEntry } from './log.js';
import { attempt, type Database, type Statement, transact } from './sqlite.js';

/** The table of known files inside a log's database. */
export interface KnownFiles {
  /** Runs inside the caller's transaction. */
  apply(change: FilesChange): void;
  /** To be told once that transaction is kept. */
  applied(change: FilesChange): void;
  all(): Iterable<FileState>;
  replace(states: Iterable<FileState>, giveWay?: GiveWay): Promise<void>;
}

type FilesChange = Pick<LogEntry, 'files' | 'gone'>;

const ROWS_PER_PAGE = 1000;
const ROWS_PER_CLEARING = 2000;

const LIVE_KEY = 'live-files';

/** Null for a file that is gone. */
type Overlay = Map<WorkspacePath, FileState | null>;

/** Which of the two tables. */
type Slot = 0 | 1;

export function knownFiles(database: Database): KnownFiles {
  const tables = [prepareTable(database, 0), prepareTable(database, 1)] as const;
  const readLive = database.prepare(`SELECT value FROM meta WHERE key = '${LIVE_KEY}'`);
  const writeLive = database.prepare(`INSERT OR REPLACE INTO meta (key, value) VALUES ('${LIVE_KEY}', ?)`);
  const liveSlot = (): Slot => (readLive.get()?.value === '1' ? 1 : 0);
  const live = () => tables[liveSlot()];
  /** For each replacement that was asked for and does not stand yet, what was applied since; it goes over it. */
  const overlays = new Set<Overlay>();
  let replacing: Promise<void> = Promise.resolve();

  async function fill(states: Iterable<FileState>, overlay: Overlay, giveWay: GiveWay): Promise<void> {
    checkOpen(database);
    const next: Slot = liveSlot() === 0 ? 1 : 0;
    await clear(next, giveWay);
    await inChunks(database, states, (state) => putInto(tables[next], state), giveWay);
    transact(database, () => {
      for (const [path, state] of overlay) {
        if (state === null) tables[next].remove.run(toColumn(path));
        else putInto(tables[next], state);
      }
      writeLive.run(String(next));
    });
    overlays.delete(overlay);
    await clear(next === 0 ? 1 : 0, giveWay);
  }

  async function clear(slot: Slot, giveWay: GiveWay): Promise<void> {
    for (;;) {
      checkOpen(database);
      transact(database, () => tables[slot].clear.run(ROWS_PER_CLEARING));
      if (tables[slot].any.get() === undefined) return;
      await giveWay();
    }
  }

  return {
    apply({ files, gone }) {
      const table = live();
      for (const state of files ?? []) putInto(table, state);
      for (const path of gone ?? []) table.remove.run(toColumn(path));
    },
    applied({ files, gone }) {
      for (const overlay of overlays) {
        for (const state of files ?? []) overlay.set(state.path, state);
        for (const path of gone ?? []) overlay.set(path, null);
      }
    },
    all: () => pages(live),
    replace(states, giveWay = nextTurn) {
      const overlay: Overlay = new Map();
      overlays.add(overlay);
      const replaced = replacing.then(() => fill(states, overlay, giveWay)).finally(() => overlays.delete(overlay));
      // The next replacement waits for this one, and does not fail because this one did.
      replacing = replaced.catch(() => undefined);
      return replaced;
    },
  };
}

type Table = {
  readonly put: Statement;
  readonly remove: Statement;
  readonly page: Statement;
  readonly any: Statement;
  readonly clear: Statement;
};

function prepareTable(database: Database, slot: Slot): Table {
  const name = `file_${slot}`;
  return {
    put: database.prepare(`INSERT OR REPLACE INTO ${name} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    remove: database.prepare(`DELETE FROM ${name} WHERE path = ?`),
    page: database.prepare(`SELECT * FROM ${name} WHERE path > ? ORDER BY path LIMIT ${ROWS_PER_PAGE}`),
    any: database.prepare(`SELECT 1 FROM ${name} LIMIT 1`),
    clear: database.prepare(`DELETE FROM ${name} WHERE path IN (SELECT path FROM ${name} LIMIT ?)`),
  };
}

function putInto(table: Table, state: FileState): void {
  table.put.run(...columnsOf(state));
}

/** Page by page, so that no cursor stays open while the caller writes. */
function* pages(live: () => Table): Generator<FileState> {
  let after = '';
  for (;;) {
    const rows = attempt(() => live().page.all(after));
    for (const row of rows) yield checkedState(row);
    if (rows.length < ROWS_PER_PAGE) return;
    after = String(rows.at(-1)?.path);
  }
}
