import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isAbsence } from '../files/system-error.js';

/** All that is in a folder, by its path in it. Links are listed, never followed. */
export type Stocklist = {
  /** Each after the one that it is in; the first is the folder itself, with an empty path. */
  readonly folders: readonly { readonly path: string; readonly mode: number }[];
  readonly files: readonly ListedFile[];
  readonly links: readonly { readonly path: string; readonly target: string }[];
  readonly bytes: number;
  /** What cannot be copied: pipes, sockets, what may not be read. */
  readonly unusable: readonly string[];
};
export type ListedFile = { readonly path: string; readonly atimeMs: number; readonly mtimeMs: number };

const FOLDERS_PER_TURN = 32;

export async function listAll(folder: string): Promise<Stocklist> {
  const folders: { path: string; mode: number }[] = [];
  const files: ListedFile[] = [];
  const links: { path: string; target: string }[] = [];
  const unusable: string[] = [];
  let bytes = 0;
  const take = (path: string) => {
    try {
      const place = join(folder, path);
      const stat = lstatSync(place);
      if (stat.isFile()) {
        bytes += stat.size;
        files.push({ path, atimeMs: stat.atimeMs, mtimeMs: stat.mtimeMs });
      } else if (stat.isSymbolicLink()) links.push({ path, target: readlinkSync(place) });
      else unusable.push(path);
    } catch (error) {
      if (!isAbsence(error)) unusable.push(path);
    }
  };
  const waiting = [''];
  for (let n = 1; waiting.length > 0; n++) {
    const path = waiting.pop() as string;
    for (const entry of entriesOf(folder, path, folders, unusable)) {
      const child = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) waiting.push(child);
      else take(child);
    }
    if (n % FOLDERS_PER_TURN === 0) await nextTurn();
  }
  return { folders, files, links, bytes, unusable };
}

function entriesOf(folder: string, path: string, folders: { path: string; mode: number }[], unusable: string[]) {
  try {
    const place = join(folder, path);
    const entries = readdirSync(place, { withFileTypes: true });
    folders.push({ path, mode: lstatSync(place).mode & 0o777 });
    return entries;
  } catch (error) {
    if (!isAbsence(error)) unusable.push(path);
    return [];
  }
}
