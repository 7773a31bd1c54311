import type { ChangeId, FileMode, Review, ReviewEntry, WorkspacePath } from '@palimpsest/core';
import { decodeName, encodeName } from '../git/names.js';
import type { Git } from '../git/run.js';
import type { UserRepository } from '../git/user-repository.js';
import type { KnownTree } from '../store/known-tree.js';
import { isOpen } from './meant.js';

/** Files asked about in one command, and in all; a commit of more than that is not a review. */
const PATHS_AT_ONCE = 200;
const PATHS_LIMIT = 5_000;
const ASK_TIMEOUT_MS = 10_000;

export type CommitQuestion = {
  readonly git: Git;
  readonly repository: UserRepository;
  readonly review: Review;
  readonly known: KnownTree;
  readonly onFault: (error: unknown) => void;
};

/** What a commit holds at a path. */
type Held = { readonly content: string; readonly mode: FileMode };

/**
 * The open changes that a new HEAD holds and the one before did not: those of files that were committed as they are, and
 * of files committed as one of the changes left them. The user's repository is only read, by object id.
 */
export async function changesIn(
  question: CommitQuestion,
  head: string,
  previous: string | null,
): Promise<readonly ChangeId[]> {
  const open = new Map<WorkspacePath, ReviewEntry[]>();
  for (const entry of question.review.entries.values()) {
    if (!isOpen(entry)) continue;
    const known = open.get(entry.path);
    if (known !== undefined) known.push(entry);
    else if (open.size < PATHS_LIMIT) open.set(entry.path, [entry]);
  }
  if (open.size === 0) return [];
  const paths = [...open.keys()];
  const now = await heldBy(question, head, paths);
  const before = previous === null ? new Map<WorkspacePath, Held>() : await heldBy(question, previous, paths);
  if (now === null || before === null) return [];
  return [...open].flatMap(([path, entries]) => {
    const held = now.get(path) ?? null;
    return isSame(held, before.get(path) ?? null) ? [] : committedOf(path, entries, held, question.known);
  });
}

function committedOf(
  path: WorkspacePath,
  entries: readonly ReviewEntry[],
  held: Held | null,
  known: KnownTree,
): readonly ChangeId[] {
  const present = known.get(path);
  if (isSame(held, present)) return entries.map(({ id }) => id);
  const last = entries.findLastIndex(({ file }) => file.path === path && isSame(held, file.after));
  return entries.slice(0, last + 1).map(({ id }) => id);
}

function isSame(a: Held | null, b: Held | null): boolean {
  return a === null || b === null ? a === b : a.content === b.content && a.mode === b.mode;
}

async function heldBy(
  { git, repository, onFault }: CommitQuestion,
  commit: string,
  paths: readonly WorkspacePath[],
): Promise<ReadonlyMap<WorkspacePath, Held> | null> {
  const prefix = repository.prefix === '' ? '' : `${repository.prefix}/`;
  const held = new Map<WorkspacePath, Held>();
  for (let at = 0; at < paths.length; at += PATHS_AT_ONCE) {
    const names = paths.slice(at, at + PATHS_AT_ONCE).map((path) => encodeName(`${prefix}${path}`).toString('utf8'));
    const listed = await git.run({
      gitDir: repository.commonDir,
      args: ['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', commit, '--', ...names],
      timeoutMs: ASK_TIMEOUT_MS,
    });
    if (!listed.ok) {
      onFault(new Error(`the new commit could not be read, so nothing was accepted by it: ${listed.error.code}`));
      return null;
    }
    for (const [name, entry] of entriesOf(listed.value)) {
      if (name.startsWith(prefix)) held.set(name.slice(prefix.length) as WorkspacePath, entry);
    }
  }
  return held;
}

/** `<mode> <type> <id>\t<name>` between NULs. */
function* entriesOf(listing: Buffer): Generator<readonly [string, Held]> {
  let at = 0;
  while (at < listing.length) {
    const end = listing.indexOf(0, at);
    const tab = listing.indexOf(TAB, at);
    if (end < 0 || tab < 0) return;
    const [mode, type, content] = listing.toString('latin1', at, tab).split(' ');
    if (type === 'blob' && content !== undefined)
      yield [decodeName(listing.subarray(tab + 1, end)), { content, mode: mode as FileMode }];
    at = end + 1;
  }
}

const TAB = 0x09;
