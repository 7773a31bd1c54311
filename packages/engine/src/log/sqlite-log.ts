import type { Operation, OperationBody, Seq } from '@palimpsest/core';
import { callOfOperation, sessionOfOperation } from '@palimpsest/core';
import { fromColumn, toColumn } from './column.js';
import { findSql } from './find-query.js';
import { knownFiles } from './known-files.js';
import {
  checkTime,
  type FileTable,
  type Log,
  type LogEntry,
  LogError,
  type Marks,
  pathsOf,
  type ViewCache,
} from './log.js';
import { placeFiles } from './place-files.js';
import { asLogError, attempt, type Database, type Row, type Statement, transact } from './sqlite.js';

/** A log in a database whose schema is up to date. It closes the database with itself. */
export function sqliteLog(database: Database): Log {
  const statements = prepareAll(database);
  const insert = operationInserter(database);
  const files = knownFiles(database);
  const placed = placeFiles(database);
  const finder = statementCache(database);
  const lastSeq = () => Number(statements.last.get()?.last ?? 0) as Seq | 0;
  const ask: Ask = (work) => {
    if (!database.isOpen) throw new LogError('closed', 'the log is closed');
    return attempt(work);
  };
  const write = (entry: LogEntry): readonly Operation[] => {
    let seq = lastSeq() as number;
    const operations = entry.bodies.map((body) => {
      seq += 1;
      insert(seq, entry.at, body);
      return { ...body, seq: seq as Seq, at: entry.at };
    });
    if (entry.place === undefined) files.apply(entry);
    else placed.apply(entry.place, entry);
    return operations;
  };

  return {
    get last() {
      return ask(lastSeq);
    },
    append(entry) {
      const operations = ask(() => {
        checkTime(entry.at);
        return transact(database, () => write(entry));
      });
      if (entry.place === undefined) files.applied(entry);
      return operations;
    },
    read: (since, limit) => ask(() => statements.read.all(since, limit)).map(operationOf),
    get(seq) {
      const row = ask(() => statements.get.get(seq));
      return row === undefined ? null : operationOf(row);
    },
    find(query) {
      const { text, values } = findSql(query);
      return ask(() => finder(text).all(...values)).map(operationOf);
    },
    countKinds() {
      const rows = ask(() => statements.kinds.all());
      return new Map(rows.map(({ kind, count }) => [fromColumn(String(kind)), Number(count)]));
    },
    redact(operations) {
      ask(() => {
        transact(database, () => {
          for (const { seq, at: _, ...body } of operations)
            statements.redact.run(JSON.stringify(body), seq, toColumn(body.kind));
          statements.dropViews.run();
        });
        writeAnew(database);
      });
    },
    files: tableOf(files, ask),
    filesAt: (place) => tableOf(placed.at(place), ask),
    views: viewTable(database, ask, lastSeq),
    marks: markTable(database, ask),
    close() {
      if (!database.isOpen) return;
      emptyWriteAhead(database);
      database.close();
    },
  };
}

function tableOf(files: FileTable, ask: Ask): FileTable {
  return {
    all: () => ask(() => files.all()),
    replace: async (states, giveWay) => ask(() => files.replace(states, giveWay)),
  };
}

function prepareAll(database: Database) {
  return {
    last: database.prepare('SELECT max(seq) AS last FROM operation'),
    kinds: database.prepare('SELECT kind, count(*) AS count FROM operation GROUP BY kind'),
    redact: database.prepare('UPDATE operation SET body = ? WHERE seq = ? AND kind = ?'),
    dropViews: database.prepare('DELETE FROM view'),
    read: database.prepare('SELECT seq, at, body FROM operation WHERE seq > ? ORDER BY seq LIMIT ?'),
    get: database.prepare('SELECT seq, at, body FROM operation WHERE seq = ?'),
  };
}

function statementCache(database: Database): (text: string) => Statement {
  const known = new Map<string, Statement>();
  return (text) => {
    const statement = known.get(text) ?? database.prepare(text);
    known.set(text, statement);
    return statement;
  };
}

/** Runs what needs an open database, with errors of SQLite translated. */
type Ask = <T>(work: () => T) => T;

function viewTable(database: Database, ask: Ask, lastSeq: () => Seq | 0): ViewCache {
  const load = database.prepare('SELECT seq, encoded FROM view WHERE name = ? AND version = ? AND seq <= ?');
  const save = database.prepare('INSERT OR REPLACE INTO view (name, version, seq, encoded) VALUES (?, ?, ?, ?)');
  return {
    load(name, version) {
      const row = ask(() => load.get(toColumn(name), version, lastSeq()));
      if (row === undefined) return null;
      return { seq: Number(row.seq) as Seq | 0, encoded: parse(row.encoded, `view ${name}`) };
    },
    save(name, version, seq, encoded) {
      ask(() => save.run(toColumn(name), version, seq, JSON.stringify(encoded)));
    },
  };
}

function markTable(database: Database, ask: Ask): Marks {
  const read = database.prepare('SELECT value FROM meta WHERE key = ?');
  const write = markWriter(database);
  return {
    get(key) {
      const value = ask(() => read.get(markKey(key)))?.value;
      return value === undefined ? null : (parse(value, `mark ${key}`) as string);
    },
    set: (key, value) => ask(() => write(key, value)),
  };
}

/** Writes one operation under a number of the caller's choice, inside the caller's transaction. */
export function operationInserter(database: Database): (seq: number, at: number, body: OperationBody) => void {
  const insert = database.prepare(
    'INSERT INTO operation (seq, at, kind, session, call, body) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const touch = database.prepare('INSERT INTO touched (seq, path) SELECT ?, value FROM json_each(?)');
  return (seq, at, body) => {
    const paths = pathsOf(body);
    const session = sessionOfOperation(body);
    const call = callOfOperation(body);
    insert.run(
      seq,
      at,
      toColumn(body.kind),
      session === null ? null : toColumn(session),
      call === null ? null : toColumn(call),
      JSON.stringify(body),
    );
    if (paths.size > 0) touch.run(seq, JSON.stringify(Array.from(paths, toColumn)));
  };
}

export function operationOf(row: Row): Operation {
  const body = parse(row.body, `operation ${row.seq}`) as OperationBody;
  return { ...body, seq: Number(row.seq) as Seq, at: Number(row.at) };
}

function parse(text: unknown, what: string): unknown {
  try {
    return JSON.parse(String(text));
  } catch (error) {
    throw new LogError('damaged', `${what} cannot be read`, error);
  }
}

/**
 * A log that was begun before freed bytes were overwritten still has them in its free pages and gaps; and the write-ahead
 * file has the pages of before. The file is written anew, and that file emptied.
 */
function writeAnew(database: Database): void {
  database.exec('VACUUM');
  if (database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy !== 0)
    throw new LogError('busy', 'another process reads the log, and keeps what was to be forgotten in it');
}

/**
 * The driver for older Nodes ends a connection only when its statements are garbage-collected, so SQLite's own tidying
 * at the end would come late or never. What cannot be moved now stays in the write-ahead file and is read from there.
 */
function emptyWriteAhead(database: Database): void {
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (!(asLogError(error) instanceof LogError)) throw error;
  }
}

/** Keys of callers are kept apart from those that the log writes for itself. */
const CALLERS_KEY = 'of:';

function markKey(key: string): string {
  return toColumn(CALLERS_KEY + key);
}

/** Everything that callers have set. */
export function marksIn(database: Database): ReadonlyMap<string, string> {
  const rows = database.prepare('SELECT key, value FROM meta').all();
  const texts = rows.map(({ key, value }) => [fromColumn(String(key)), String(value)] as const);
  const callers = texts.filter(([key]) => key.startsWith(CALLERS_KEY));
  return new Map(callers.map(([key, value]) => [key.slice(CALLERS_KEY.length), parse(value, `meta ${key}`) as string]));
}

export function markWriter(database: Database): (key: string, value: string) => void {
  const set = database.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)');
  return (key, value) => void set.run(markKey(key), JSON.stringify(value));
}
