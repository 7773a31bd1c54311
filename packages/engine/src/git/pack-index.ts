import { createHash } from 'node:crypto';
import type { ObjectId } from './object-id.js';

/*
 * Version 2 of git's `.idx`: magic, 256 running counts by first byte, sorted ids, checksums, offsets, two hashes.
 * Knowing in process what a pack holds spares a child for each question, and answers for our own packs alone, which
 * git does not while objects are borrowed.
 */

const MAGIC = 0xff744f63;
const HEADER_BYTES = 8;
const FANOUT_BYTES = 256 * 4;
const ID_BYTES = 20;
const IDS_AT = HEADER_BYTES + FANOUT_BYTES;
/** Offsets with the top bit set point into a table for packs of 2 GiB and more, which we do not write. */
const OFFSET_LIMIT = 0x7fffffff;

export type PackIndex = { has(id: ObjectId): boolean; ids(): readonly ObjectId[] };
export type PackedPlace = { readonly id: ObjectId; readonly offset: number; readonly crc: number };

/** Null when it is damaged, or of another version. */
export function parsePackIndex(data: Buffer): PackIndex | null {
  if (data.length < IDS_AT || data.readUInt32BE(0) !== MAGIC || data.readUInt32BE(4) !== 2) return null;
  const count = data.readUInt32BE(IDS_AT - 4);
  if (data.length < IDS_AT + count * (ID_BYTES + 8) + 2 * ID_BYTES) return null;
  const idAt = (n: number) => data.toString('hex', IDS_AT + n * ID_BYTES, IDS_AT + (n + 1) * ID_BYTES);
  return {
    has: (id) => search(data, Buffer.from(id, 'hex')),
    ids: () => Array.from({ length: count }, (_, n) => idAt(n)),
  };
}

export function encodePackIndex(places: readonly PackedPlace[], packHash: Buffer): Buffer {
  const sorted = places.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const count = sorted.length;
  const crcsAt = IDS_AT + count * ID_BYTES;
  const offsetsAt = crcsAt + count * 4;
  const body = Buffer.alloc(offsetsAt + count * 4);
  body.writeUInt32BE(MAGIC, 0);
  body.writeUInt32BE(2, 4);
  const fanout = new Uint32Array(256);
  sorted.forEach((place, n) => {
    if (place.offset > OFFSET_LIMIT) throw new RangeError('pack of 2 GiB or more');
    body.write(place.id, IDS_AT + n * ID_BYTES, 'hex');
    body.writeUInt32BE(place.crc, crcsAt + n * 4);
    body.writeUInt32BE(place.offset, offsetsAt + n * 4);
    const first = body[IDS_AT + n * ID_BYTES] ?? 0;
    fanout[first] = (fanout[first] ?? 0) + 1;
  });
  let running = 0;
  for (let first = 0; first < 256; first++) {
    running += fanout[first] ?? 0;
    body.writeUInt32BE(running, HEADER_BYTES + first * 4);
  }
  const withPackHash = Buffer.concat([body, packHash]);
  return Buffer.concat([withPackHash, createHash('sha1').update(withPackHash).digest()]);
}

function search(data: Buffer, id: Buffer): boolean {
  const first = id[0] ?? 0;
  let low = first === 0 ? 0 : data.readUInt32BE(HEADER_BYTES + (first - 1) * 4);
  let high = data.readUInt32BE(HEADER_BYTES + first * 4);
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = IDS_AT + middle * ID_BYTES;
    const order = data.compare(id, 0, ID_BYTES, at, at + ID_BYTES);
    if (order === 0) return true;
    // `order` is where the stored id stands against the one sought.
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}
