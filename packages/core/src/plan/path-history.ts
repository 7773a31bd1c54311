import type { Author } from '../author.js';
import type { FileVersion } from '../file.js';
import { type ChangeId, changeId } from '../ids.js';
import { filesOf, type Operation } from '../operation.js';
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
  const proven = new Map<ChangeId, Author>();
  for (const operation of operations) {
    if (operation.kind !== 'attributed') continue;
    for (const { id } of operation.changes) proven.set(id, operation.author);
  }
  const history = new Map<WorkspacePath, PathStep[]>();
  const add = (path: WorkspacePath, step: PathStep) => {
    const steps = history.get(path);
    if (steps === undefined) history.set(path, [step]);
    else steps.push(step);
  };
  for (const operation of operations) {
    for (const [index, { path, fromPath, before, after }] of filesOf(operation).entries()) {
      const by = handOf(operation, proven.get(changeId(operation.seq, index)));
      const exact = operation.kind === 'changed' && operation.evidence === 'exact';
      if (fromPath !== undefined) add(fromPath, { by, before, after: null, exact });
      add(path, { by, before: fromPath === undefined ? before : null, after, exact });
    }
  }
  return history;
}

function handOf(operation: Operation, proven: Author | undefined): PathStep['by'] {
  if (operation.kind === 'resolved' && operation.take === 'edited') return 'person';
  if (operation.kind !== 'changed') return 'decision';
  return (proven ?? operation.author).kind === 'agent' ? 'agent' : 'person';
}
