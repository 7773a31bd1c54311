import { existsSync, promises as fs } from 'node:fs';
import { dirname, join } from 'node:path';
import { failed, type Outcome, ok } from '@palimpsest/core';
import { replaceFile, syncPath, tempName } from '../files/durable.js';
import { alternatesPath, formatAlternates, withAlternates } from '../git/alternates.js';
import type { ObjectId, ObjectType } from '../git/object-id.js';
import { typesOf } from '../git/object-types.js';
import type { ObjectStore } from '../git/objects.js';
import { ownedIds } from '../git/owned.js';
import { packExisting } from '../git/repack.js';
import type { GitError } from '../git/run.js';

export type BorrowError =
  /** The user's repository no longer has these. We keep borrowing, in case they come back. */
  { readonly code: 'lost'; readonly ids: readonly ObjectId[] } | { readonly code: 'cancelled' } | GitError;

/**
 * Lets our repository read the objects in these directories, and in those that they borrow from. Nothing is written
 * there. Only for repositories of the same object format as ours.
 */
export async function borrowFrom(objects: ObjectStore, directories: readonly string[]): Promise<void> {
  const all = await withAlternates(directories);
  for (const directory of all) await fs.access(directory);
  await replaceFile(alternatesPath(join(objects.gitDir, 'objects')), formatAlternates(all), 'full');
  objects.refresh();
}

export function stillBorrows(objects: ObjectStore): boolean {
  return existsSync(alternatesPath(join(objects.gitDir, 'objects')));
}

/**
 * Copies each of these contents that we do not own into a pack of ours, and answers which of them cannot be read without
 * the lender all the same. Meant for the background: low priority, can be cancelled at any moment, and starting again
 * repeats only what is left.
 */
export async function copyBorrowed(
  objects: ObjectStore,
  ids: Iterable<ObjectId>,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<Outcome<ReadonlySet<ObjectId>, BorrowError>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return ok(new Set());
  const owned = await ownedIds(objects.gitDir);
  const copied = await copyReadable(
    objects,
    wanted.filter((id) => !owned.has(id)),
    signal,
  );
  return copied.ok ? missingWithoutLender(objects, wanted, signal) : copied;
}

/** From here on nothing is read from the lender any more. */
export async function endBorrowing(objects: ObjectStore): Promise<void> {
  const path = alternatesPath(join(objects.gitDir, 'objects'));
  await fs.rm(path, { force: true });
  await syncPath(dirname(path));
  objects.refresh();
}

/** The lender may lose objects while we copy; then git fails as a whole, and what is still there is tried again. */
async function copyReadable(
  objects: ObjectStore,
  ids: readonly ObjectId[],
  signal: AbortSignal | undefined,
): Promise<Outcome<null, BorrowError>> {
  let left = ids;
  let tried = -1;
  for (;;) {
    // Asked anew, and of no child that runs already: that may hold the lender's deleted files open.
    const found = await typesIn(objects, objects.gitDir, left, signal);
    if (!found.ok) return found;
    // Trees and commits of theirs are named here and there, and are not ours to keep.
    const here = left.filter((id) => found.value.get(id) === 'blob');
    if (here.length === 0) return ok(null);
    const packed = await packExisting(objects, here, {
      deltas: 'reuse',
      priority: 'background',
      ...(signal && { signal }),
    });
    if (packed.ok) return ok(null);
    if (isCancelled(packed.error)) return failed({ code: 'cancelled' });
    if (packed.error.code !== 'git-exit') return packed;
    // What the lender has and cannot be read, not even by git, is as good as missing.
    if (here.length === tried) return ok(null);
    left = here;
    tried = here.length;
  }
}

/** Asks git through a second repository that shares our object folders but not our list of lenders. */
async function missingWithoutLender(
  objects: ObjectStore,
  ids: readonly ObjectId[],
  signal: AbortSignal | undefined,
): Promise<Outcome<ReadonlySet<ObjectId>, BorrowError>> {
  const alone = join(objects.gitDir, tempName());
  try {
    await mirrorObjects(objects.gitDir, alone);
    const found = await typesIn(objects, alone, ids, signal);
    return found.ok ? ok(new Set(ids.filter((id) => !found.value.has(id)))) : found;
  } finally {
    await fs.rm(alone, { recursive: true, force: true });
  }
}

async function typesIn(
  { git }: ObjectStore,
  gitDir: string,
  ids: readonly ObjectId[],
  signal: AbortSignal | undefined,
): Promise<Outcome<ReadonlyMap<ObjectId, ObjectType>, BorrowError>> {
  const found = await typesOf(git, gitDir, ids, { signal });
  return !found.ok && isCancelled(found.error) ? failed({ code: 'cancelled' }) : found;
}

function isCancelled(error: GitError): boolean {
  return error.code === 'git-killed' && error.why === 'cancelled';
}

async function mirrorObjects(gitDir: string, alone: string): Promise<void> {
  await fs.mkdir(join(alone, 'objects'), { recursive: true, mode: 0o700 });
  await fs.mkdir(join(alone, 'refs'));
  for (const name of ['HEAD', 'config']) await fs.copyFile(join(gitDir, name), join(alone, name));
  for (const name of await fs.readdir(join(gitDir, 'objects')))
    if (name !== 'info') await fs.symlink(join(gitDir, 'objects', name), join(alone, 'objects', name), 'junction');
}
