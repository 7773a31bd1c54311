import type { CheckpointReason } from '../checkpoint-operation.js';
import { type CallId, type CheckpointId, type ContentId, checkpointId, type Seq, type SessionId } from '../ids.js';
import type { Operation } from '../operation.js';
import type { View } from './view.js';

export type Checkpoint = {
  readonly id: CheckpointId;
  readonly seq: Seq;
  readonly at: number;
  readonly commit: string;
  readonly tree: string;
  readonly reason: CheckpointReason;
  readonly session: SessionId | null;
  readonly call: CallId | null;
  readonly message: string | null;
  readonly files: number;
  readonly uncovered: number;
  /** The list of what is not covered, as a content. */
  readonly coverage: ContentId | null;
  /** The operation after which the tree was so. */
  readonly asOf: Seq;
  readonly moving: boolean;
  readonly incomplete: boolean;
  readonly pinned: boolean;
};

/** In the order in which they were saved. */
export type Checkpoints = { readonly saved: Map<CheckpointId, Checkpoint> };

export const checkpointsView: View<Checkpoints> = {
  name: 'checkpoints',
  version: 4,
  empty: () => ({ saved: new Map() }),
  apply: applyToCheckpoints,
  encode: (state) => [...state.saved.values()],
  decode: (encoded) => ({ saved: new Map((encoded as Checkpoint[]).map((saved) => [saved.id, saved])) }),
};

function applyToCheckpoints(state: Checkpoints, operation: Operation): Checkpoints {
  switch (operation.kind) {
    case 'checkpoint-saved': {
      const right = operation.replaces === undefined ? undefined : state.saved.get(operation.replaces);
      if (right !== undefined) {
        const { commit, tree, files, uncovered } = operation;
        const coverage = operation.coverage ?? null;
        const incomplete = operation.incomplete ?? false;
        state.saved.set(right.id, { ...right, commit, tree, files, uncovered, coverage, incomplete });
        break;
      }
      if (operation.replaces !== undefined) break;
      const id = checkpointId(operation.seq);
      state.saved.set(id, {
        id,
        seq: operation.seq,
        at: operation.at,
        commit: operation.commit,
        tree: operation.tree,
        reason: operation.reason,
        session: operation.session ?? null,
        call: operation.call ?? null,
        message: operation.message ?? null,
        files: operation.files,
        uncovered: operation.uncovered,
        coverage: operation.coverage ?? null,
        asOf: operation.asOf ?? operation.seq,
        moving: operation.moving ?? false,
        incomplete: operation.incomplete ?? false,
        pinned: false,
      });
      break;
    }
    case 'checkpoint-pinned': {
      const saved = state.saved.get(operation.checkpoint);
      if (saved !== undefined) state.saved.set(saved.id, { ...saved, pinned: operation.state === 'pinned' });
      break;
    }
    case 'checkpoint-deleted':
      for (const id of operation.checkpoints) state.saved.delete(id);
      break;
    default:
      break;
  }
  return state;
}
