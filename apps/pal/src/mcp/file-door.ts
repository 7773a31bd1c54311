import { createHash, randomBytes } from 'node:crypto';
import {
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  type Stats,
} from 'node:fs';
import { type FileHandle, link, open, rename, unlink } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isGitInternal, PATH_LENGTH_LIMIT, trustPath, type WorkspacePath } from '@palimpsest/core';
import { Failure } from '../failure.js';

/** A file of the workspace: the name that it has there, and where it really is. */
export type Place = { readonly path: WorkspacePath; readonly file: string };

/** What is not captured cannot be taken back, so nothing larger is written here. */
export const FILE_BYTES_LIMIT = 10 * 1024 * 1024;

/**
 * Where a path leads that a client wrote, seen from the root. Links are followed; what leads out of the workspace, or
 * into git's own data, is refused.
 */
export function locate(root: string, written: string): Place {
  if (written === '' || written.includes('\0') || written.length > PATH_LENGTH_LIMIT)
    throw refusal('bad-path', `${quoted(written)} cannot be the name of a file`);
  const wanted = isAbsolute(written) ? resolve(written) : resolve(root, written);
  const file = realPlace(wanted);
  if (file === root) throw refusal('bad-path', `${quoted(written)} is a folder`);
  if (!file.startsWith(root.endsWith(sep) ? root : root + sep))
    throw refusal('outside', `${quoted(written)} is outside the workspace`, 'name a file inside it');
  const path = trustPath(relative(root, file).split(sep).join('/'));
  if (isGitInternal(trustPath(path.toLowerCase())))
    throw refusal('bad-path', `${quoted(written)} belongs to git, and is left alone`);
  return { path, file };
}

/** Null when there is no such file. */
export async function readPlace({ path, file }: Place): Promise<Uint8Array | null> {
  return (await present(path, file))?.bytes ?? null;
}

/** Tells whether two files hold the same bytes; null is no file. */
export type Digest = string | null;

export function digestOf(bytes: Uint8Array | null): Digest {
  return bytes === null ? null : createHash('sha256').update(bytes).digest('hex');
}

/**
 * Puts `next` in the place of what has the digest `expected`, in one step, or leaves everything as it is and says that
 * the file has changed. Doing it twice is doing it once. Between the last look and that step another process can still
 * come in between, so whoever shares the file with us must take turns with us.
 */
export async function replaceFile(root: string, place: Place, expected: Digest, next: Uint8Array): Promise<void> {
  const made: string[] = [];
  let folder: HeldFolder | null = null;
  let done = false;
  try {
    if (expected === null) made.push(...makeFolders(root, dirname(place.file)));
    stayInside(root, place);
    folder = await hold(dirname(place.file));
    if (folder === null) throw moved(place.path);
    done = await replaceIn(folder, place, expected, next);
  } catch (error) {
    throw explained(place.path, error);
  } finally {
    await folder?.handle.close();
    if (!done) for (const empty of made.toReversed()) removeIfEmpty(empty);
  }
}

async function replaceIn(folder: HeldFolder, place: Place, expected: Digest, next: Uint8Array): Promise<true> {
  const held: Place = { path: place.path, file: join(folder.at, basename(place.file)) };
  const temporary = join(folder.at, `${TEMPORARY_PREFIX}${randomBytes(8).toString('hex')}`);
  const before = await present(held.path, held.file);
  const found = digestOf(before?.bytes ?? null);
  if (found === digestOf(next)) return true;
  if (found !== expected) throw moved(place.path);
  try {
    await writeNew(temporary, next, before?.stats ?? null);
    if (!folder.stands()) throw moved(place.path);
    if (before === null) await putNew(temporary, held);
    else await putOver(temporary, held, expected);
    await syncFolder(folder.handle);
    return true;
  } finally {
    await removeIfThere(temporary);
  }
}

/** A folder that stays the same one, whatever happens to its name: `at` leads to it where the system can say so. */
type HeldFolder = { readonly handle: FileHandle; readonly at: string; readonly stands: () => boolean };

const AS_FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
/** Linux's O_PATH, which Node does not name: for a folder that may be entered but not listed. */
const ONLY_TO_ENTER = 0o10000000;
const OPEN_FILES = '/proc/self/fd';
const CAN_HOLD = process.platform === 'linux' && existsSync(OPEN_FILES);

/** `folder` must be free of links. Null when it is not there, or not any more. */
async function hold(folder: string): Promise<HeldFolder | null> {
  let handle: FileHandle;
  try {
    handle = await open(folder, AS_FOLDER);
  } catch (error) {
    if (GONE.has(codeOf(error))) return null;
    if (codeOf(error) !== 'EACCES' || !CAN_HOLD) throw error;
    handle = await open(folder, AS_FOLDER | ONLY_TO_ENTER);
  }
  const at = CAN_HOLD ? join(OPEN_FILES, String(handle.fd)) : folder;
  const stands = () => (CAN_HOLD ? readlinkSync(at) : realpathSync.native(folder)) === folder;
  if (stands()) return { handle, at, stands };
  await handle.close();
  return null;
}

const GONE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

/** The engine leaves out what is called so, whatever its settings are. */
const TEMPORARY_PREFIX = '.tmp-pal-';

type Present = { readonly bytes: Uint8Array; readonly stats: Stats };

async function present(path: WorkspacePath, file: string): Promise<Present | null> {
  let handle: FileHandle;
  try {
    // Without waiting: opening a pipe that nobody writes to would hang.
    handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw explained(path, error);
  }
  try {
    const stats = await handle.stat();
    if (stats.isDirectory()) throw refusal('bad-path', `${quoted(path)} is a folder`);
    if (!stats.isFile()) throw refusal('bad-path', `${quoted(path)} is not a regular file`);
    if (stats.size > FILE_BYTES_LIMIT)
      throw refusal('too-large', `${quoted(path)} is too large: the limit is ${FILE_BYTES_LIMIT} bytes`);
    return { bytes: await handle.readFile(), stats };
  } catch (error) {
    throw explained(path, error);
  } finally {
    await handle.close();
  }
}

/** The real place of the deepest part that exists; what is missing below it stays as it was written. */
function realPlace(wanted: string): string {
  const missing: string[] = [];
  for (let at = wanted; ; at = dirname(at)) {
    try {
      return join(realpathSync.native(at), ...missing);
    } catch (error) {
      const code = codeOf(error);
      const absent = code === 'ENOENT' && lstatSync(at, { throwIfNoEntry: false }) === undefined;
      if (!absent || at === dirname(at)) throw refusal('bad-path', `${quoted(wanted)} cannot be reached (${code})`);
      missing.unshift(at.slice(dirname(at).length).replace(/^[\\/]/, ''));
    }
  }
}

/** A folder on the way may have been exchanged for a link since the path was looked at. */
function stayInside(root: string, { path, file }: Place): void {
  const again = locate(root, file);
  if (again.file !== file) throw moved(path);
}

function makeFolders(root: string, folder: string): readonly string[] {
  const made: string[] = [];
  for (let at = folder; at !== root && lstatSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at))
    made.unshift(at);
  mkdirSync(folder, { recursive: true });
  return made;
}

async function writeNew(temporary: string, bytes: Uint8Array, existing: Stats | null): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(temporary, flags, existing === null ? 0o666 : 0o600);
  try {
    await handle.writeFile(bytes);
    if (existing !== null) await keepOwnership(handle, existing);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function keepOwnership(handle: FileHandle, existing: Stats): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== existing.uid || own.gid !== existing.gid) {
    try {
      await handle.chown(existing.uid, existing.gid);
    } catch (error) {
      // Only root may give files away; for anybody else the file becomes the writer's, as with every editor.
      if (codeOf(error) !== 'EPERM') throw error;
    }
  }
  await handle.chmod(existing.mode & 0o7777);
}

/** A hard link fails when something is there, so that a file made at this very moment is not written over. */
async function putNew(temporary: string, { path, file }: Place): Promise<void> {
  try {
    await link(temporary, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw moved(path);
    if (!NO_HARD_LINKS.has(codeOf(error))) throw error;
    if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) throw moved(path);
    await rename(temporary, file);
  }
}

const NO_HARD_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

async function putOver(temporary: string, { path, file }: Place, expected: Digest): Promise<void> {
  const now = await present(path, file);
  if (now === null || digestOf(now.bytes) !== expected) throw moved(path);
  // In one breath with the last look: a save that waits behind other work of ours must not be written over.
  const last = lstatSync(file, { throwIfNoEntry: false });
  if (last === undefined || !STAMPS.every((stamp) => last[stamp] === now.stats[stamp])) throw moved(path);
  renameSync(temporary, file);
}

const STAMPS = ['ino', 'size', 'mtimeMs', 'ctimeMs', 'mode'] as const;

/** Without this a crash could forget the new name. Some systems cannot do it, and need not. */
async function syncFolder(folder: FileHandle): Promise<void> {
  try {
    await folder.sync();
  } catch (error) {
    if (!CANNOT_SYNC.has(codeOf(error))) throw error;
  }
}

const CANNOT_SYNC: ReadonlySet<string> = new Set(['EINVAL', 'EPERM', 'EACCES', 'EISDIR', 'ENOTSUP', 'EBADF']);

async function removeIfThere(temporary: string): Promise<void> {
  try {
    await unlink(temporary);
  } catch (error) {
    // After a rename it is gone, which is the usual case.
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    // Somebody has put something into it: then it stays.
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EEXIST') throw error;
  }
}

function moved(path: WorkspacePath): Failure {
  return refusal(
    'moved',
    `${quoted(path)} was changed at this very moment; nothing was written`,
    'read it again, then make the edit on what is there now',
  );
}

function explained(path: WorkspacePath, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return refusal('no-space', `the disk is full: ${quoted(path)} was not written`);
  return refusal(
    'not-written',
    `${quoted(path)} cannot be used: ${error instanceof Error ? withoutHeld(path, error.message) : code}`,
  );
}

/** What was done through a folder that is held is told by the path that people know. */
function withoutHeld(path: WorkspacePath, message: string): string {
  return message.replaceAll(/\/proc\/self\/fd\/\d+/g, dirname(path));
}

function refusal(code: string, message: string, hint?: string): Failure {
  return new Failure({ code, message, ...(hint === undefined ? {} : { hint }) });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

const QUOTED_LENGTH_LIMIT = 200;

function quoted(text: string): string {
  const cut = text.length > QUOTED_LENGTH_LIMIT ? `${text.slice(0, QUOTED_LENGTH_LIMIT)}…` : text;
  return /^[\w./@:+-]+$/.test(cut) ? cut : JSON.stringify(cut);
}
