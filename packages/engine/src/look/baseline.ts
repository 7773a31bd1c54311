import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ContentId, type FileMode, trustPath, UNRECORDED_CONTENT, type WorkspacePath } from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import { type IndexEntry, readIndexFile } from '../git/index-file.js';
import { indexPath, type UserRepository } from '../git/user-repository.js';
import type { FileState } from '../log/log.js';

/** Attributes under which the bytes in git are not the bytes on disk, at the same length. */
const CONVERTING = /\b(filter|ident|working-tree-encoding)\b/;

/**
 * What git's index says about the files of a fresh workspace. A file whose stat is still the one in the index holds the
 * bytes that the index names, so it need not be read. States from here are marked `borrowed`: nobody has compared the
 * bytes yet, and a file that a call names is compared first.
 */
export async function statesFromIndex(root: string, repository: UserRepository): Promise<readonly FileState[]> {
  if (repository.objectFormat !== 'sha1') return [];
  const index = await readIndexFile(indexPath(repository));
  if (!index.ok) return [];
  const entries = below(repository.prefix, index.value.entries.filter(isPlain));
  if (await convertsContent(root, repository, entries)) return [];
  // A file written in the same clock step as the index may have changed after git looked at it.
  return entries.map((entry) => stateOf(entry, entry.mtimeMs < index.value.mtimeMs));
}

/** What git's index names below the workspace. Empty where it cannot be read. */
export async function trackedPaths(repository: UserRepository): Promise<ReadonlySet<string>> {
  const index = await readIndexFile(indexPath(repository));
  return new Set(index.ok ? below(repository.prefix, index.value.entries).map(({ path }) => path) : []);
}

/**
 * Borrowed states whose bytes in git are not as many as on disk: line endings are converted on the way. Their content
 * is not what the index says and must be read.
 */
export async function converted(
  content: ContentStore,
  states: readonly FileState[],
): Promise<readonly WorkspacePath[]> {
  const sizes = await content.sizes([...new Set(states.map((state) => state.content))]);
  return states.filter((state) => sizes.get(state.content) !== state.size).map((state) => state.path);
}

/**
 * What a file held before it was changed, when all that is known of it is git's index. Where git converts line endings the
 * bytes are made again from the object, and believed when they are as many as the index counted; otherwise they are not
 * known, and the change cannot be taken back.
 */
export async function verifiedBefore(content: ContentStore, state: FileState): Promise<FileState> {
  const { borrowed: _, ...plain } = state;
  const found = await content.get(state.content);
  if (found.ok && found.value.length === state.size) return plain;
  const bytes = found.ok ? withCarriageReturns(found.value) : null;
  if (bytes !== null && bytes.length === state.size) return { ...plain, content: await content.put(bytes) };
  return unrecorded(plain);
}

/** Of such a state only that it was is known, not its bytes. */
export function unrecorded(state: FileState): FileState {
  return { ...state, content: UNRECORDED_CONTENT, kept: false };
}

function withCarriageReturns(bytes: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(bytes).toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1');
}

/** The index names files from the top of the repository; the workspace may be a folder in it. */
function below(prefix: string, entries: readonly IndexEntry[]): readonly IndexEntry[] {
  if (prefix === '') return entries;
  const start = `${prefix}/`;
  return entries
    .filter(({ path }) => path.startsWith(start))
    .map((entry) => ({ ...entry, path: trustPath(entry.path.slice(start.length)) }));
}

function isPlain(entry: IndexEntry): boolean {
  const file = entry.mode === '100644' || entry.mode === '100755' || entry.mode === '120000';
  return file && entry.stage === 0 && !entry.skipWorktree && !entry.assumeValid && !entry.intentToAdd;
}

function stateOf(entry: IndexEntry, proves: boolean): FileState {
  return {
    path: entry.path,
    mode: entry.mode as FileMode,
    content: entry.oid as ContentId,
    size: entry.size,
    mtimeMs: proves ? entry.mtimeMs : -1,
    ctimeMs: entry.ctimeMs,
    ino: entry.ino,
    kept: true,
    explicit: false,
    borrowed: true,
  };
}

async function convertsContent(
  root: string,
  repository: UserRepository,
  entries: readonly IndexEntry[],
): Promise<boolean> {
  const files = entries
    .filter(({ path }) => path === '.gitattributes' || path.endsWith('/.gitattributes'))
    .map(({ path }) => join(root, path));
  files.push(join(root, '.gitattributes'), join(repository.topLevel, '.gitattributes'));
  files.push(join(repository.commonDir, 'info', 'attributes'));
  for (const file of files) if (CONVERTING.test(await textOf(file))) return true;
  return false;
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return '';
  }
}
