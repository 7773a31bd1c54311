import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DamagedLog } from './damaged-log.js';
import { knownFiles } from './known-files.js';
import { configure } from './open-log.js';
import { migrate } from './schema.js';
import { closedAfter, type Database, openDatabase, transact } from './sqlite.js';
import { metaWriter, operationInserter } from './sqlite-log.js';

/** No operation takes less room than this, so a file's size says how many can have been in it. */
const LEAST_BYTES_PER_OPERATION = 32;
/** A database and what SQLite keeps beside it. The database goes last: while it stands, the rest belongs to it. */
const SUFFIXES = ['-wal', '-shm', ''];

/**
 * Puts a damaged log aside and a new one in its place, with all that can still be read. A process that dies on the way
 * leaves a note, and the next one goes on from there.
 *
 * The table of known files is taken over whole or not at all, and so are the entries of meta that speak of it: with half
 * of it the other half would look new.
 */
export function salvageLog(file: string, metaOfFiles: readonly string[]): void {
  const aside = join(dirname(file), readNote(file) ?? writeNote(file));
  for (const suffix of SUFFIXES)
    if (existsSync(file + suffix) && !existsSync(aside + suffix)) renameSync(file + suffix, aside + suffix);
  const fresh = `${file}.new`;
  for (const suffix of SUFFIXES) rmSync(fresh + suffix, { force: true });
  closedAfter(openDatabase(fresh, {}), (target) => {
    configure(target, 'normal');
    migrate(target);
    closedAfter(DamagedLog.open(aside, mostOperationsIn(aside)), (source) => fill(target, source, aside, metaOfFiles));
    target.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  });
  syncNow(fresh);
  for (const suffix of ['-wal', '-shm']) rmSync(fresh + suffix, { force: true });
  renameSync(fresh, file);
  syncNow(dirname(file));
  rmSync(noteOf(file));
}

/** Whether a process died while it salvaged this log; then another may stand in its place, or none. */
export function salvageIsUnfinished(file: string): boolean {
  return existsSync(noteOf(file));
}

function fill(target: Database, source: DamagedLog, aside: string, metaOfFiles: readonly string[]): void {
  const insert = operationInserter(target);
  let [last, taken] = [0, 0];
  for (const some of source.operations()) {
    transact(target, () => {
      for (const { seq, at, ...body } of some) insert(seq, at, body);
    });
    last = some.at(-1)?.seq ?? last;
    taken += some.length;
  }
  const states = source.files();
  transact(target, () => {
    // Beyond every number that a lost operation can have had.
    insert(last + source.most + 1, Date.now(), { kind: 'log-salvaged', aside: basename(aside), taken });
    knownFiles(target).apply({ files: states ?? [] });
    const writeMeta = metaWriter(target);
    for (const [key, value] of source.meta()) if (states !== null || !metaOfFiles.includes(key)) writeMeta(key, value);
  });
}

function mostOperationsIn(file: string): number {
  const sizes = SUFFIXES.map((suffix) => statSync(file + suffix, { throwIfNoEntry: false })?.size ?? 0);
  return Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / LEAST_BYTES_PER_OPERATION);
}

function noteOf(file: string): string {
  return `${file}.salvaging`;
}

function readNote(file: string): string | null {
  return existsSync(noteOf(file)) ? readFileSync(noteOf(file), 'utf8') : null;
}

function writeNote(file: string): string {
  const aside = `${basename(file)}.damaged-${Date.now()}`;
  const unfinished = `${noteOf(file)}.new`;
  writeFileSync(unfinished, aside);
  syncNow(unfinished);
  renameSync(unfinished, noteOf(file));
  syncNow(dirname(file));
  return aside;
}

function syncNow(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
