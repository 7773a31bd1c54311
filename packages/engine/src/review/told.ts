import {
  type ChangeId,
  changeNamed,
  type Decision,
  filesAnywhere,
  type HunkId,
  isDecision,
  type Operation,
  type Review,
  type WorkspacePath,
} from '@palimpsest/core';
import type { Log } from '../log/log.js';

/** A decision as somebody would say it: what was decided about what, and when. */
export type Told = {
  readonly seq: number;
  /** An undo is told as what it took back, or brought again. */
  readonly kind: Exclude<Decision['kind'], 'undone'>;
  readonly verdict?: 'accept' | 'reject';
  readonly ids: readonly (ChangeId | HunkId)[];
  readonly checkpoint?: string;
  readonly paths: readonly WorkspacePath[];
  readonly at: number;
};

/** What the decision was about, through all undoing of it; null where the log no longer says. */
export function toldOf(operation: Operation, log: Pick<Log, 'get'>, review: Review): Told | null {
  if (operation.kind === 'undone') {
    const target = log.get(operation.target);
    return target === null ? null : toldOf(target, log, review);
  }
  if (!isDecision(operation)) return null;
  const { seq, kind, at } = operation;
  const ids = idsOf(operation);
  const about = ids.flatMap((id) => review.entries.get(changeNamed(id))?.path ?? []);
  const paths = [...new Set([...about, ...filesAnywhere(operation).map(({ path }) => path)])];
  return {
    ...{ seq, kind, ids, paths, at },
    ...(operation.kind === 'decided' ? { verdict: operation.verdict } : {}),
    ...(operation.kind === 'restored' ? { checkpoint: operation.checkpoint } : {}),
  };
}

function idsOf(decision: Decision): readonly (ChangeId | HunkId)[] {
  switch (decision.kind) {
    case 'decided': {
      const conflicts = decision.conflicts.flatMap(
        ({ change, hunks }): readonly (ChangeId | HunkId)[] => hunks ?? [change],
      );
      const whole = new Set<string>(decision.changes);
      const hunks = decision.hunks.filter((id) => !whole.has(changeNamed(id)));
      return [...new Set([...decision.changes, ...hunks, ...decision.cascaded, ...conflicts])];
    }
    case 'resolved':
      return [decision.change];
    case 'committed':
      return decision.changes;
    case 'attributed':
      return decision.changes.map(({ id }) => id);
    case 'restored':
    case 'undone':
      return [];
  }
}
