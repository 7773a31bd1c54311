import { constants, lstatSync, realpathSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isGitInternal, PATH_LENGTH_LIMIT, spokenPath, trustPath, type WorkspacePath } from '@palimpsest/core';
import { errorJson, type KnownRefusal, problemOf } from '@palimpsest/protocol';
import { failureOf } from '../../face/client.js';
import { Failure } from '../../face/failure.js';
import { errorCode } from '../../surroundings/error-code.js';

/** A file of the workspace: the name that it has there, and where it really is. */
export type Place = { readonly path: WorkspacePath; readonly file: string };

/** What is not captured cannot be taken back, so nothing larger is written here. */
export const FILE_BYTES_LIMIT = 10 * 1024 * 1024;

/**
 * Where a path leads that a client wrote, seen from the root. Links are followed; what leads out of the workspace, or
 * into git's own data, is refused. Writing is left to the daemon, which looks for itself; reading is done here.
 */
export function locate(root: string, written: string): Place {
  if (written === '' || written.includes('\0') || written.length > PATH_LENGTH_LIMIT)
    throw badPath(written, 'it is no name of a file');
  const wanted = isAbsolute(written) ? resolve(written) : resolve(root, written);
  const file = realPlace(wanted);
  if (file === root) throw badPath(written, 'it is a folder');
  if (!file.startsWith(root.endsWith(sep) ? root : root + sep)) throw refusal({ code: 'outside', path: written });
  const path = trustPath(relative(root, file).split(sep).join('/'));
  if (isGitInternal(trustPath(path.toLowerCase()))) throw badPath(written, 'it belongs to git');
  return { path, file };
}

/** Null when there is no such file. */
export async function readPlace({ path, file }: Place): Promise<Uint8Array | null> {
  let handle: FileHandle | null = null;
  try {
    // Without waiting: opening a pipe that nobody writes to would hang.
    handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stats = await handle.stat();
    if (!stats.isFile()) throw badPath(path, stats.isDirectory() ? 'it is a folder' : 'it is not a regular file');
    if (stats.size > FILE_BYTES_LIMIT)
      throw refusal({ code: 'too-large', what: spokenPath(path), limit: FILE_BYTES_LIMIT });
    return await handle.readFile();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error instanceof Failure ? error : badPath(path, error instanceof Error ? error.message : String(error));
  } finally {
    await handle?.close();
  }
}

/** The real place of the deepest part that exists; what is missing below it stays as it was written. */
function realPlace(wanted: string): string {
  const missing: string[] = [];
  for (let at = wanted; ; at = dirname(at)) {
    try {
      return join(realpathSync.native(at), ...missing);
    } catch (error) {
      const absent = errorCode(error) === 'ENOENT' && lstatSync(at, { throwIfNoEntry: false }) === undefined;
      if (!absent || at === dirname(at)) throw badPath(wanted, `it cannot be reached: ${errorCode(error)}`);
      missing.unshift(at.slice(dirname(at).length).replace(/^[\\/]/, ''));
    }
  }
}

function badPath(path: string, why: string): Failure {
  return refusal({ code: 'bad-path', path, why });
}

/** Told as the daemon would tell it. */
function refusal(known: KnownRefusal): Failure {
  const { status, exit } = problemOf(known);
  return failureOf({ ...errorJson(known), exit, status });
}
