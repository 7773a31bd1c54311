import { promises as fs } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { failed, type Outcome, ok } from '@palimpsest/core';
import { listNames } from '../files/durable.js';
import { readBounded, SMALL_FILE_LIMIT_BYTES, withoutLineEnds } from '../git/bounded-read.js';
import { type ParsedIndex, readIndexFile } from '../git/index-file.js';
import type { ObjectId } from '../git/object-id.js';
import type { Git, GitError } from '../git/run.js';
import { indexPath, type UserRepository } from '../git/user-repository.js';
import { indexFor } from './index-stats.js';
import type { Link } from './mark.js';

/*
 * The entry that git keeps of a linked worktree, in the user's repository: the second exception to I6. Nothing else there is
 * written: no branch, no index, no configuration.
 */

/** `git worktree list` shows it, and `git worktree remove` and `prune` heed it. */
const LOCK_REASON = 'in use by Palimpsest; `pal worktree list` says by which session\n';
const SHARED_INDEX = /^sharedindex\.[0-9a-f]{40,64}$/;

/** The commit that is checked out; null for a branch without commits, or a HEAD that leads nowhere. */
export async function headOf(git: Git, repository: UserRepository): Promise<ObjectId | null> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', 'HEAD^{commit}'];
  const found = await git.run({ gitDir: repository.gitDir, args });
  return found.ok ? found.value.toString('latin1').trim() : null;
}

/** Makes a folder that is not there yet, or is empty, a linked worktree with a detached HEAD and without files. */
export async function linkRepository(
  git: Git,
  repository: UserRepository,
  link: Link,
  { top, apart }: { readonly top: string; readonly apart: string },
): Promise<Outcome<string, GitError>> {
  const args = ['worktree', 'add', '--detach', '--no-checkout', '--lock', '--quiet', top, link.head];
  // From a folder of ours, so that one that outlives us is known to work here (`sweepWorktrees`).
  const added = await oneAtATime(link.commonDir, () => git.run({ gitDir: repository.gitDir, args, cwd: apart }));
  if (!added.ok) return added;
  const entry = await entryOf(link, top);
  if (entry === null) return failed({ code: 'git-exit', args, exitCode: 0, stderr: `git made no entry of ${top}` });
  await fs.writeFile(join(entry, 'locked'), LOCK_REASON);
  return ok(entry);
}

const adding = new Map<string, Promise<unknown>>();

/** `git worktree add` goes through all entries, and fails on one that another is just making. */
async function oneAtATime<T>(repository: string, work: () => Promise<T>): Promise<T> {
  const before = adding.get(repository) ?? Promise.resolve();
  const done = before.then(work, work);
  adding.set(repository, done);
  try {
    return await done;
  } finally {
    if (adding.get(repository) === done) adding.delete(repository);
  }
}

/**
 * Git's entry of the tree at this place, of which the mark may not know yet; null when there is none. Only an entry that
 * leads back to the place may be removed.
 */
export async function entryOf({ commonDir, entry }: Link, top: string): Promise<string | null> {
  const folder = join(commonDir, 'worktrees');
  const entries = entry === null ? (await listNames(folder)).map((name) => join(folder, name)) : [entry];
  for (const candidate of entries)
    if (dirname(candidate) === folder && (await leadsTo(candidate, top))) return candidate;
  return null;
}

async function leadsTo(entry: string, top: string): Promise<boolean> {
  const stat = await fs.lstat(entry).catch(() => null);
  if (stat?.isDirectory() !== true) return false;
  const back = await readBounded(join(entry, 'gitdir'), SMALL_FILE_LIMIT_BYTES);
  if (back.kind !== 'read') return false;
  // Git keeps both ends absolute unless it is told to keep them relative.
  return resolve(entry, withoutLineEnds(back.bytes.toString('utf8'))) === join(top, '.git');
}

/** As `git worktree remove` ends: the entry, and the folder of entries when it was the last. */
export async function removeEntry(commonDir: string, entry: string): Promise<void> {
  await fs.rm(entry, { recursive: true, force: true });
  await fs.rmdir(join(commonDir, 'worktrees')).catch(() => undefined);
}

/**
 * Gives the linked worktree the user's index: what they staged is staged there too. `writtenAt` leads from a path of their
 * repository to the one among the files that were written.
 */
export async function copyIndex(
  repository: UserRepository,
  entry: string,
  written: ParsedIndex,
  writtenAt: (path: string) => string | null,
): Promise<void> {
  await copySparsePatterns(repository, entry);
  const target = join(entry, 'index');
  const read = repository.objectFormat === 'sha1' ? await readIndexFile(indexPath(repository)) : UNREAD;
  if (read.ok) return fs.writeFile(target, indexFor(read.value, written, writtenAt));
  if (read.error.code === 'missing') return;
  // One that we cannot read git can: it only has to look at all files once.
  for (const name of await fs.readdir(repository.gitDir))
    if (SHARED_INDEX.test(name)) await fs.copyFile(join(repository.gitDir, name), join(entry, name));
  await fs.copyFile(indexPath(repository), target);
}

const UNREAD = failed({ code: 'unsupported' as const, what: 'ids of another length' });

/** Git does this itself since 2.36. */
async function copySparsePatterns({ gitDir }: UserRepository, entry: string): Promise<void> {
  const patterns = await readBounded(join(gitDir, 'info', 'sparse-checkout'), PATTERNS_LIMIT_BYTES);
  if (patterns.kind !== 'read') return;
  await fs.mkdir(join(entry, 'info'), { recursive: true });
  await fs.writeFile(join(entry, 'info', 'sparse-checkout'), patterns.bytes);
}

const PATTERNS_LIMIT_BYTES = 16 * 1024 * 1024;
