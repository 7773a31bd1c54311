import { accessSync, constants, lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { FileMode, WorkspacePath } from '@palimpsest/core';
import { isAbsence } from '../files/system-error.js';

/** What the disk says about a file or a symlink without opening it. Two equal stats mean, after a moment, equal bytes. */
export type FileStat = {
  readonly mode: FileMode;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
};

/**
 * What stands at a path. A file behind a folder that may not be searched is `unreadable`, not `missing`: taking the one
 * for the other would record a deletion that never was.
 */
export type Standing =
  | { readonly kind: 'file'; readonly stat: FileStat }
  | { readonly kind: 'missing' }
  | { readonly kind: 'folder' }
  | { readonly kind: 'special' }
  | { readonly kind: 'unreadable' };

/**
 * Looks at a few paths in the calling thread. A path below a symlink is missing: the link is the file there, and what
 * it leads to has a path of its own.
 */
export function statPaths(root: string, paths: Iterable<WorkspacePath>): Map<WorkspacePath, Standing> {
  const parents = new Map<string, Standing>();
  const found = new Map<WorkspacePath, Standing>();
  for (const path of paths) {
    const parent = standingOfParent(root, path, parents);
    found.set(path, parent.kind === 'folder' ? standingAt(join(root, path)) : asSeenFromBelow(parent));
  }
  return found;
}

export function statPath(root: string, path: WorkspacePath): Standing {
  return statPaths(root, [path]).get(path) ?? MISSING;
}

export function sameStat(a: FileStat, b: FileStat): boolean {
  return (
    a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.ino === b.ino && a.mode === b.mode
  );
}

/** Clocks of file systems tick in steps: two writes within one step can leave the same stat behind. */
export const STAT_STEP_MS = 20;

/**
 * Whether a stat taken at `takenAtMs` can prove later that the bytes are still the same. One that was taken within a
 * clock step of the last write cannot, and the bytes must be compared.
 */
export function statIsProof(stat: FileStat, takenAtMs: number): boolean {
  return takenAtMs - Math.max(stat.mtimeMs, stat.ctimeMs) > STAT_STEP_MS;
}

export function fileStatOf(stats: Stats): FileStat {
  const mode = stats.isSymbolicLink() ? '120000' : (stats.mode & 0o100) === 0 ? '100644' : '100755';
  return { mode, size: stats.size, mtimeMs: stats.mtimeMs, ctimeMs: stats.ctimeMs, ino: stats.ino };
}

/** Answers `missing` and `unreadable` instead of throwing. */
export function lstatAt(place: string): Stats | 'missing' | 'unreadable' {
  try {
    return lstatSync(place, { throwIfNoEntry: false }) ?? 'missing';
  } catch (error) {
    return isAbsence(error) ? 'missing' : 'unreadable';
  }
}

/** Asks the kernel only when the permission bits leave a doubt, because a scan asks about every file. */
export function mayRead(place: string, stats: Stats): boolean {
  const readableByMode = (stats.mode & 0o004) !== 0 || ((stats.mode & 0o400) !== 0 && stats.uid === ownUid);
  if (readableByMode || stats.isSymbolicLink()) return true;
  try {
    accessSync(place, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

const ownUid = process.getuid?.() ?? 0;
const MISSING: Standing = { kind: 'missing' };
const FOLDER: Standing = { kind: 'folder' };

function standingAt(place: string): Standing {
  const stats = lstatAt(place);
  if (typeof stats === 'string') return { kind: stats };
  if (stats.isFile() || stats.isSymbolicLink()) {
    return mayRead(place, stats) ? { kind: 'file', stat: fileStatOf(stats) } : { kind: 'unreadable' };
  }
  return { kind: stats.isDirectory() ? 'folder' : 'special' };
}

function standingOfParent(root: string, path: string, known: Map<string, Standing>): Standing {
  const slash = path.lastIndexOf('/');
  if (slash < 0) return FOLDER;
  const parent = path.slice(0, slash);
  let standing = known.get(parent);
  if (standing === undefined) {
    const above = standingOfParent(root, parent, known);
    standing = above.kind === 'folder' ? standingAt(join(root, parent)) : above;
    known.set(parent, standing);
  }
  return standing;
}

function asSeenFromBelow(parent: Standing): Standing {
  return parent.kind === 'unreadable' ? parent : MISSING;
}
