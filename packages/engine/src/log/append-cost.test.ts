import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../../../test/folder.fixture.js';
import { changedByCall, fileChange, fileState } from './log.fixture.js';
import type { Log } from './log.js';
import { openLog } from './open-log.js';
import { closedAfter, openDatabase } from './sqlite.js';

const OPERATIONS = 20_000;

test(`[REC4b] an append writes as much into a log of ${OPERATIONS} operations as into a new one`, () => {
  const file = join(newFolder(), 'log.db');
  const opened = openLog({ file });
  if (!opened.ok) throw new Error(opened.error.code);
  const log = opened.value;
  const first = bytesOfOne(log, file, 1);
  append(
    log,
    Array.from({ length: OPERATIONS }, (_, index) => index + 2),
  );
  const last = bytesOfOne(log, file, OPERATIONS + 2);
  log.close();
  // A page that is full becomes two.
  expect(last).toBeLessThanOrEqual(first * 2);
});

function append(log: Log, numbers: readonly number[]): void {
  const named = numbers.map((n) => ({ call: `call-${n}`, path: `src/folder-${n % 50}/file-${n}.ts` }));
  log.append({
    bodies: named.map(({ call, path }) => changedByCall('s', call, fileChange(path))),
    at: 1,
    files: named.map(({ path }) => fileState(path)),
  });
}

/** What one append adds to the write-ahead file. */
function bytesOfOne(log: Log, file: string, n: number): number {
  closedAfter(openDatabase(file, {}), (database) => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
  expect(statSync(`${file}-wal`).size).toBe(0);
  append(log, [n]);
  return statSync(`${file}-wal`).size;
}
