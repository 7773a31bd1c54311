import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentOf, trustPath, type WorkspacePath } from '@palimpsest/core';
import type { FileState } from '../log/log.js';
import type { KnownTree } from '../store/known-tree.js';
import { isNameOnly, isUnread, nameOnlyState, unreadState } from '../store/unread.js';
import type { Coverage } from '../tree/coverage.js';
import { rulesTouchedAt, type ScannedTree } from '../tree/scanned-tree.js';
import { type FileStat, lstatAt, sameStat } from '../tree/stat.js';
import type { Opening } from './opening.js';

/** Names taken in between two chances for others to have the thread. */
const NAMES_AT_ONCE = 5_000;
/** Larger files come last: most of what a command changes is small. */
const SMALL_BYTES = 256 * 1024;

type Parts = { readonly known: KnownTree; readonly opening: Opening };

/**
 * Takes the names and stats of all files in, so that from here on nothing can vanish unnoticed. Gives the paths that are
 * still to be looked at: what is gone, then what was touched last, and what is large at the end.
 */
export async function nameAll(
  scanned: ScannedTree,
  coverage: Coverage,
  parts: Parts,
): Promise<readonly WorkspacePath[]> {
  const { known, opening } = parts;
  const cameUnwatched: WorkspacePath[] = [];
  const touchedBefore: WorkspacePath[] = [];
  const differing: { readonly path: WorkspacePath; readonly stat: FileStat }[] = [];
  let met = 0;
  const unmet = new Set(opening.isFirst ? opening.names : null);
  opening.sawRules(rulesTouchedAt(scanned));
  for (const { path, stat } of scanned.files()) {
    unmet.delete(path);
    const state = known.get(path);
    if (state !== null) met += 1;
    if (state !== null && !isUnread(state) && sameStat(state, stat)) continue;
    differing.push({ path, stat });
    if (differing.length % NAMES_AT_ONCE === 0) await nextTurn();
    const named = namedState(state, path, stat, opening);
    if (state?.borrowed && named === null && !matchesButForTime(state, stat)) touchedBefore.push(path);
    if (named === null) continue;
    if (state === null) met += 1;
    if (!opening.isFirst) cameUnwatched.push(path);
    known.set(named);
  }
  const gone = met === known.size ? [] : missingFrom(scanned, parts);
  // What is there and was not met is left out.
  const vanished = [...unmet]
    .map(trustPath)
    .filter((path) => isMissing(path, coverage) && nameOne(path, 0, coverage, parts));
  opening.nameAll(cameUnwatched, touchedBefore);
  return [...vanished, ...gone, ...hottestFirst(differing)];
}

/**
 * For when a call cannot wait for the stats: at least the names are taken in, so that no file that is there is ever taken
 * for a new one, nor vanishes unnoticed.
 */
export function nameOnly(coverage: Coverage, { known, opening }: Parts): void {
  const { names } = opening;
  if (names === null) return;
  for (const name of names) nameOne(trustPath(name), 0, coverage, { known, opening });
  const wasGone = (path: WorkspacePath) => !names.has(path) && isMissing(path, coverage);
  for (const state of [...known.states()]) if (state.borrowed && wasGone(state.path)) known.delete(state.path);
}

/** Takes in that a file was there when watching began, of which nothing else is known. */
export function nameIfThere(path: WorkspacePath, coverage: Coverage, parts: Parts): void {
  if (!parts.opening.wasThere(path)) return;
  const stats = lstatAt(join(coverage.rules.root, path));
  nameOne(path, typeof stats === 'string' ? 0 : stats.size, coverage, parts);
}

/** The size matters where only small files are covered; that of a file that is gone is not known. */
function nameOne(path: WorkspacePath, size: number, coverage: Coverage, { known, opening }: Parts): boolean {
  if (!opening.wasThere(path) || known.get(path) !== null || !coverage.file(path, size).covered) return false;
  known.set(nameOnlyState(path));
  return true;
}

/** The same for all files below the folders among these paths. */
export function nameBelow(paths: Iterable<WorkspacePath>, coverage: Coverage, parts: Parts): void {
  const { opening } = parts;
  const folders = new Set([...paths].filter((path) => opening.names?.has(path) === false));
  if (folders.size === 0) return;
  for (const name of opening.names ?? []) {
    const path = trustPath(name);
    if (isBelowOne(path, folders)) nameIfThere(path, coverage, parts);
  }
}

function isBelowOne(path: WorkspacePath, folders: ReadonlySet<WorkspacePath>): boolean {
  for (let above = parentOf(path); above !== null; above = parentOf(above)) if (folders.has(above)) return true;
  return false;
}

function isMissing(path: WorkspacePath, { rules }: Coverage): boolean {
  return lstatAt(join(rules.root, path)) === 'missing';
}

/** What is known of a file by its stat alone. Null: what is known already stands until the file is looked at. */
function namedState(state: FileState | null, path: WorkspacePath, stat: FileStat, opening: Opening): FileState | null {
  if (state === null && opening.hasSeen(path)) return null;
  if (!opening.isFirst) return state === null ? unreadState(path, stat) : null;
  const untouched = stat.ctimeMs < opening.firstAtMs;
  if (state === null) {
    if (opening.hasCome(path, stat)) return opening.names !== null || opening.isNew(path) ? null : nameOnlyState(path);
    return untouched ? unreadState(path, stat) : nameOnlyState(path);
  }
  if (!isNameOnly(state) && (!state.borrowed || matchesButForTime(state, stat))) return null;
  if (untouched) return unreadState(path, stat);
  return opening.blind ? nameOnlyState(path) : null;
}

/** Git looked at the file in the clock step in which it was written: that proves nothing, and is right nearly always. */
function matchesButForTime(state: FileState, stat: FileStat): boolean {
  return state.mtimeMs < 0 && state.ctimeMs === stat.ctimeMs && state.ino === stat.ino && state.size === stat.size;
}

/** Known files that are not there. Those that git still names, and that were gone before we came, are not known. */
function missingFrom(scanned: ScannedTree, { known, opening }: Parts): readonly WorkspacePath[] {
  const missing = [...known.paths()].filter((path) => scanned.indexOf(path) < 0);
  const preceding = missing.filter(
    (path) => opening.isFirst && known.get(path)?.borrowed === true && !opening.mayHaveVanished(path),
  );
  for (const path of preceding) known.delete(path);
  return missing.filter((path) => known.get(path) !== null);
}

function hottestFirst(files: { readonly path: WorkspacePath; readonly stat: FileStat }[]): readonly WorkspacePath[] {
  const rank = ({ size }: FileStat) => (size <= SMALL_BYTES ? 0 : size);
  return files.sort((a, b) => rank(a.stat) - rank(b.stat) || b.stat.mtimeMs - a.stat.mtimeMs).map(({ path }) => path);
}
