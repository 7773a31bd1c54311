import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '@palimpsest/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../../../../test/folder.fixture.js';
import { cases } from '../../../../test/search.fixture.js';
import { foldsEach, Views } from '../store/views.js';
import { changedByHuman, fileChange, fileState, prompted } from './log.fixture.js';
import type { Log } from './log.js';
import { openLog } from './open-log.js';
import { salvageIsUnfinished, salvageLog } from './salvage.js';
import { closedAfter, openDatabase } from './sqlite.js';

const PAGE = 4096;
const OPTIONS = { marksOfFiles: ['of-files'], accepts: () => true };
const folder = newFolder();

function open(file: string): Log {
  const opened = openLog({ file });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  return opened.value;
}

/** Written once and copied for each damage. */
const whole = join(folder, 'whole.db');
const written: readonly Operation[] = (() => {
  const log = open(whole);
  for (let n = 1; n <= 1500; n++) {
    const body = n % 3 === 0 ? changedByHuman(fileChange(`f${n % 7}`)) : prompted(`${n}`.repeat(20));
    log.append({ bodies: [body], at: n, files: [fileState(`f${n}`)] });
  }
  log.marks.set('of-files', 'taken');
  log.marks.set('other', 'kept');
  log.close();
  const again = open(whole);
  const all = again.read(0, 5000);
  again.close();
  return all;
})();

function copied(): string {
  const file = join(newFolder(), 'log.sqlite');
  copyFileSync(whole, file);
  return file;
}

function overwrite(file: string, at: number, bytes: Uint8Array): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, 0, bytes.length, at);
  closeSync(handle);
}

/** Opens what salvaging left and checks what must hold whatever was damaged; answers how many operations came through. */
function checkSalvaged(file: string, damaged: Uint8Array): number {
  expect(salvageIsUnfinished(file)).toBe(false);
  const names = readdirSync(join(file, '..'));
  const aside = names.filter((name) => /damaged-\d+$/.test(name));
  expect(aside).toHaveLength(1);
  expect(readFileSync(join(file, '..', aside[0] ?? '')).equals(damaged)).toBe(true);
  expect(names.filter((name) => /\.new|salvaging/.test(name))).toEqual([]);
  const log = open(file);
  const taken = log.read(0, 5000);
  const last = taken.at(-1);
  expect(last).toMatchObject({ kind: 'log-salvaged', aside: aside[0], taken: taken.length - 1 });
  // Its size is all that a file tells of which nothing can be read.
  if (taken.length > 1) expect(last?.seq).toBeGreaterThan(written.length);
  const originals = new Map(written.map((operation) => [operation.seq, operation]));
  for (const operation of taken.slice(0, -1)) expect(operation).toEqual(originals.get(operation.seq));
  const files = [...log.files.all()];
  expect([0, written.length]).toContain(files.length);
  if (log.marks.get('of-files') !== null) expect(files).toHaveLength(written.length);
  expect(log.append({ bodies: [prompted('next')], at: 1 })[0]?.seq).toBe((last?.seq ?? 0) + 1);
  log.close();
  return taken.length - 1;
}

async function salvaged(damage: (file: string) => void): Promise<number> {
  const file = copied();
  damage(file);
  const damaged = readFileSync(file);
  await salvageLog(file, OPTIONS);
  return checkSalvaged(file, damaged);
}

describe('[CHK8d] what can be read of a damaged log goes into a new one, and the damaged one is kept', () => {
  test('nothing is damaged: all of it', async () => {
    expect(await salvaged(() => undefined)).toBe(written.length);
  });
  test('text in its place: nothing', async () => {
    expect(await salvaged((file) => writeFileSync(file, 'no database, but long enough for one. '.repeat(99)))).toBe(0);
  });
  test('noise over the schema: nothing', async () => {
    expect(await salvaged((file) => overwrite(file, 100, new Uint8Array(PAGE).fill(0xa5)))).toBe(0);
  });
  test.each([0.25, 0.5, 0.75, 0.95])('cut off at %d of its length: as much as is left of it', async (part) => {
    const taken = await salvaged((file) => truncateSync(file, Math.floor((statSync(file).size * part) / PAGE) * PAGE));
    expect(taken).toBeGreaterThan((written.length * part) / 2);
    expect(taken).toBeLessThan(written.length);
  });
  test('its last page is gone: nearly everything', async () => {
    expect(await salvaged((file) => truncateSync(file, statSync(file).size - PAGE))).toBeGreaterThan(1400);
  });

  test('noise anywhere: no operation is made up or altered, and a page costs what is in it', async () => {
    const pages = statSync(whole).size / PAGE;
    let [none, most] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: pages - 1 }),
        fc.uint8Array({ minLength: 1, maxLength: 64 }),
        async (page, noise) => {
          const taken = await salvaged((file) => overwrite(file, page * PAGE, Buffer.alloc(PAGE, Buffer.from(noise))));
          if (taken === 0) none += 1;
          else most = Math.max(most, written.length - taken);
        },
      ),
      { numRuns: cases({ brief: 12, long: 40 }) },
    );
    // The roots of the tables and of their indexes are few; any other page holds some dozens of operations at most.
    expect(none).toBeLessThan(10);
    expect(most).toBeLessThan(100);
  });

  test('bits flipped anywhere: it ends, and the new log can be read and folded', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { minLength: 1, maxLength: 20 }), async (places) => {
        const file = copied();
        const bytes = readFileSync(file);
        for (const place of places) bytes[Math.floor(place / 8) % bytes.length]! ^= 1 << (place % 8);
        writeFileSync(file, bytes);
        await salvageLog(file, { ...OPTIONS, accepts: foldsEach() });
        const log = open(file);
        new Views(log);
        expect([...log.files.all()].length).toBeLessThanOrEqual(written.length);
        log.close();
      }),
      { numRuns: cases({ brief: 12, long: 40 }) },
    );
  });

  test('an operation that the views cannot take: all the others', async () => {
    const file = copied();
    closedAfter(openDatabase(file, {}), (database) =>
      database.exec(`UPDATE operation SET body = replace(body, '"author"', '"auth0r"') WHERE seq = 3`),
    );
    await salvageLog(file, { ...OPTIONS, accepts: foldsEach() });
    const log = open(file);
    new Views(log);
    expect(log.get(3 as never)).toBeNull();
    expect(log.read(0, 5000)).toHaveLength(written.length);
    log.close();
  });

  test('salvaged again and again, no number comes twice', async () => {
    const file = copied();
    let highest = written.length;
    for (const damage of ['noise', 'cut', 'noise', 'none', 'noise'] as const) {
      if (damage === 'noise') writeFileSync(file, Buffer.alloc(statSync(file).size, 'noise'));
      if (damage === 'cut') truncateSync(file, Math.floor(statSync(file).size / 2));
      rmSync(`${file}-wal`, { force: true });
      await salvageLog(file, OPTIONS);
      const log = open(file);
      expect(log.last).toBeGreaterThan(highest);
      for (let n = 0; n < 50; n++) log.append({ bodies: [prompted(`${n}`)], at: n });
      highest = log.last;
      log.close();
    }
  });

  test('a number that cannot be: all the others', async () => {
    const taken = await salvaged((file) =>
      closedAfter(openDatabase(file, {}), (database) =>
        database.exec(`PRAGMA foreign_keys = OFF; UPDATE operation SET seq = seq + 1000000000000 WHERE seq > 1498;
          PRAGMA wal_checkpoint(TRUNCATE)`),
      ),
    );
    expect(taken).toBe(written.length - 2);
  });

  test('a lost end of a large log is given up soon', async () => {
    // Asked for one by one, so many numbers would take longer than a test may.
    const file = copied();
    truncateSync(file, PAGE * 20);
    truncateSync(file, 1024 * 1024 * 1024);
    await salvageLog(file, OPTIONS);
    expect(open(file).last).toBeGreaterThan(written.length);
  });

  test('an operation that is no JSON any more: all the others', async () => {
    const taken = await salvaged((file) =>
      closedAfter(openDatabase(file, {}), (database) =>
        database.exec("UPDATE operation SET body = '{broken' WHERE seq = 700; PRAGMA wal_checkpoint(TRUNCATE)"),
      ),
    );
    expect(taken).toBe(written.length - 1);
  });

  const deaths: readonly (readonly [string, (file: string, aside: string) => void])[] = [
    ['after the note', () => undefined],
    ['after the write-ahead file was moved', (_, aside) => writeFileSync(`${aside}-wal`, '')],
    ['after the log was moved', (file, aside) => renameSync(file, aside)],
    [
      'while the new one was filled',
      (file, aside) => {
        renameSync(file, aside);
        writeFileSync(`${file}.new`, readFileSync(aside).subarray(0, 3 * PAGE));
      },
    ],
    [
      'before the note was removed',
      (file, aside) => {
        copyFileSync(file, aside);
        writeFileSync(file, '');
      },
    ],
  ];
  test.each(deaths)('a process that died %s is continued', async (_, die) => {
    const file = copied();
    const damaged = readFileSync(file);
    writeFileSync(`${file}.salvaging`, 'log.sqlite.damaged-7');
    die(file, `${file}.damaged-7`);
    expect(salvageIsUnfinished(file)).toBe(true);
    await salvageLog(file, OPTIONS);
    expect(checkSalvaged(file, damaged)).toBe(written.length);
    expect(existsSync(`${file}.damaged-7`)).toBe(true);
  });

  test('what stands in the write-ahead file is read too', async () => {
    const file = copied();
    const log = open(file);
    const [late] = log.append({ bodies: [prompted('late')], at: 9999 });
    const place = newFolder();
    const copy = join(place, 'log.sqlite');
    for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy + suffix);
    log.close();
    await salvageLog(copy, OPTIONS);
    const again = open(copy);
    expect(again.get(late?.seq as never)).toEqual(late);
    again.close();
  });
});
