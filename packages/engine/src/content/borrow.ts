import { promises as fs } from 'node:fs';
import { join } from 'node:path';
import { failed, type Outcome, ok } from '@palimpsest/core';
import { alternatesPath, formatAlternates, withAlternates } from '../git/alternates.js';
import { replaceFile, tempName } from '../git/durable.js';
import type { ObjectId } from '../git/object-id.js';
import type { ObjectStore } from '../git/objects.js';
import { ownedIds } from '../git/owned.js';
import { PACKING_LIMIT_MS, packExisting } from '../git/repack.js';
import type { GitError } from '../git/run.js';

export type BorrowError =
  /** The user's repository no longer has these. We keep borrowing, in case they come back. */
  | { readonly code: 'lost'; readonly ids: readonly ObjectId[]; readonly owned: number }
  | { readonly code: 'cancelled' }
  | GitError;

const CHECK_OUTPUT_LIMIT_BYTES = 1024 * 1024 * 1024;

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

export async function stillBorrows(objects: ObjectStore): Promise<boolean> {
  return (await fs.stat(alternatesPath(join(objects.gitDir, 'objects'))).catch(() => null)) !== null;
}

/**
 * Copies each of these objects that we do not own into a pack of ours, proves that all can be read without the
 * lender, and only then stops borrowing. Meant for the background: low priority, can be cancelled at any moment, and
 * starting again repeats only what is left.
 */
export async function ownBorrowed(
  objects: ObjectStore,
  ids: Iterable<ObjectId>,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<Outcome<{ readonly owned: number }, BorrowError>> {
  const wanted = [...new Set(ids)];
  const owned = await ownedIds(objects.gitDir);
  const borrowed = wanted.filter((id) => !owned.has(id));
  const copied = await copyReadable(objects, borrowed, signal);
  if (!copied.ok) return copied;
  const missing = await missingWithoutLender(objects, wanted, signal);
  if (!missing.ok) return missing;
  if (missing.value.size > 0) return failed({ code: 'lost', ids: [...missing.value], owned: copied.value });
  await fs.rm(alternatesPath(join(objects.gitDir, 'objects')), { force: true });
  objects.refresh();
  return ok({ owned: copied.value });
}

/** The lender may lose objects while we copy; then git fails as a whole, and what is still there is tried again. */
async function copyReadable(
  objects: ObjectStore,
  ids: readonly ObjectId[],
  signal: AbortSignal | undefined,
): Promise<Outcome<number, BorrowError>> {
  let left = ids;
  let tried = -1;
  for (;;) {
    // Asked anew, and of no child that runs already: that may hold the lender's deleted files open.
    const missing = await missingIn(objects, objects.gitDir, left, signal);
    if (!missing.ok) return missing;
    const here = left.filter((id) => !missing.value.has(id));
    if (here.length === 0) return ok(0);
    const packed = await packExisting(objects, here, {
      deltas: 'reuse',
      priority: 'background',
      ...(signal && { signal }),
    });
    if (packed.ok) return ok(here.length);
    if (isCancelled(packed.error)) return failed({ code: 'cancelled' });
    if (packed.error.code !== 'git-exit' || here.length === tried) return packed;
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
    return await missingIn(objects, alone, ids, signal);
  } finally {
    await fs.rm(alone, { recursive: true, force: true });
  }
}

/** In a process of its own, so that nobody's question to git waits behind these. */
async function missingIn(
  { git }: ObjectStore,
  gitDir: string,
  ids: readonly ObjectId[],
  signal: AbortSignal | undefined,
): Promise<Outcome<ReadonlySet<ObjectId>, BorrowError>> {
  const checked = await git.run({
    gitDir,
    args: ['cat-file', '--batch-check=%(objecttype)'],
    stdin: Buffer.from(ids.map((id) => `${id}\n`).join('')),
    timeoutMs: PACKING_LIMIT_MS,
    outputLimitBytes: CHECK_OUTPUT_LIMIT_BYTES,
    priority: 'background',
    ...(signal && { signal }),
  });
  if (!checked.ok) return isCancelled(checked.error) ? failed({ code: 'cancelled' }) : checked;
  const lines = checked.value.toString('latin1').matchAll(/^([0-9a-f]{40}) missing$/gm);
  return ok(new Set([...lines].map(([, id = '']) => id)));
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
