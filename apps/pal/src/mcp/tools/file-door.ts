import { constants, lstatSync, realpathSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isGitInternal, PATH_LENGTH_LIMIT, trustPath, type WorkspacePath } from '@palimpsest/core';
import { Failure } from '../../face/failure.js';

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
    return await handle.readFile();
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

function explained(path: WorkspacePath, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const code = codeOf(error);
  return refusal('not-written', `${quoted(path)} cannot be used: ${error instanceof Error ? error.message : code}`);
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
