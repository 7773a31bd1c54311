import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/**
 * How far a file was read, and what tells that it is still that file: its number, and a print of the bytes around the
 * beginning and before the place. A file that was written anew has other bytes there, and is read from its beginning.
 */
export type Place = { readonly offset: number; readonly ino: number; readonly print: string };

const PRINTED_BYTES = 512;
const PRINT_CHARS = 16;

export async function placeAt(file: FileHandle, offset: number, ino: number): Promise<Place> {
  return { offset, ino, print: await printOf(file, offset) };
}

export async function isStillAt(file: FileHandle, place: Place, ino: number, size: number): Promise<boolean> {
  return place.ino === ino && place.offset <= size && (await printOf(file, place.offset)) === place.print;
}

async function printOf(file: FileHandle, offset: number): Promise<string> {
  const hash = createHash('sha256');
  for (const from of [0, Math.max(0, offset - PRINTED_BYTES)]) {
    const bytes = Buffer.alloc(Math.min(PRINTED_BYTES, offset - from));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
    hash.update(bytes.subarray(0, bytesRead));
  }
  return hash.digest('hex').slice(0, PRINT_CHARS);
}
