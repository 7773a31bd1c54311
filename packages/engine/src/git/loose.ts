import { promises as fs, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflate, deflateSync, inflate, inflateSync, type ZlibOptions } from 'node:zlib';
import { failed, type Outcome, ok } from '@palimpsest/core';
import { type Durability, syncPath, tempName, writeTemp } from '../files/durable.js';
import { errorCode, isAbsence } from '../files/system-error.js';
import { type GitObject, hashObject, isObjectType, type ObjectId, type ObjectType, objectHeader } from './object-id.js';

/** Above this, compression leaves the main thread; below it, the way there costs more than the work. */
const INLINE_ZLIB_BYTES = 64 * 1024;
const INLINE_READ_BYTES = 512 * 1024;
/** Far above any file we keep; it bounds what a hostile or damaged object may inflate to. */
const OBJECT_SIZE_LIMIT_BYTES = 512 * 1024 * 1024;
const LONGEST_HEADER_BYTES = 32;
const FAST: ZlibOptions = { level: 1 };

type LooseProblem = { readonly code: 'damaged'; readonly detail: string };

export function loosePath(objectsDir: string, id: ObjectId): string {
  return join(objectsDir, id.slice(0, 2), id.slice(2));
}

export async function compress(chunks: readonly Uint8Array[]): Promise<Buffer> {
  const bytes = Buffer.concat(chunks);
  return bytes.length <= INLINE_ZLIB_BYTES
    ? deflateSync(bytes, FAST)
    : await promisify<Buffer, ZlibOptions, Buffer>(deflate)(bytes, FAST);
}

/** Null when there is no such file. The hash is checked: a wrong object is never taken for the right one. */
export async function readLoose(objectsDir: string, id: ObjectId): Promise<Outcome<GitObject | null, LooseProblem>> {
  const path = loosePath(objectsDir, id);
  let packed: Buffer;
  try {
    // Most objects that are asked for are packed, or small: a look in place is quicker than another thread's answer.
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return ok(null);
    packed = stat.size <= INLINE_READ_BYTES ? readFileSync(path) : await fs.readFile(path);
  } catch (error) {
    if (isAbsence(error)) return ok(null);
    if (errorCode(error) === 'EIO') return failed({ code: 'damaged', detail: 'the disk cannot read it' });
    throw error;
  }
  return decodeLoose(id, packed);
}

/** Writes the object under its name in one step. A reader sees all of it or nothing. */
export async function writeLoose(
  objectsDir: string,
  id: ObjectId,
  object: { readonly type: ObjectType; readonly bytes: Uint8Array },
  durability: Durability,
): Promise<void> {
  if (object.bytes.byteLength > OBJECT_SIZE_LIMIT_BYTES)
    throw new RangeError(`an object of ${object.bytes.byteLength} bytes`);
  const folder = join(objectsDir, id.slice(0, 2));
  const temp = join(folder, tempName());
  const packed = await compress([objectHeader(object.type, object.bytes.byteLength), object.bytes]);
  const write = () => writeTemp(temp, packed, { durability, mode: 0o444 });
  try {
    await write();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    if (durability === 'full') await syncPath(objectsDir);
    await write();
  }
  try {
    renameSync(temp, loosePath(objectsDir, id));
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
  if (durability === 'full') await syncPath(folder);
}

async function decodeLoose(id: ObjectId, packed: Buffer): Promise<Outcome<GitObject | null, LooseProblem>> {
  let data: Buffer;
  try {
    const options = { maxOutputLength: OBJECT_SIZE_LIMIT_BYTES + LONGEST_HEADER_BYTES };
    data =
      packed.length <= INLINE_ZLIB_BYTES
        ? inflateSync(packed, options)
        : await promisify<Buffer, typeof options, Buffer>(inflate)(packed, options);
  } catch (error) {
    return damaged(error instanceof Error ? error.message : 'cannot be inflated');
  }
  const nul = data.subarray(0, LONGEST_HEADER_BYTES).indexOf(0);
  const [type = '', size = ''] = data.toString('latin1', 0, Math.max(nul, 0)).split(' ');
  if (nul < 0 || !isObjectType(type) || !/^\d+$/.test(size)) return damaged('no object header');
  const bytes = data.subarray(nul + 1);
  if (bytes.length !== Number(size)) return damaged(`${bytes.length} bytes instead of ${size}`);
  if (hashObject(type, bytes) !== id) return damaged('the bytes do not match the id');
  return ok({ type, bytes });
}

function damaged(detail: string): { readonly ok: false; readonly error: LooseProblem } {
  return failed({ code: 'damaged', detail });
}
