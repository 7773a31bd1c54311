import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { asContentId, type ContentId } from '@palimpsest/core';
import { DiskRefusal } from './disk-error.js';
import { READ_ATTEMPTS, READ_RETRY_MS } from './limits.js';
import { type FileStat, fileStatOf, sameStat } from './stat.js';

/** Should a pipe or a link have taken the place of the file, opening must neither wait nor follow. */
const OPEN_AS_IT_IS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** Up to here, reading takes less than handing the work to another thread. */
const SMALL_BYTES = 512 * 1024;

export type Consumed<T> = { readonly stat: FileStat; readonly stats: Stats; readonly value: T };

/** The bytes at a place, never those of two different writes. Throws what the system throws, or a refusal. */
export async function readWhole(place: string): Promise<Consumed<Uint8Array>> {
  return (
    readSmall(place) ??
    (await readSteadily(
      place,
      (handle) => handle.readFile(),
      (target) => target,
    ))
  );
}

/** A small file in one go: it was written a moment ago, mostly. Null for anything else, and for one that is changing. */
function readSmall(place: string): Consumed<Uint8Array> | null {
  const before = lstatSync(place);
  if (!before.isFile() || before.size > SMALL_BYTES) return null;
  const fd = openSync(place, OPEN_AS_IT_IS);
  try {
    const opened = fstatSync(fd);
    if (opened.ino !== before.ino || !opened.isFile() || opened.size > SMALL_BYTES) return null;
    const value = readFileSync(fd);
    const after = lstatSync(place);
    const stat = fileStatOf(after);
    return sameStat(fileStatOf(before), stat) ? { stat, stats: after, value } : null;
  } finally {
    closeSync(fd);
  }
}

/** The git blob id of what is at a place, read in pieces. */
export function identifyWhole(place: string): Promise<Consumed<ContentId>> {
  return readSteadily(place, streamedId, (target) => asContentId(blobHash(target.length).update(target).digest('hex')));
}

async function readSteadily<T>(
  place: string,
  fromFile: (handle: FileHandle, size: number) => Promise<T | null>,
  fromLink: (target: Uint8Array) => T,
): Promise<Consumed<T>> {
  for (let attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
    if (attempt > 0) await sleep(READ_RETRY_MS * attempt);
    const before = await lstat(place);
    const value = before.isSymbolicLink() ? fromLink(await targetOf(place)) : await readOpened(place, before, fromFile);
    const after = await lstat(place);
    const stat = fileStatOf(after);
    if (value !== null && sameStat(fileStatOf(before), stat)) return { stat, stats: after, value };
  }
  throw new DiskRefusal('unstable', `${place} kept changing while it was read`);
}

async function readOpened<T>(
  place: string,
  before: Stats,
  consume: (handle: FileHandle, size: number) => Promise<T | null>,
): Promise<T | null> {
  if (before.isDirectory()) throw new DiskRefusal('is-folder', `${place} is a folder`);
  if (!before.isFile()) throw new DiskRefusal('special', `${place} is neither a file nor a link`);
  const handle = await open(place, OPEN_AS_IT_IS);
  try {
    const opened = await handle.stat();
    return opened.ino === before.ino && opened.isFile() ? await consume(handle, opened.size) : null;
  } finally {
    await handle.close();
  }
}

async function targetOf(link: string): Promise<Uint8Array> {
  return readlink(link, { encoding: 'buffer' });
}

const PIECE_BYTES = 1024 * 1024;

/** Null when the file turned out longer or shorter than the size that its id begins with. */
async function streamedId(handle: FileHandle, size: number): Promise<ContentId | null> {
  const hash = blobHash(size);
  const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, size + 1));
  let total = 0;
  while (total <= size) {
    const { bytesRead } = await handle.read(piece, 0, piece.length, total);
    if (bytesRead === 0) break;
    hash.update(piece.subarray(0, bytesRead));
    total += bytesRead;
  }
  return total === size ? asContentId(hash.digest('hex')) : null;
}

function blobHash(size: number) {
  return createHash('sha1').update(`blob ${size}\0`);
}
