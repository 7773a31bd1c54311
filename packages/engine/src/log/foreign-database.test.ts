import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../../../../test/folder.fixture.js';
import { readForeign } from './foreign-database.js';
import { openDatabase } from './sqlite.js';

const NAME = 'a b%20?#ä.db';

describe('a database of another program', () => {
  test('[TRA1f] is read while it is written to, with what is only in its write-ahead log', () => {
    const folder = newFolder();
    const file = join(folder, NAME);
    const writer = openDatabase(file, {});
    writer.exec('PRAGMA journal_mode=wal; CREATE TABLE t (x); INSERT INTO t VALUES (1)');
    writer.exec('BEGIN IMMEDIATE; INSERT INTO t VALUES (2)');
    const count = () => readForeign(file, (ask) => ask('SELECT count(*) AS n FROM t')[0]?.n);
    // The writer holds its lock, and neither of us waits.
    expect(count()).toBe(1);
    writer.exec('COMMIT; INSERT INTO t VALUES (3)');
    expect(count()).toBe(3);
    writer.close();
  });

  test('[TRA1f] that nobody has open is left exactly as it lies', () => {
    const folder = newFolder();
    const file = join(folder, NAME);
    const writer = openDatabase(file, {});
    writer.exec('PRAGMA journal_mode=wal; CREATE TABLE t (x); INSERT INTO t VALUES (1)');
    writer.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode=delete; PRAGMA journal_mode=wal');
    writer.close();
    const before = [readdirSync(folder), readFileSync(file), statSync(file).mtimeMs];
    expect(readForeign(file, (ask) => ask('SELECT x FROM t').map(({ x }) => x))).toEqual([1]);
    expect([readdirSync(folder), readFileSync(file), statSync(file).mtimeMs]).toEqual(before);
  });

  test('[TRA1e] that is none, or not there, is an error and nothing is made', () => {
    const folder = newFolder();
    expect(() => readForeign(join(folder, NAME), (ask) => ask('SELECT 1'))).toThrow('ENOENT');
    expect(readdirSync(folder)).toEqual([]);
  });
});
