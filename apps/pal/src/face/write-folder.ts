import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';

/** `base64` instead of the text where the bytes are not UTF-8. */
export type ExportedFile = { readonly name: string; readonly text: string; readonly base64?: string | undefined };

export type WrittenFolder = {
  readonly written: readonly string[];
  /** Where files that were there before are now. */
  readonly aside: readonly string[];
  readonly removed: string | null;
};

const LEGACY_FILE = 'claude_messages.json';

/**
 * Writes files into a folder without losing what is there: a file of the same name that holds something else is moved aside,
 * and a link is not followed. The legacy file of a task goes last, when the others are on disk, and only if it holds exactly
 * what was taken over from it (`legacy` is the content id of that).
 */
export function writeFolder(folder: string, files: readonly ExportedFile[], legacy: string | null): WrittenFolder {
  mkdirSync(folder, { recursive: true });
  const written: string[] = [];
  const aside: string[] = [];
  for (const { name, text, base64 } of files) {
    if (name !== basename(name)) throw new Error(`not a name of a file: ${name}`);
    const path = join(folder, name);
    const bytes = base64 === undefined ? Buffer.from(text, 'utf8') : Buffer.from(base64, 'base64');
    const there = lstatSync(path, { throwIfNoEntry: false });
    if (there?.isFile() === true && readFileSync(path).equals(bytes)) {
      written.push(path);
      continue;
    }
    if (there?.isSymbolicLink() === true) rmSync(path);
    else if (there !== undefined) aside.push(moveAside(path));
    writeNew(path, bytes);
    written.push(path);
  }
  const old = join(folder, LEGACY_FILE);
  const isTaken = legacy !== null && lstatSync(old, { throwIfNoEntry: false })?.isFile() === true;
  const removed = isTaken && contentIdOf(readFileSync(old)) === legacy ? old : null;
  if (removed !== null) rmSync(removed);
  return { written, aside, removed };
}

function moveAside(path: string): string {
  for (let n = 1; ; n++) {
    const name = `${path}.aside-${n}`;
    if (existsSync(name)) continue;
    renameSync(path, name);
    return name;
  }
}

function writeNew(path: string, bytes: Uint8Array): void {
  const handle = openSync(path, 'wx');
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function contentIdOf(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
