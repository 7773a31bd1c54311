import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  unlinkSync,
  write,
  writeFileSync,
} from 'node:fs';
import { symlink, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { failed, type Outcome, ok, trustPath, type WorkspacePath } from '@palimpsest/core';
import type {
  ContentHash,
  Disk,
  DiskError,
  ExpectedFile,
  FileIdentity,
  FileRead,
  NextFile,
  WriteConflict,
  WriteOptions,
  Written,
} from './disk.js';
import { diskError, Refusal } from './disk-error.js';
import { syncFolder } from './folder-sync.js';
import { isInside, makeFolders, placeToWrite, removeEmptyFolders } from './place.js';
import { type Consumed, identifyWhole, readWhole } from './read-file.js';
import { OWN_TEMPORARY_PREFIX } from './scratch.js';
import { errorCode, type FileStat, fileStatOf, isAbsence, lstatAt, sameStat, statIsProof, statPath } from './stat.js';
import { SYNC_ALONE, type Syncing } from './sync-group.js';

/** `root` must be absolute and free of links; `checkRoot` gives it. */
export function openDisk(root: string): Disk {
  return new RealDisk(root);
}

class RealDisk implements Disk {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  stat(path: WorkspacePath): FileStat | null {
    const standing = statPath(this.#root, path);
    return standing.kind === 'file' ? standing.stat : null;
  }

  async read(path: WorkspacePath): Promise<Outcome<FileRead, DiskError>> {
    const found = await this.#consume(path, readWhole);
    if (!found.ok) return found;
    const { stat, value } = found.value;
    return ok({ stat, bytes: value, mode: stat.mode });
  }

  async identify(path: WorkspacePath): Promise<Outcome<FileIdentity, DiskError>> {
    const found = await this.#consume(path, identifyWhole);
    if (!found.ok) return found;
    const { stat, value } = found.value;
    return ok({ stat, content: value, mode: stat.mode });
  }

  async write(
    path: WorkspacePath,
    expected: ExpectedFile | null,
    next: NextFile | null,
    hash: ContentHash,
    options: WriteOptions = {},
  ): Promise<Outcome<Written, WriteConflict | DiskError>> {
    try {
      return await compareAndWrite(this.#root, { path, expected, next, hash, options });
    } catch (error) {
      return failed(diskError(path, error));
    }
  }

  clearLeftovers(paths: Iterable<WorkspacePath>): void {
    const folders = new Set<string>();
    for (const path of paths) {
      const folder = folderOf(this.#root, path);
      if (folder !== null) folders.add(folder);
    }
    for (const folder of folders) removeLeftovers(folder);
  }

  async #consume<T>(
    path: WorkspacePath,
    consume: (place: string) => Promise<Consumed<T>>,
  ): Promise<Outcome<Consumed<T>, DiskError>> {
    const standing = statPath(this.#root, path);
    if (standing.kind === 'missing') return failed({ code: 'missing', path, detail: 'no such file' });
    try {
      return ok(await consume(join(this.#root, path)));
    } catch (error) {
      return failed(diskError(path, error));
    }
  }
}

/** Null where a write would be refused, or would have to make the folder. */
function folderOf(root: string, path: WorkspacePath): string | null {
  try {
    const { folder, missing } = placeToWrite(root, path);
    return missing.length === 0 ? folder : null;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

function removeLeftovers(folder: string): void {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    // A folder that is gone, or may not be listed, holds nothing that we could clear.
    return;
  }
  for (const name of names) {
    const place = join(folder, name);
    // A folder of such a name is not from us.
    if (LEFTOVER_NAME.test(name) && lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === false)
      rmSync(place, { force: true });
  }
}

/** What `replace` calls its temporary files, and nothing that a person would call one. */
const LEFTOVER_NAME = new RegExp(`^${OWN_TEMPORARY_PREFIX.replaceAll('.', '\\.')}[0-9a-f]{16}$`);

type WriteRequest = {
  readonly path: WorkspacePath;
  readonly expected: ExpectedFile | null;
  readonly next: NextFile | null;
  readonly hash: ContentHash;
  readonly options: WriteOptions;
};

type Current = {
  readonly stat: FileStat;
  readonly stats: Stats;
  readonly version: ExpectedFile;
  readonly readAtMs: number;
};

async function compareAndWrite(
  root: string,
  request: WriteRequest,
): Promise<Outcome<Written, WriteConflict | DiskError>> {
  const { path, expected, next } = request;
  const place = placeToWrite(root, path);
  const target = join(place.folder, ...place.missing, place.name);
  const current = place.missing.length > 0 ? null : await currentAt(target, request.hash);
  if (!sameExpectation(expected, current?.version ?? null)) return conflict(path, current);
  const madeFolders: WorkspacePath[] = [];
  if (next === null) {
    if (current === null) return ok({ stat: null, madeFolders, removedFolders: [] });
    if (!(await isStill(target, current, request.hash))) return conflictNow(request, target);
    await unlink(target);
    await syncFolder(place.folder);
    const removedFolders = removeEmptyAbove(root, target, request.options);
    return ok({ stat: null, madeFolders, removedFolders });
  }
  try {
    const folder = makeFolders(root, place, madeFolders);
    const done = await replace(root, folder, target, current, { ...request, next });
    if (done === 'moved') {
      undoFolders(root, madeFolders);
      return conflictNow(request, target);
    }
    for (const made of madeFolders) await syncFolder(dirname(join(root, made)));
    return ok({ stat: fileStatOf(lstatSync(target)), madeFolders, removedFolders: [] });
  } catch (error) {
    undoFolders(root, madeFolders);
    throw error;
  }
}

/** Null when nothing is there. A folder or a pipe in the place of a file is refused. */
async function currentAt(target: string, hash: ContentHash): Promise<Current | null> {
  const readAtMs = Date.now();
  try {
    const { stat, stats, value } = await readWhole(target);
    return { stat, stats, version: { content: hash(value), mode: stat.mode }, readAtMs };
  } catch (error) {
    if (!(error instanceof Refusal) && isAbsence(error)) return null;
    throw error;
  }
}

/** Writes beside the target first; the target changes in one step or not at all. */
async function replace(
  root: string,
  folder: string,
  target: string,
  current: Current | null,
  request: WriteRequest & { readonly next: NextFile },
): Promise<'done' | 'moved'> {
  const { next, path } = request;
  const syncing = request.options.syncing ?? SYNC_ALONE;
  const temporary = join(folder, `${OWN_TEMPORARY_PREFIX}${randomBytes(8).toString('hex')}`);
  let left = true;
  refuseIfMoved(root, path, folder);
  try {
    if (next.mode === '120000') await symlink(Buffer.from(next.bytes), temporary);
    else await writeTemporary(temporary, next, current?.stats ?? null, syncing);
    refuseIfMoved(root, path, folder);
    if (current === null) return await putNew(temporary, target, next);
    if (!(await isStill(target, current, request.hash))) return 'moved';
    renameSync(temporary, target);
    left = false;
    return 'done';
  } finally {
    if (left) removeIfThere(temporary);
    await syncing.folder(folder);
  }
}

/** The folder may be exchanged for a link at any time; Node cannot hold on to it, so it is looked at again and again. */
function refuseIfMoved(root: string, path: WorkspacePath, folder: string): void {
  const again = placeToWrite(root, path);
  if (again.missing.length > 0 || again.folder !== folder) throw new Refusal('outside', `${folder} was moved`);
}

/*
 * Opening, naming and writing little goes to the page cache and takes microseconds, less than handing it to another
 * thread; only what waits for the disk, syncing and large writes, leaves the main thread.
 */
async function writeTemporary(
  temporary: string,
  next: NextFile,
  existing: Stats | null,
  syncing: Syncing,
): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  // A new file gets what the user's umask says; one that replaces stays closed until it has the old one's bits.
  const executable = next.mode === '100755';
  const fd = openSync(temporary, flags, existing?.isFile() ? 0o600 : executable ? 0o777 : 0o666);
  try {
    if (next.bytes.byteLength <= INLINE_BYTES) writeFileSync(fd, next.bytes);
    else await writeAll(fd, next.bytes);
    if (existing?.isFile()) keepOwnership(fd, existing, executable ? 'executable' : 'plain');
    await syncing.file(fd);
  } finally {
    closeSync(fd);
  }
}

const INLINE_BYTES = 64 * 1024;

async function writeAll(fd: number, bytes: Uint8Array): Promise<void> {
  const writeSome = promisify(write);
  for (let at = 0; at < bytes.byteLength; )
    at += (await writeSome(fd, bytes, at, bytes.byteLength - at, null)).bytesWritten;
}

function keepOwnership(fd: number, existing: Stats, kind: 'executable' | 'plain'): void {
  const own = fstatSync(fd);
  if (own.uid !== existing.uid || own.gid !== existing.gid) {
    try {
      fchownSync(fd, existing.uid, existing.gid);
    } catch (error) {
      // Only root may give files away; for anybody else the file becomes the writer's, as with every editor.
      if (errorCode(error) !== 'EPERM') throw error;
    }
  }
  fchmodSync(fd, permissions(existing.mode & 0o7777, kind));
}

/** Whoever may read may execute, as git does it; bits that already say the right thing stay exactly as they are. */
function permissions(existing: number, kind: 'executable' | 'plain'): number {
  const isExecutable = (existing & 0o100) !== 0;
  if (kind === 'plain') return isExecutable ? existing & ~0o111 : existing;
  return isExecutable ? existing : existing | ((existing & 0o444) >> 2);
}

/** A hard link fails when something is there, so that a file made at this very moment is not overwritten. */
async function putNew(temporary: string, target: string, next: NextFile): Promise<'done' | 'moved'> {
  try {
    // Not every system links to a link rather than to where it leads; making one is just as atomic.
    if (next.mode === '120000') await symlink(Buffer.from(next.bytes), target);
    else linkSync(temporary, target);
    return 'done';
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return 'moved';
    if (!NO_HARD_LINKS.has(errorCode(error))) throw error;
  }
  if (lstatAt(target) !== 'missing') return 'moved';
  renameSync(temporary, target);
  return 'done';
}

const NO_HARD_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

/** A stat that is too young to prove anything is not relied on: then the bytes are compared once more. */
async function isStill(target: string, current: Current, hash: ContentHash): Promise<boolean> {
  const stats = lstatAt(target);
  if (typeof stats === 'string' || !sameStat(fileStatOf(stats), current.stat)) return false;
  if (statIsProof(current.stat, current.readAtMs)) return true;
  const again = await currentAt(target, hash);
  return again !== null && sameExpectation(again.version, current.version);
}

function sameExpectation(expected: ExpectedFile | null, found: ExpectedFile | null): boolean {
  if (expected === null || found === null) return expected === found;
  return expected.content === found.content && expected.mode === found.mode;
}

function conflict(path: WorkspacePath, current: Current | null): Outcome<Written, WriteConflict> {
  return failed({ code: 'conflict', path, found: current?.version ?? null });
}

async function conflictNow(request: WriteRequest, target: string): Promise<Outcome<Written, WriteConflict>> {
  return conflict(request.path, await currentAt(target, request.hash));
}

function removeIfThere(temporary: string): void {
  try {
    unlinkSync(temporary);
  } catch (error) {
    // It was never made, or has become the target.
    if (!isAbsence(error)) throw error;
  }
}

function undoFolders(root: string, made: readonly WorkspacePath[]): void {
  removeEmptyFolders(
    root,
    made.toReversed().map((folder) => join(root, folder)),
  );
}

function removeEmptyAbove(root: string, target: string, options: WriteOptions): WorkspacePath[] {
  if (options.emptyParents !== 'remove') return [];
  const folders: string[] = [];
  for (let folder = dirname(target); folder !== root && isInside(root, folder); folder = dirname(folder)) {
    if (options.foldersSinceMs !== undefined && lstatSync(folder).birthtimeMs < options.foldersSinceMs) break;
    folders.push(folder);
  }
  return removeEmptyFolders(root, folders).map(trustPath);
}
