import { laterAuthors } from '../attribution/attributions.js';
import type { Author } from '../author.js';
import type { FileVersion } from '../file.js';
import { pathStates } from '../identity.js';
import { changeId } from '../ids.js';
import { addTo } from '../lists.js';
import type { Operation } from '../operation.js';
import { filesOf } from '../operation-files.js';
import type { WorkspacePath } from '../path.js';

/** One step in the life of a path, and whose it was. A rename is a step of both of its paths. */
export type PathStep = {
  /** `decision`: a verdict, restore or undo. `person`: a human, or a hand that nobody could name. */
  readonly by: 'agent' | 'person' | 'decision';
  readonly before: FileVersion | null;
  readonly after: FileVersion | null;
  /** The bytes are what the call was to write: nothing but that call can have made them. */
  readonly exact: boolean;
};

/** The steps of every path that the operations touched, oldest first. Later proofs of authorship count. */
export function historyOf(operations: readonly Operation[]): ReadonlyMap<WorkspacePath, readonly PathStep[]> {
  const proven = laterAuthors(operations);
  const history = new Map<WorkspacePath, PathStep[]>();
  for (const operation of operations) {
    const files = filesOf(operation);
    const exact = operation.kind === 'changed' && operation.evidence === 'exact';
    const hands = new Map<WorkspacePath, PathStep['by']>();
    for (const [index, { path, fromPath }] of files.entries()) {
      const by = handOf(operation, proven.get(changeId(operation.seq, index)));
      if (fromPath !== undefined && !hands.has(fromPath)) hands.set(fromPath, by);
      hands.set(path, by);
    }
    for (const [path, state] of pathStates(files)) addTo(history, path, { by: hands.get(path)!, ...state, exact });
  }
  return history;
}

export function handOf(operation: Operation, proven: Author | undefined): PathStep['by'] {
  if (operation.kind === 'resolved' && operation.take === 'edited') return 'person';
  // What comes out of a worktree is the work of its agent; what comes into one is everybody else's.
  if (operation.kind === 'flowed') return operation.place === undefined ? 'agent' : 'person';
  if (operation.kind !== 'changed') return 'decision';
  return (proven ?? operation.author).kind === 'agent' ? 'agent' : 'person';
}
