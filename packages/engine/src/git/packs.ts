import { createHash } from 'node:crypto';
import { promises as fs, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { type Durability, listNames, syncPath, tempName, writeTemp } from '../files/durable.js';
import { errorCode } from '../files/system-error.js';
import { compress } from './loose.js';
import type { ObjectId, ObjectType } from './object-id.js';
import { encodePackIndex, type PackedPlace, type PackIndex, parsePackIndex } from './pack-index.js';

/** What our own packs hold, without asking git and without what is borrowed. */
export interface Packs {
  has(id: ObjectId): Promise<boolean>;
  holding(ids: readonly ObjectId[]): Promise<readonly OwnPack[]>;
  all(): Promise<readonly OwnPack[]>;
}

type OwnPack = { readonly name: string; readonly index: PackIndex };
export type PackInput = { readonly id: ObjectId; readonly type: ObjectType; readonly bytes: Uint8Array };

const PACK_VERSION = 2;
const TYPE_NUMBERS: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 };
/** Coarser than the clock of any file system we meet. */
const CLOCK_TICK_MS = 50;
/** Objects that are compressed before the event loop is let go. */
const PACKED_IN_A_ROW = 32;
/** A pack is built in memory before it is written; callers split larger lots. */
export const PACK_BYTES_LIMIT = 64 * 1024 * 1024;

export function openPacks(packDir: string): Packs {
  let loaded: { readonly stamp: string | null; readonly packs: readonly OwnPack[] } | null = null;
  const known = new Map<string, PackIndex>();
  let running: Promise<unknown> | null = null;
  let next: Promise<readonly OwnPack[]> | null = null;
  const reload = async () => {
    const stamp = stampOf(packDir);
    const packs = await load(packDir, known);
    loaded = { stamp, packs };
    return packs;
  };
  /** Coalesced: whoever asks while the folder is being listed waits for the next listing, with all who ask until then. */
  const listed = (): Promise<readonly OwnPack[]> => {
    if (running !== null) {
      next ??= running.then(() => {
        next = null;
        return listed();
      });
      return next;
    }
    const now = reload();
    const done: Promise<unknown> = now
      .catch(() => undefined)
      .then(() => {
        if (running === done) running = null;
      });
    running = done;
    return now;
  };
  const all = async () => {
    // A pack that someone else removed must not count as ours, so the folder is looked at each time.
    const stamp = stampOf(packDir);
    return loaded === null || loaded.stamp !== stamp || stamp === null ? listed() : loaded.packs;
  };
  return {
    all,
    has: async (id) => (await all()).some((pack) => pack.index.has(id)),
    holding: async (ids) => (await all()).filter((pack) => ids.some((id) => pack.index.has(id))),
  };
}

/** One pack for many objects: two files to sync instead of one for each object. The ids must be distinct. */
export async function writePack(packDir: string, objects: readonly PackInput[], durability: Durability): Promise<void> {
  const places: PackedPlace[] = [];
  const chunks: Buffer[] = [packHeader(objects.length)];
  let offset = chunks[0]?.length ?? 0;
  for (const [n, object] of objects.entries()) {
    if (n % PACKED_IN_A_ROW === PACKED_IN_A_ROW - 1) await nextTurn();
    const header = entryHeader(object);
    const packed = await compress([object.bytes]);
    places.push({ id: object.id, offset, crc: crc32(packed, crc32(header)) });
    chunks.push(header, packed);
    offset += header.length + packed.length;
  }
  const body = Buffer.concat(chunks);
  const hash = createHash('sha1').update(body).digest();
  const index = encodePackIndex(places, hash);
  const base = join(packDir, `pack-${hash.toString('hex')}`);
  const [packTemp, indexTemp] = [join(packDir, tempName()), join(packDir, tempName())];
  const options = { durability, mode: 0o444 };
  try {
    await Promise.all([
      writeTemp(packTemp, Buffer.concat([body, hash]), options),
      writeTemp(indexTemp, index, options),
    ]);
    // The index makes the pack visible, so it comes last.
    await fs.rename(packTemp, `${base}.pack`);
    await fs.rename(indexTemp, `${base}.idx`);
  } catch (error) {
    await Promise.all([fs.rm(packTemp, { force: true }), fs.rm(indexTemp, { force: true })]);
    throw error;
  }
  if (durability === 'full') await syncPath(packDir);
}

/** Takes a pack away. The index goes first: a pack without one is invisible, an index without its pack is an error. */
export async function removePack(packDir: string, name: string): Promise<void> {
  for (const ending of ['idx', 'rev', 'bitmap', 'mtimes', 'keep', 'pack'])
    await fs.rm(join(packDir, `${name}.${ending}`), { force: true });
}

async function load(packDir: string, known: Map<string, PackIndex>): Promise<readonly OwnPack[]> {
  const files = new Set(await listNames(packDir));
  const packs: OwnPack[] = [];
  for (const file of files) {
    if (!/^pack-[0-9a-f]{40}\.idx$/.test(file)) continue;
    const name = file.slice(0, -'.idx'.length);
    const index = files.has(`${name}.pack`) ? (known.get(name) ?? (await loadIndex(join(packDir, file)))) : null;
    if (index !== null) packs.push({ name, index });
  }
  known.clear();
  for (const { name, index } of packs) known.set(name, index);
  return packs;
}

/** A damaged index counts as holding nothing: what it held will be written again when it is met again. */
async function loadIndex(path: string): Promise<PackIndex | null> {
  return parsePackIndex(await fs.readFile(path));
}

/** Null while the folder changed so recently that a second change could carry the same time. */
function stampOf(packDir: string): string | null {
  try {
    const stat = statSync(packDir);
    return Math.abs(Date.now() - stat.mtimeMs) < CLOCK_TICK_MS ? null : `${stat.mtimeMs} ${stat.ino}`;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function packHeader(count: number): Buffer {
  const header = Buffer.alloc(12);
  header.write('PACK', 0, 'latin1');
  header.writeUInt32BE(PACK_VERSION, 4);
  header.writeUInt32BE(count, 8);
  return header;
}

/** Type and size: four bits of size beside the type, then seven at a time, lowest first. */
function entryHeader(object: PackInput): Buffer {
  const bytes: number[] = [];
  let rest = Math.floor(object.bytes.byteLength / 16);
  let current = (TYPE_NUMBERS[object.type] << 4) | (object.bytes.byteLength & 15);
  while (rest > 0) {
    bytes.push(current | 0x80);
    current = rest & 0x7f;
    rest = Math.floor(rest / 128);
  }
  bytes.push(current);
  return Buffer.from(bytes);
}
