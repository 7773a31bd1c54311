import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Operation } from '@palimpsest/core';
import { replaceFile, syncPath } from '../files/durable.js';
import { DamagedLog, highestNumber } from './damaged-log.js';
import { knownFiles } from './known-files.js';
import { configure, sizeOf } from './open-log.js';
import { migrate } from './schema.js';
import { closedAfter, type Database, openDatabase, transact } from './sqlite.js';
import { markWriter, operationInserter } from './sqlite-log.js';

/** No operation takes less room than this, so a file's size says how many can have been in it. */
const LEAST_BYTES_PER_OPERATION = 32;
/** A database and what SQLite keeps beside it. The database goes last: while it stands, the rest belongs to it. */
const SUFFIXES = ['-wal', '-shm', ''];

type SalvageOptions = {
  /** The marks that speak of the table of known files. */
  readonly marksOfFiles: readonly string[];
  /** Whether what is built on operations can take this one, after those before it. */
  readonly accepts: (operation: Operation) => boolean;
};

/**
 * Puts a damaged or lost log aside and a new one in its place, with all that can still be read. A process that dies on
 * the way leaves a note, and the next one goes on from there.
 *
 * The table of known files is taken over whole or not at all, and so are the marks that speak of it: with half
 * of it the other half would look new.
 */
export async function salvageLog(file: string, options: SalvageOptions): Promise<void> {
  const aside = join(dirname(file), readText(noteOf(file)) ?? (await writeNote(file)));
  for (const suffix of SUFFIXES)
    if (existsSync(file + suffix) && !existsSync(aside + suffix)) renameSync(file + suffix, aside + suffix);
  // What is left of a log without its file is set aside all the same, and found by the name of that.
  if (!existsSync(aside)) writeFileSync(aside, '');
  const fresh = `${file}.new`;
  for (const suffix of SUFFIXES) rmSync(fresh + suffix, { force: true });
  const last = closedAfter(openDatabase(fresh, {}), (target) => {
    configure(target, 'normal');
    migrate(target);
    const number = fill(target, file, aside, options);
    // It stays alone in its place: nothing may be left beside it.
    if (target.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy !== 0) throw new Error(`${fresh} is in use`);
    return number;
  });
  await replaceFile(floorOf(file), String(last), 'full');
  await syncPath(fresh);
  for (const suffix of ['-wal', '-shm']) rmSync(fresh + suffix, { force: true });
  renameSync(fresh, file);
  await syncPath(dirname(file));
  rmSync(noteOf(file));
}

/** Whether a process died while it salvaged this log; then another may stand in its place, or none. */
export function salvageIsUnfinished(file: string): boolean {
  return existsSync(noteOf(file));
}

/** Answers the number of the last operation, which says that the log was salvaged. */
function fill(target: Database, file: string, aside: string, { marksOfFiles, accepts }: SalvageOptions): number {
  const floor = Number(readText(floorOf(file)) ?? 0);
  const bounds = { floor, most: mostOperationsIn(aside) };
  const insert = operationInserter(target);
  let [last, taken] = [0, 0];
  const takeOver = (source: DamagedLog) => {
    for (const some of source.operations()) {
      const good = some.filter(accepts);
      transact(target, () => {
        for (const { seq, at, ...body } of good) insert(seq, at, body);
      });
      last = some.at(-1)?.seq ?? last;
      taken += good.length;
    }
    const states = source.files();
    const marks = [...source.marks()].filter(([key]) => states !== null || !marksOfFiles.includes(key));
    const writeMark = markWriter(target);
    transact(target, () => {
      knownFiles(target).apply({ files: states ?? [] });
      for (const [key, value] of marks) writeMark(key, value);
    });
  };
  // Opening a file of no length would make SQLite throw away what stands beside it.
  if (bounds.most > 0 && sizeOf(aside) > 0) closedAfter(DamagedLog.open(aside, bounds), takeOver);
  const next = highestNumber(bounds, last) + 1;
  transact(target, () => insert(next, Date.now(), { kind: 'log-salvaged', aside: basename(aside), taken }));
  return next;
}

function mostOperationsIn(file: string): number {
  const bytes = SUFFIXES.map((suffix) => sizeOf(file + suffix)).reduce((sum, size) => sum + size, 0);
  return Math.ceil(bytes / LEAST_BYTES_PER_OPERATION);
}

function noteOf(file: string): string {
  return `${file}.salvaging`;
}

/** Says which number the last salvage went on from: in a second one, the size of the file does not tell that. */
function floorOf(file: string): string {
  return `${file}.floor`;
}

async function writeNote(file: string): Promise<string> {
  const aside = `${basename(file)}.damaged-${Date.now()}`;
  await replaceFile(noteOf(file), aside, 'full');
  return aside;
}

function readText(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
