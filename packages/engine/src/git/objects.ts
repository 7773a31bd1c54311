import { promises as fs, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { failed, type Outcome, ok } from '@palimpsest/core';
import { type Durability, isAbandoned, listNames, syncPath } from '../files/durable.js';
import { errorCode } from '../files/system-error.js';
import { ensureBareRepository, isOldTemp, sweepTemps } from './bare-repository.js';
import { openCatFile } from './cat-file.js';
import { loosePath, readLoose, writeLoose } from './loose.js';
import { type GitObject, hashObject, isObjectId, type ObjectId, type ObjectType } from './object-id.js';
import { openPacks, PACK_BYTES_LIMIT, type PackInput, type Packs, removePack, writePack } from './packs.js';
import { packExisting } from './repack.js';
import { type Git, type GitError, GitFailure } from './run.js';

type ReadError = { readonly code: 'damaged'; readonly id: ObjectId; readonly detail: string } | GitError;
export type NewObject = { readonly type: Exclude<ObjectType, 'tag'>; readonly bytes: Uint8Array };

/** The objects of our own bare repository. Plain git can read all of it. */
export interface ObjectStore {
  readonly gitDir: string;
  readonly git: Git;
  /** Durable, as the option says, when it resolves. What is only borrowed is written all the same. */
  write(type: NewObject['type'], bytes: Uint8Array): Promise<ObjectId>;
  writeMany(objects: readonly NewObject[]): Promise<readonly ObjectId[]>;
  read(id: ObjectId): Promise<Outcome<GitObject | null, ReadError>>;
  has(id: ObjectId): Promise<boolean>;
  /** True when the object is in our own files, whatever is borrowed. */
  owns(id: ObjectId): Promise<boolean>;
  sizeOf(id: ObjectId): Promise<number | null>;
  /** Takes the bytes out of loose files, packs and leftovers. */
  remove(ids: readonly ObjectId[]): Promise<void>;
  /** After packs or alternates changed by other hands: the next question sees them. */
  refresh(): void;
  close(): Promise<void>;
}

type ObjectStoreOptions = { readonly git: Git; readonly durability: Durability };

/** Where an object goes that does not match its id. */
export const DAMAGED_OBJECTS = 'damaged';

/** From this many new objects on, one pack is cheaper than that many files to sync. */
export const PACK_FROM_OBJECTS = 16;
/** How many objects are looked up at once. */
const LOOKUPS_AT_ONCE = 16;
/** Ids known to be whole on disk; forgotten all at once when full, which only costs a second look. */
const TRUSTED_LIMIT = 100_000;

export async function openObjects(gitDir: string, options: ObjectStoreOptions): Promise<ObjectStore> {
  // Git runs in the git dir and alternates are read relative to it, so a relative name would mean something else there.
  const absolute = resolve(gitDir);
  await ensureBareRepository(absolute, options.durability);
  await sweepTemps(absolute, isOldTemp);
  return new Objects(absolute, options);
}

class Objects implements ObjectStore {
  readonly gitDir: string;
  readonly git: Git;
  readonly #durability: Durability;
  readonly #objectsDir: string;
  readonly #packDir: string;
  readonly #packs: Packs;
  readonly #contents;
  readonly #sizes;
  readonly #trusted = new Set<ObjectId>();
  readonly #damaged = new Set<ObjectId>();

  constructor(gitDir: string, { git, durability }: ObjectStoreOptions) {
    this.gitDir = gitDir;
    this.git = git;
    this.#durability = durability;
    this.#objectsDir = join(gitDir, 'objects');
    this.#packDir = join(this.#objectsDir, 'pack');
    this.#packs = openPacks(this.#packDir);
    this.#contents = openCatFile(git, gitDir, '--batch');
    this.#sizes = openCatFile(git, gitDir, '--batch-check');
  }

  async write(type: NewObject['type'], bytes: Uint8Array): Promise<ObjectId> {
    const id = hashObject(type, bytes);
    if (await this.#isSafe(id)) return id;
    await writeLoose(this.#objectsDir, id, { type, bytes }, this.#durability);
    this.#trust(id);
    return id;
  }

  async writeMany(objects: readonly NewObject[]): Promise<readonly ObjectId[]> {
    const inputs = objects.map((object) => ({ ...object, id: hashObject(object.type, object.bytes) }));
    const distinct = [...new Map(inputs.map((input) => [input.id, input])).values()];
    const absent: PackInput[] = [];
    for (const batch of batchesOf(distinct, LOOKUPS_AT_ONCE)) {
      const safe = await Promise.all(batch.map((input) => this.#isSafe(input.id)));
      absent.push(...batch.filter((_, n) => safe[n] === false));
    }
    if (absent.length < PACK_FROM_OBJECTS) {
      await Promise.all(absent.map((input) => writeLoose(this.#objectsDir, input.id, input, this.#durability)));
    } else {
      for (const lot of lotsOf(absent)) await writePack(this.#packDir, lot, this.#durability);
    }
    for (const input of absent) this.#trust(input.id);
    return inputs.map((input) => input.id);
  }

  async read(id: ObjectId): Promise<Outcome<GitObject | null, ReadError>> {
    checkId(id);
    const loose = await readLoose(this.#objectsDir, id);
    if (loose.ok && loose.value !== null) return loose;
    // Another copy may be in a pack or in what is borrowed, also when the loose one is damaged.
    const reply = await this.#contents.ask(id);
    if (reply.ok && reply.value !== null) {
      const { type, bytes } = reply.value;
      if (bytes !== null && hashObject(type, bytes) === id) return ok({ type, bytes });
      return this.#isDamaged(id, 'the bytes do not match the id');
    }
    if (!loose.ok) return this.#isDamaged(id, loose.error.detail);
    if (!reply.ok)
      return reply.error.code === 'damaged' ? this.#isDamaged(id, reply.error.detail) : failed(reply.error);
    // Git says `missing` of a packed object that it cannot unpack.
    return (await this.#packs.has(id)) ? this.#isDamaged(id, 'its pack cannot be read') : ok(null);
  }

  async has(id: ObjectId): Promise<boolean> {
    return (await this.owns(id)) || (await this.#ask(id)) !== null;
  }

  async owns(id: ObjectId): Promise<boolean> {
    checkId(id);
    return isFile(loosePath(this.#objectsDir, id)) || (await this.#packs.has(id));
  }

  async sizeOf(id: ObjectId): Promise<number | null> {
    checkId(id);
    return this.#ask(id);
  }

  async remove(ids: readonly ObjectId[]): Promise<void> {
    for (const id of ids) checkId(id);
    for (const id of ids) this.#trusted.delete(id);
    const gone = new Set(ids);
    for (const pack of await this.#packs.holding(ids)) {
      const kept = pack.index.ids().filter((id) => !gone.has(id));
      await this.#repack(pack.name, kept);
    }
    for (const id of ids) await fs.rm(loosePath(this.#objectsDir, id), { force: true });
    for (const name of await listNames(join(this.gitDir, DAMAGED_OBJECTS)))
      if (gone.has(name.slice(0, 40))) await fs.rm(join(this.gitDir, DAMAGED_OBJECTS, name), { force: true });
    await sweepTemps(this.gitDir, (name) => isAbandoned(name));
    if (this.#durability === 'full') await syncPath(this.#packDir);
    this.refresh();
  }

  refresh(): void {
    this.#contents.restart();
    this.#sizes.restart();
  }

  async close(): Promise<void> {
    await Promise.all([this.#contents.close(), this.#sizes.close()]);
  }

  /** The new pack is complete and synced before the old one goes. */
  async #repack(name: string, kept: readonly ObjectId[]): Promise<void> {
    if (kept.length > 0) {
      const packed = await packExisting(this, kept, { deltas: 'reuse', priority: 'normal' });
      if (!packed.ok) throw new GitFailure(packed.error);
    }
    await removePack(this.#packDir, name);
  }

  /** True when the object is whole in our own files and as durable as we promise. */
  async #isSafe(id: ObjectId): Promise<boolean> {
    const path = loosePath(this.#objectsDir, id);
    if (isFile(path)) {
      if (this.#trusted.has(id)) return true;
      const found = await readLoose(this.#objectsDir, id);
      if (!found.ok) {
        await this.#setAside(id);
        return false;
      }
      // Its writer may have died, or still be, between naming it and syncing it.
      if (this.#durability === 'full')
        await Promise.all([syncPath(path), syncPath(join(this.#objectsDir, id.slice(0, 2)))]);
      this.#trust(id);
      return true;
    }
    return !this.#damaged.has(id) && (await this.#packs.has(id));
  }

  #isDamaged(id: ObjectId, detail: string): { readonly ok: false; readonly error: ReadError } {
    this.#trusted.delete(id);
    this.#damaged.add(id);
    return failed({ code: 'damaged', id, detail });
  }

  /** Kept, not deleted: what is left of it may be all there is for whoever has to find out why. */
  async #setAside(id: ObjectId): Promise<void> {
    const folder = join(this.gitDir, DAMAGED_OBJECTS);
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      await fs.rename(loosePath(this.#objectsDir, id), join(folder, `${id}-${Date.now()}`));
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }

  #trust(id: ObjectId): void {
    if (this.#trusted.size >= TRUSTED_LIMIT) this.#trusted.clear();
    this.#trusted.add(id);
    this.#damaged.delete(id);
  }

  async #ask(id: ObjectId): Promise<number | null> {
    const reply = await this.#sizes.ask(id);
    if (reply.ok) return reply.value === null ? null : reply.value.sizeBytes;
    if (reply.error.code === 'damaged') return null;
    throw new GitFailure(reply.error);
  }
}

function checkId(id: string): void {
  if (!isObjectId(id)) throw new Error(`not an object id: ${JSON.stringify(id)}`);
}

/** One look at a name costs less than asking another thread for it, and most looks find nothing. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function* batchesOf<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size);
}

function* lotsOf(list: readonly PackInput[]): Generator<readonly PackInput[]> {
  let lot: PackInput[] = [];
  let bytes = 0;
  for (const input of list) {
    if (bytes + input.bytes.byteLength > PACK_BYTES_LIMIT && lot.length > 0) {
      yield lot;
      lot = [];
      bytes = 0;
    }
    lot.push(input);
    bytes += input.bytes.byteLength;
  }
  if (lot.length > 0) yield lot;
}
