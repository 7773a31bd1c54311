import type { Operation, OperationBody, Seq } from '@palimpsest/core';
import { callOfOperation, sessionOfOperation } from '@palimpsest/core';
import { fromColumn, toColumn } from './column.js';
import { findSql } from './find-query.js';
import { knownFiles } from './known-files.js';
import { checkTime, type Log, type LogEntry, LogError, pathsOf } from './log.js';
import { asLogError, attempt, type Database, type Row, type Statement, transact } from './sqlite.js';

/** A log in a database whose schema is up to date. It closes the database with itself. */
export function sqliteLog(database: Database): Log {
  const statements = prepareAll(database);
  const insert = operationInserter(database);
  const writeMeta = metaWriter(database);
  const files = knownFiles(database);
  const finders = new Map<string, Statement>();

  const lastSeq = () => Number(statements.last.get()?.last ?? 0) as Seq | 0;
  const open = (): void => {
    if (!database.isOpen) throw new LogError('closed', 'the log is closed');
  };

  function write(entry: LogEntry): readonly Operation[] {
    let seq = lastSeq() as number;
    const operations = entry.bodies.map((body) => {
      seq += 1;
      insert(seq, entry.at, body);
      return { ...body, seq: seq as Seq, at: entry.at };
    });
    files.apply(entry);
    return operations;
  }

  function finder(text: string): Statement {
    const known = finders.get(text);
    if (known !== undefined) return known;
    const prepared = database.prepare(text);
    finders.set(text, prepared);
    return prepared;
  }

  return {
    get last() {
      open();
      return attempt(lastSeq);
    },
    append(entry) {
      open();
      checkTime(entry.at);
      const operations = transact(database, () => write(entry));
      files.applied(entry);
      return operations;
    },
    read(since, limit) {
      open();
      return attempt(() => statements.read.all(since, limit)).map(operationOf);
    },
    get(seq) {
      open();
      const row = attempt(() => statements.get.get(seq));
      return row === undefined ? null : operationOf(row);
    },
    find(query) {
      open();
      const { text, values } = findSql(query);
      return attempt(() => finder(text).all(...values)).map(operationOf);
    },
    files() {
      open();
      return files.all();
    },
    async replaceFiles(states, giveWay) {
      open();
      await files.replace(states, giveWay);
    },
    loadView(name, version) {
      open();
      const row = attempt(() => statements.loadView.get(toColumn(name), version, lastSeq()));
      if (row === undefined) return null;
      return { seq: Number(row.seq) as Seq | 0, encoded: parse(row.encoded, `view ${name}`) };
    },
    saveView(name, version, seq, encoded) {
      open();
      attempt(() => statements.saveView.run(toColumn(name), version, seq, JSON.stringify(encoded)));
    },
    meta(key) {
      open();
      const value = attempt(() => statements.meta.get(metaKey(key)))?.value;
      return value === undefined ? null : (parse(value, `meta ${key}`) as string);
    },
    setMeta(key, value) {
      open();
      attempt(() => writeMeta(key, value));
    },
    redact(operations) {
      open();
      transact(database, () => {
        for (const { seq, at: _, ...body } of operations)
          statements.redact.run(JSON.stringify(body), seq, toColumn(body.kind));
        statements.dropViews.run();
      });
      attempt(() => writeAnew(database));
    },
    close() {
      if (!database.isOpen) return;
      emptyWriteAhead(database);
      database.close();
    },
  };
}

function prepareAll(database: Database) {
  return {
    last: database.prepare('SELECT max(seq) AS last FROM operation'),
    redact: database.prepare('UPDATE operation SET body = ? WHERE seq = ? AND kind = ?'),
    dropViews: database.prepare('DELETE FROM view'),
    read: database.prepare('SELECT seq, at, body FROM operation WHERE seq > ? ORDER BY seq LIMIT ?'),
    get: database.prepare('SELECT seq, at, body FROM operation WHERE seq = ?'),
    loadView: database.prepare('SELECT seq, encoded FROM view WHERE name = ? AND version = ? AND seq <= ?'),
    saveView: database.prepare('INSERT OR REPLACE INTO view (name, version, seq, encoded) VALUES (?, ?, ?, ?)'),
    meta: database.prepare('SELECT value FROM meta WHERE key = ?'),
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

function metaKey(key: string): string {
  return toColumn(CALLERS_KEY + key);
}

/** Everything that callers have set. */
export function metaIn(database: Database): ReadonlyMap<string, string> {
  const rows = database.prepare('SELECT key, value FROM meta').all();
  const texts = rows.map(({ key, value }) => [fromColumn(String(key)), String(value)] as const);
  const callers = texts.filter(([key]) => key.startsWith(CALLERS_KEY));
  return new Map(callers.map(([key, value]) => [key.slice(CALLERS_KEY.length), parse(value, `meta ${key}`) as string]));
}

export function metaWriter(database: Database): (key: string, value: string) => void {
  const set = database.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)');
  return (key, value) => void set.run(metaKey(key), JSON.stringify(value));
}
