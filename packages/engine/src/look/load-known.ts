import { type ContentId, FILE_KINDS, isWithin, type Operation, trustPath, type WorkspacePath } from '@palimpsest/core';
import type { Remarks } from '../basis/remarks.js';
import { borrowFrom } from '../content/borrow.js';
import { objectDirectories, type UserRepository } from '../git/user-repository.js';
import { type FileState, pathsOf } from '../log/log.js';
import type { KnownTree } from '../store/known-tree.js';
import { FIRST_OPENED_AT, STOCK_TAKEN, type Store } from '../store/open-store.js';
import { statesFromIndex } from './baseline.js';
import type { OpeningKind } from './opening.js';

export type WhenOpened = { readonly kind: OpeningKind; readonly firstAtMs: number };

export type LoadParts = {
  readonly root: string;
  readonly store: Store;
  readonly known: KnownTree;
  readonly remarks: Remarks;
  readonly repository: UserRepository | null;
  /** Paths of our own data in the workspace. */
  readonly ownFolders: readonly string[];
};

/** Whether this is the first open, and when that was. */
export function whenOpened({ log, setAside }: Store, nowMs: number): WhenOpened {
  const before = log.marks.get(FIRST_OPENED_AT);
  const anew = before === null || setAside !== null;
  if (anew) log.marks.set(FIRST_OPENED_AT, String(nowMs));
  if (log.marks.get(STOCK_TAKEN) !== null && setAside === null) return { kind: 'again', firstAtMs: nowMs };
  return anew ? { kind: 'first', firstAtMs: nowMs } : { kind: 'resumed', firstAtMs: Number(before) };
}

/** What is known of the files before we look at any: what was recorded last, and on the first open what git has. */
export async function loadKnown(parts: LoadParts, when: WhenOpened): Promise<void> {
  const { store, known, repository, ownFolders } = parts;
  const isOwn = ({ path }: FileState) => ownFolders.some((folder) => isWithin(path, trustPath(folder)));
  if (store.setAside === null) for (const state of store.log.files.all()) if (!isOwn(state)) known.set(state);
  if (when.kind !== 'again' && repository !== null) {
    await borrow(parts, repository, when);
    // Somebody may have committed them.
    if (ownFolders.length > 0) for (const state of [...known.states()]) if (isOwn(state)) known.delete(state.path);
  }
  // What was forgotten is still known by its name, and the lender may have it; it is not to come back from there.
  await store.loan.strike(store.log.find({ kinds: ['forgotten'] }).flatMap(forgottenIn));
}

/** The first baseline costs what has changed since the last commit: the rest is taken from git's index and objects. */
async function borrow(
  { root, store, known, remarks }: LoadParts,
  repository: UserRepository,
  { kind, firstAtMs }: WhenOpened,
): Promise<void> {
  try {
    const states = await statesFromIndex(root, repository);
    if (states.length === 0) return;
    await borrowFrom(store.objects, await objectDirectories(repository));
    // What git was told after the first open may be what somebody did since.
    const recorded = kind === 'first' ? new Set() : recordedPaths(store);
    for (const state of states)
      if (kind === 'first' || (state.ctimeMs < firstAtMs && !recorded.has(state.path))) known.set(state);
  } catch (error) {
    remarks.fault(error);
  }
}

function recordedPaths({ log }: Store): ReadonlySet<WorkspacePath> {
  return new Set(log.find({ kinds: FILE_KINDS }).flatMap((operation) => [...pathsOf(operation)]));
}

function forgottenIn(operation: Operation): readonly ContentId[] {
  return operation.kind === 'forgotten' ? operation.contents : [];
}
