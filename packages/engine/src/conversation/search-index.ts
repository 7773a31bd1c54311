import { rmSync } from 'node:fs';
import { type Seq, type SessionId, spacedWords } from '@palimpsest/core';
import { fromColumn, toColumn } from '../log/column.js';
import { attempt, type Database, openDatabase, type Statement, transact } from '../log/sqlite.js';

/** Raised when anything below changes its meaning: an index of another version is made anew. */
const VERSION = 1;
const BUSY_TIMEOUT_MS = 5000;
/** Shorter beginnings are those of too many words. */
const PREFIX_FROM = 4;

const SCHEMA = `
  CREATE VIRTUAL TABLE said USING fts5 (
    text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  );
  CREATE TABLE entry (seq INTEGER PRIMARY KEY, session TEXT NOT NULL, source TEXT) STRICT;
  CREATE INDEX entry_session ON entry (session, seq);
  CREATE INDEX entry_source ON entry (session, source) WHERE source IS NOT NULL;
  CREATE TABLE call (session TEXT NOT NULL, call TEXT NOT NULL, seq INTEGER NOT NULL,
    PRIMARY KEY (session, call, seq)) STRICT, WITHOUT ROWID;
  CREATE TABLE state (indexed INTEGER NOT NULL) STRICT;
  INSERT INTO state VALUES (0);
  PRAGMA user_version = ${VERSION};
`;

/** Something that was said, by the operation that says so. */
export type IndexEntry = {
  readonly seq: Seq;
  readonly session: SessionId;
  readonly text: string;
  readonly calls: readonly string[];
  /** The id that its source has for it. */
  readonly source: string | null;
};

/**
 * Which operations have which words, calls and source ids: a cache beside the log, with the seq up to which it goes. Losing it
 * costs time and nothing else; the texts themselves are not in it.
 */
export class SearchIndex {
  readonly #file: string;
  #open: Opened | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  /** Everything up to this operation has been taken up. */
  get indexed(): Seq | 0 {
    const { indexed } = this.#opened();
    return Number(attempt(() => indexed.get())?.indexed ?? 0) as Seq | 0;
  }

  /** `upTo`: as far as the log has been gone through. `gone`: sessions of which everything before an operation goes. */
  add(entries: readonly IndexEntry[], upTo: Seq, gone: readonly { session: SessionId; before: Seq }[] = []): void {
    const { database, ...to } = this.#opened();
    transact(database, () => {
      for (const { seq, session, text, calls, source } of entries) {
        to.addText.run(seq, spacedWords(text).replaceAll('\0', ' '));
        to.addEntry.run(seq, toColumn(session), source === null ? null : toColumn(source));
        for (const call of calls) to.addCall.run(toColumn(session), toColumn(call), seq);
      }
      for (const { session, before } of gone)
        for (const drop of [to.dropTexts, to.dropCalls, to.dropEntries]) drop.run(toColumn(session), before);
      to.setIndexed.run(upTo);
    });
  }

  /** Operations that have all of the terms, best first. */
  search(terms: readonly string[], session: SessionId | null, limit: number): readonly Seq[] {
    const { search, searchIn } = this.#opened();
    const query = terms.map(queryOf).join(' AND ');
    const rows = attempt(() =>
      session === null ? search.all(query, limit) : searchIn.all(query, toColumn(session), limit),
    );
    return rows.map(({ seq }) => Number(seq) as Seq);
  }

  ofCall(session: SessionId, call: string): readonly Seq[] {
    const { ofCall } = this.#opened();
    const rows = attempt(() => ofCall.all(toColumn(session), toColumn(call)));
    return rows.map(({ seq }) => Number(seq) as Seq);
  }

  /** Those of the ids that a message of the session has for its source, with the latest such message. */
  ofSources(session: SessionId, sources: readonly string[]): ReadonlyMap<string, Seq> {
    const { ofSources } = this.#opened();
    const rows = attempt(() => ofSources.all(toColumn(session), JSON.stringify(sources.map(toColumn))));
    return new Map(rows.map(({ source, seq }) => [fromColumn(String(source)), Number(seq) as Seq]));
  }

  /** As if nothing had been taken up yet; no byte of it stays in a file. */
  drop(): void {
    this.#open?.database.close();
    this.#open = null;
    for (const file of [this.#file, `${this.#file}-wal`, `${this.#file}-shm`]) rmSync(file, { force: true });
  }

  close(): void {
    const database = this.#open?.database;
    this.#open = null;
    if (database === undefined) return;
    // Here, because the driver for older Nodes ends a connection only when its statements are garbage-collected.
    database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
  }

  #opened(): Opened {
    this.#open ??= this.#openOrMakeAnew();
    return this.#open;
  }

  #openOrMakeAnew(): Opened {
    try {
      return prepared(openIndex(this.#file));
    } catch {
      // Damaged, or of another version: what is in it can be had from the log.
      this.drop();
      return attempt(() => prepared(openIndex(this.#file)));
    }
  }
}

type Opened = ReturnType<typeof prepared>;

function openIndex(file: string): Database {
  const database = openDatabase(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    // Not synced with each entry: after a loss of power the last ones are taken up again.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -4096');
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
    if (version === 0) transact(database, () => database.exec(SCHEMA));
    else if (version !== VERSION) throw new Error(`an index of version ${version}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A phrase, so that nothing in it is taken for an operator; one that is long enough may be the beginning of a word. */
function queryOf(term: string): string {
  const phrase = `"${spacedWords(term).trim().replaceAll('"', '""')}"`;
  return term.length >= PREFIX_FROM ? `${phrase} *` : phrase;
}

function prepared(database: Database) {
  const prepare = (sql: string): Statement => database.prepare(sql);
  const dropWhere = 'seq IN (SELECT seq FROM entry WHERE session = ? AND seq < ?)';
  return {
    database,
    indexed: prepare('SELECT indexed FROM state'),
    setIndexed: prepare('UPDATE state SET indexed = ?'),
    addText: prepare('INSERT INTO said (rowid, text) VALUES (?, ?)'),
    addEntry: prepare('INSERT INTO entry (seq, session, source) VALUES (?, ?, ?)'),
    addCall: prepare('INSERT OR IGNORE INTO call (session, call, seq) VALUES (?, ?, ?)'),
    dropTexts: prepare(`DELETE FROM said WHERE rowid IN (SELECT seq FROM entry WHERE session = ? AND seq < ?)`),
    dropCalls: prepare(`DELETE FROM call WHERE ${dropWhere}`),
    dropEntries: prepare('DELETE FROM entry WHERE session = ? AND seq < ?'),
    search: prepare('SELECT rowid AS seq FROM said WHERE said MATCH ? ORDER BY rank LIMIT ?'),
    searchIn: prepare(
      'SELECT rowid AS seq FROM said WHERE said MATCH ? AND rowid IN (SELECT seq FROM entry WHERE session = ?) ORDER BY rank LIMIT ?',
    ),
    ofCall: prepare('SELECT seq FROM call WHERE session = ? AND call = ? ORDER BY seq'),
    ofSources: prepare(
      'SELECT source, max(seq) AS seq FROM entry WHERE session = ? AND source IN (SELECT value FROM json_each(?)) GROUP BY source',
    ),
  };
}
