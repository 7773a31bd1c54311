import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asPath, asSeq, isKnownKind } from '@palimpsest/core';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../../../../test/folder.fixture.js';
import { changedByHuman, fileChange, fileState, prompted } from './log.fixture.js';
import type { Log } from './log.js';
import { openLog } from './open-log.js';
import { migrate, SCHEMA_VERSION } from './schema.js';
import { type Database, openDatabase } from './sqlite.js';
import { sqliteLog } from './sqlite-log.js';

const folder = newFolder();
let count = 0;
const newFile = () => join(folder, `${++count}.db`);

function open(file: string): Log {
  const opened = openLog({ file });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  return opened.value;
}

function withDatabase<T>(file: string, work: (database: Database) => T): T {
  const database = openDatabase(file, { timeout: 1000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

function writtenLog(operations: number): string {
  const file = newFile();
  const log = open(file);
  for (let n = 1; n <= operations; n++)
    log.append({ bodies: [prompted(`${n}`.repeat(50))], at: n, files: [fileState(`f${n}`)] });
  log.close();
  return file;
}

describe('opening', () => {
  test('[SRV5j] everything is there again', async () => {
    const file = newFile();
    const log = open(file);
    const appended = log.append({
      bodies: [prompted('a'), changedByHuman(fileChange('x', 'y'))],
      at: 1.5,
      files: [fileState('x')],
    });
    await log.files.replace([fileState('x'), fileState('z')]);
    log.marks.set('k', 'v');
    log.views.save('v', 1, asSeq(2), [1]);
    log.close();
    const again = open(file);
    expect(again.read(0, 10)).toEqual(appended);
    expect([...again.files.all()]).toEqual([fileState('x'), fileState('z')]);
    expect([again.marks.get('k'), again.views.load('v', 1)]).toEqual(['v', { seq: 2, encoded: [1] }]);
    again.close();
  });

  test('[SRV5j] an empty file and an empty database are at version 0 and become a log', () => {
    const [empty, blank] = [newFile(), newFile()];
    writeFileSync(empty, '');
    withDatabase(blank, (database) => database.exec('PRAGMA user_version = 0; VACUUM'));
    for (const file of [empty, blank]) {
      open(file).close();
      expect(withDatabase(file, (database) => database.prepare('PRAGMA user_version').get()?.user_version)).toBe(
        SCHEMA_VERSION,
      );
      expect(withDatabase(file, (database) => database.prepare('PRAGMA journal_mode').get()?.journal_mode)).toBe('wal');
    }
  });

  test('[SRV5j] a migration that fails leaves the version it started from', () => {
    const file = newFile();
    withDatabase(file, (database) => {
      // The last statement of the first step will find its name taken.
      database.exec('CREATE TABLE meta (x)');
      expect(() => migrate(database)).toThrow(/meta/);
      expect(database.prepare('SELECT name FROM sqlite_schema').all()).toHaveLength(1);
      expect(database.prepare('PRAGMA user_version').get()?.user_version).toBe(0);
    });
  });

  test('[SRV5j] a log of a newer version is refused and its file untouched', () => {
    const file = writtenLog(3);
    withDatabase(file, (database) => database.exec('PRAGMA user_version = 99'));
    const before = readFileSync(file);
    expect(openLog({ file })).toEqual({
      ok: false,
      error: { code: 'newer', file, version: 99, known: SCHEMA_VERSION },
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('[SRV5j] a newer version that still stands in the write-ahead file is refused too', () => {
    const file = writtenLog(3);
    const left = newFile();
    withDatabase(file, (database) => {
      database.exec('PRAGMA user_version = 99');
      for (const end of ['', '-wal', '-shm']) copyFileSync(file + end, left + end);
    });
    const before = [readFileSync(left), readFileSync(`${left}-wal`)];
    expect(openLog({ file: left })).toMatchObject({ ok: false, error: { code: 'newer', version: 99 } });
    expect([readFileSync(left), readFileSync(`${left}-wal`)]).toEqual(before);
  });

  test('[SRV5j] the database of another program is refused and its file untouched', () => {
    const file = newFile();
    withDatabase(file, (database) => database.exec('CREATE TABLE theirs (x)'));
    const before = readFileSync(file);
    expect(openLog({ file })).toEqual({ ok: false, error: { code: 'not-a-log', file } });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('an operation of an unknown kind is handed out as it was stored', () => {
    const file = writtenLog(1);
    const body = { kind: 'dreamt', of: ['sheep'], seq: 77 };
    withDatabase(file, (database) =>
      database.prepare('INSERT INTO operation VALUES (2, 3, ?, NULL, NULL, ?)').run(body.kind, JSON.stringify(body)),
    );
    const log = open(file);
    const [operation] = log.read(asSeq(1), 1);
    expect(operation).toEqual({ kind: 'dreamt', of: ['sheep'], seq: 2, at: 3 });
    expect(isKnownKind(operation?.kind ?? '')).toBe(false);
    expect(log.append({ bodies: [prompted('next')], at: 4 })[0]?.seq).toBe(3);
    log.close();
  });
});

describe('damage', () => {
  const damages: readonly (readonly [string, (file: string) => void])[] = [
    [
      'text in its place',
      (file) => writeFileSync(file, 'not a database, and long enough to have a header. '.repeat(99)),
    ],
    ['a cut-off end', (file) => truncateSync(file, 3 * 4096)],
    ['a page of noise in the middle', (file) => overwrite(file, 4 * 4096, 4096)],
    ['a page of noise at the start', (file) => overwrite(file, 100, 4096)],
  ];
  test.each(damages)('[CHK8d] %s is answered as damaged, and the file stays in place', (_, damage) => {
    const file = writtenLog(200);
    damage(file);
    const before = readFileSync(file);
    expect(openLog({ file })).toMatchObject({ ok: false, error: { code: 'damaged', file } });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('[CHK8d] an operation that is no longer JSON is reported when it is read, and the others can be read', () => {
    const file = writtenLog(3);
    withDatabase(file, (database) => database.exec("UPDATE operation SET body = '{broken' WHERE seq = 2"));
    const log = open(file);
    expect(() => log.get(asSeq(2))).toThrow(
      expect.objectContaining({ code: 'damaged', message: 'operation 2 cannot be read' }),
    );
    expect(log.get(asSeq(3))?.kind).toBe('prompted');
    log.close();
  });

  test('a folder that is not there is an answer, not a crash', () => {
    const file = join(folder, 'nowhere', 'log.db');
    expect(openLog({ file })).toMatchObject({ ok: false, error: { code: 'io', file } });
  });
});

describe('two connections', () => {
  test('[SRV5k] each sees what the other appended, and no seq is given twice', () => {
    const file = newFile();
    const [a, b] = [open(file), open(file)];
    for (let n = 0; n < 20; n++)
      (n % 3 === 0 ? a : b).append({ bodies: [prompted(`${n}`)], at: n, files: [fileState(`f${n}`)] });
    expect([a.last, b.last, [...a.files.all()].length]).toEqual([20, 20, 20]);
    expect(b.read(0, 99)).toEqual(a.read(0, 99));
    a.close();
    expect(b.append({ bodies: [prompted('on')], at: 1 })[0]?.seq).toBe(21);
    b.close();
  });

  test('[SRV5k] one that another process keeps from writing says so and goes on afterwards', () => {
    const file = newFile();
    const opened = openLog({ file, busyTimeoutMs: 20 });
    if (!opened.ok) throw new Error(opened.error.code);
    withDatabase(file, (database) => {
      database.exec('BEGIN IMMEDIATE');
      expect(() => opened.value.append({ bodies: [prompted('a')], at: 1 })).toThrow(
        expect.objectContaining({ code: 'busy' }),
      );
    });
    expect(opened.value.append({ bodies: [prompted('a')], at: 1 })[0]?.seq).toBe(1);
    opened.value.close();
  });
});

describe('a full disk', () => {
  const big = () => prompted('x'.repeat(100_000));

  test('[SRV5e] an append that does not fit leaves nothing, and works again when there is space', async () => {
    const database = openDatabase(newFile(), { timeout: 1000 });
    migrate(database);
    const log = sqliteLog(database);
    log.append({ bodies: [prompted('a')], at: 1, files: [fileState('a')] });
    const pages = Number(database.prepare('PRAGMA page_count').get()?.page_count);
    database.exec(`PRAGMA max_page_count = ${pages + 5}`);
    const refused = () => log.append({ bodies: [big(), big()], at: 2, files: [fileState('b')], gone: [asPath('a')] });
    expect(refused).toThrow(expect.objectContaining({ name: 'LogError', code: 'no-space' }));
    await expect(log.files.replace(Array.from({ length: 3000 }, (_, n) => fileState(`n${n}`)))).rejects.toMatchObject({
      code: 'no-space',
    });
    expect([log.last, [...log.files.all()].length, [...log.files.all()][0]?.path]).toEqual([1, 1, 'a']);
    database.exec('PRAGMA max_page_count = 100000');
    expect(log.append({ bodies: [big()], at: 2 })[0]?.seq).toBe(2);
    await log.files.replace([fileState('new')]);
    expect([...log.files.all()]).toEqual([fileState('new')]);
    log.close();
  });

  test.skipIf(!canMount())('[SRV5e] a file system without space behaves the same', () => {
    const mount = join(folder, 'tiny');
    mkdirSync(mount);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', mount]);
    try {
      const log = open(join(mount, 'log.db'));
      let kept = 0;
      const fill = () => {
        for (;;) {
          log.append({ bodies: [big()], at: 1 });
          kept += 1;
        }
      };
      expect(fill).toThrow(expect.objectContaining({ code: 'no-space' }));
      expect([log.last, log.read(0, 99).length]).toEqual([kept, kept]);
      execFileSync('mount', ['-o', 'remount,size=8m', mount]);
      expect(log.append({ bodies: [big()], at: 1 })[0]?.seq).toBe(kept + 1);
      log.close();
      expect(open(join(mount, 'log.db')).last).toBe(kept + 1);
    } finally {
      execFileSync('umount', ['-l', mount]);
    }
  });
});

test('[CHK6g] replacing 50,000 files lets the event loop go on, and what is appended meanwhile wins', async () => {
  const log = open(newFile());
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const all = Array.from({ length: 50_000 }, (_, n) => fileState(`src/${n % 300}/file-${n}.ts`));
  const replaced = log.files.replace(all);
  await new Promise((resolve) => setTimeout(resolve, 5));
  log.append({
    bodies: [],
    at: 1,
    files: [fileState('src/0/file-0.ts', 9), fileState('extra')],
    gone: [asPath('src/1/file-1.ts')],
  });
  expect(() => log.append({ bodies: [], at: Number.NaN, files: [fileState('never')] })).toThrow();
  await replaced;
  clearInterval(timer);
  expect([...log.files.all()].length).toBe(50_000);
  const states = new Map([...log.files.all()].map((state) => [state.path as string, state]));
  expect([
    states.get('src/0/file-0.ts')?.size,
    states.has('extra'),
    states.has('src/1/file-1.ts'),
    states.has('never'),
  ]).toEqual([9, true, false, false]);
  // A chunk is some milliseconds long, so there were many; in one go there would have been none.
  expect(turns).toBeGreaterThan(3);
  log.close();
});

test('closing while files are replaced ends that with a clear error, and the old table stands', async () => {
  const file = newFile();
  const log = open(file);
  log.append({ bodies: [], at: 1, files: [fileState('old')] });
  const replaced = log.files.replace(Array.from({ length: 30_000 }, (_, n) => fileState(`n${n}`)));
  const outcome = expect(replaced).rejects.toMatchObject({ code: 'closed' });
  await new Promise((resolve) => setTimeout(resolve, 5));
  log.close();
  await outcome;
  const again = open(file);
  expect([...again.files.all()]).toEqual([fileState('old')]);
  await again.files.replace([fileState('new')]);
  expect([...again.files.all()]).toEqual([fileState('new')]);
  again.close();
});

test('a closed log has everything in its one file', () => {
  const dir = newFolder();
  const log = open(join(dir, 'log.db'));
  log.append({ bodies: [prompted('a')], at: 1 });
  log.close();
  copyFileSync(join(dir, 'log.db'), join(dir, 'copy.db'));
  const copy = open(join(dir, 'copy.db'));
  expect(copy.last).toBe(1);
  copy.close();
});

function overwrite(file: string, from: number, length: number): void {
  const bytes = readFileSync(file);
  bytes.fill(0xa5, from, from + length);
  writeFileSync(file, bytes);
}

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const probe = newFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', probe], { stdio: 'ignore' });
    execFileSync('umount', [probe], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
}
