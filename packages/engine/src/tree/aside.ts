import { createHash, randomBytes } from 'node:crypto';
import { linkSync, lstatSync, readlinkSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { errorCode, isAbsence } from '../files/system-error.js';
import type { HeldFolder } from './held-folder.js';
import { OWN_TEMPORARY_PREFIX } from './scratch.js';
import { type FileStat, fileStatOf, lstatAt, sameStat } from './stat.js';

/*
 * Two kinds of names are ours. A temporary file holds bytes that we wrote and that are in the store: it can go at any
 * time. What was moved aside is somebody's file, maybe the only copy of it: it never goes without being looked at. Its
 * name tells whose it was, so that it finds back after a crash.
 */

export function temporaryName(): string {
  return `${OWN_TEMPORARY_PREFIX}${unique()}`;
}

export function isTemporaryName(name: string): boolean {
  return TEMPORARY_NAME.test(name);
}

/** Whether a name is one under which the file of another name was moved aside. */
export function isAsideOf(aside: string, name: string): boolean {
  return aside.startsWith(`${ASIDE_PREFIX}${shortened(name)}-`);
}

export function isAsideName(name: string): boolean {
  return name.startsWith(ASIDE_PREFIX);
}

const ASIDE_PREFIX = `${OWN_TEMPORARY_PREFIX}was-`;
const TEMPORARY_NAME = new RegExp(`^${OWN_TEMPORARY_PREFIX.replaceAll('.', '\\.')}[0-9a-f]{16}$`);

function unique(): string {
  return randomBytes(8).toString('hex');
}

function shortened(name: string): string {
  return createHash('sha1').update(name).digest('hex').slice(0, 16);
}

/** Takes whatever stands at a name away from it, in one step. Null when nothing does. */
export function moveAside(folder: HeldFolder, name: string): string | null {
  const aside = `${ASIDE_PREFIX}${shortened(name)}-${unique()}`;
  try {
    renameSync(folder.at(name), folder.at(aside));
    return aside;
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

/** Gives a file its name unless another has it by now: then both stay as they are. */
export function giveName(folder: HeldFolder, from: string, name: string): 'given' | 'taken' {
  const [source, target] = [folder.at(from), folder.at(name)];
  try {
    // Not every system links to a link rather than to where it leads; making one is just as atomic.
    if (lstatSync(source).isSymbolicLink()) symlinkSync(readlinkSync(source, { encoding: 'buffer' }), target);
    else linkSync(source, target);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return 'taken';
    // A disk that knows no hard links, or a folder: looking and renaming is the nearest there is.
    if (!NO_HARD_LINK.has(errorCode(error))) throw error;
    if (lstatAt(target) !== 'missing') return 'taken';
    renameSync(source, target);
    return 'given';
  }
  unlinkSync(source);
  return 'given';
}

const NO_HARD_LINK: ReadonlySet<string> = new Set([
  ...['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'],
  // No room for one more name; taking one away for it needs none.
  ...['ENOSPC', 'EDQUOT'],
]);

/** Whether a file is, to the last tick of its clock, what it was. */
export function isUntouched(place: string, stat: FileStat): boolean {
  const stats = lstatAt(place);
  return typeof stats !== 'string' && sameStat(fileStatOf(stats), stat);
}

/** The same for a file that was renamed, which is a change of its status but not of its bytes. */
export function isUntouchedButMoved(place: string, stat: FileStat): boolean {
  const stats = lstatAt(place);
  return typeof stats !== 'string' && sameStat({ ...fileStatOf(stats), ctimeMs: stat.ctimeMs }, stat);
}
