import type { ApartFile } from '../apart-file.js';
import type { FileChange } from '../file.js';
import { Apart, isSame } from '../flow/apart.js';
import {
  type ChangeId,
  type CheckpointId,
  changeId,
  type FlowConflictId,
  flowConflictId,
  type SessionId,
} from '../ids.js';
import type { Operation } from '../operation.js';
import { filesAt } from '../operation-files.js';
import type { WorkspacePath } from '../path.js';
import { type PlaceId, placeId } from '../place.js';
import type { FlowConflict, Flowed, WorktreeMode } from '../worktree-operation.js';
import type { View } from './view.js';

/** A worktree that is there, and how it differs from the workspace. */
export type WorktreeState = {
  readonly place: PlaceId;
  /** The session that it was made for. */
  readonly session: SessionId;
  readonly path: string;
  readonly mode: WorktreeMode;
  readonly base: CheckpointId;
  readonly name: string;
  readonly portBase: number;
  readonly madeAt: number;
  readonly leftOut: readonly WorkspacePath[];
  readonly apart: Apart;
  readonly conflicts: Map<FlowConflictId, FlowConflict>;
  /** Changes that were found in it after nobody had watched: they flow when a person says so. */
  readonly unwatched: Set<ChangeId>;
};

export type Worktrees = {
  /** Those that were not removed, oldest first. */
  readonly live: Map<PlaceId, WorktreeState>;
  /** Where those were that are gone: their paths still stand for those of the workspace. */
  readonly gone: Map<PlaceId, string>;
};

export const worktreesView: View<Worktrees> = {
  name: 'worktrees',
  version: 1,
  empty: () => ({ live: new Map(), gone: new Map() }),
  apply: applyToWorktrees,
  encode: ({ live, gone }) => ({
    live: Array.from(live.values(), ({ apart, conflicts, unwatched, ...rest }) => ({
      ...rest,
      apart: apart.files,
      conflicts: [...conflicts],
      unwatched: [...unwatched],
    })),
    gone: [...gone],
  }),
  decode(encoded) {
    const stored = encoded as StoredWorktrees;
    const states = stored.live.map(
      ({ apart, conflicts, unwatched, ...rest }): WorktreeState => ({
        ...rest,
        apart: Apart.of(apart),
        conflicts: new Map(conflicts),
        unwatched: new Set(unwatched),
      }),
    );
    return { live: new Map(states.map((state) => [state.place, state])), gone: new Map(stored.gone) };
  },
};

type StoredWorktrees = {
  readonly live: readonly (Omit<WorktreeState, 'apart' | 'conflicts' | 'unwatched'> & {
    readonly apart: readonly ApartFile[];
    readonly conflicts: readonly [FlowConflictId, FlowConflict][];
    readonly unwatched: readonly ChangeId[];
  })[];
  readonly gone: readonly [PlaceId, string][];
};

function applyToWorktrees(state: Worktrees, operation: Operation): Worktrees {
  switch (operation.kind) {
    case 'worktree-made': {
      const { seq, at, session, path, mode, base, name, portBase, leftOut = [] } = operation;
      const place = placeId(seq);
      const made = { place, session, path, mode, base, name, portBase, madeAt: at, leftOut };
      const nothing = { conflicts: new Map(), unwatched: new Set<ChangeId>() };
      state.live.set(place, { ...made, apart: Apart.of(operation.apart ?? []), ...nothing });
      return state;
    }
    case 'worktree-removed': {
      const removed = state.live.get(operation.worktree);
      if (removed === undefined) return state;
      state.live.delete(operation.worktree);
      state.gone.set(operation.worktree, removed.path);
      return state;
    }
    case 'worktree-synced':
      state.live.get(operation.worktree)?.unwatched.clear();
      return state;
    default:
      for (const worktree of state.live.values()) follow(worktree, operation);
      return state;
  }
}

function follow(worktree: WorktreeState, operation: Operation): void {
  const { apart, conflicts, unwatched, place } = worktree;
  const shared = ({ path }: FileChange) => !worktree.leftOut.includes(path);
  const [here, there] = [filesAt(operation, null).filter(shared), filesAt(operation, place)];
  if (here.length > 0) apart.change('here', here);
  if (there.length > 0) apart.change('there', there.filter(shared));
  // What was seen to happen is not said to be found.
  if (operation.kind === 'changed' && operation.cause === 'reconcile')
    there.forEach((_, index) => void unwatched.add(changeId(operation.seq, index)));
  if (operation.kind === 'flowed' && operation.worktree === place) flow(worktree, operation);
  // A conflict is over when either side is another than it was about.
  for (const [id, conflict] of conflicts) if (!stands(apart, conflict)) conflicts.delete(id);
}

function flow({ apart, conflicts }: WorktreeState, operation: Operation & Flowed): void {
  for (const pair of operation.agreed ?? []) apart.agree(pair);
  operation.conflicts?.forEach((conflict, index) => {
    conflicts.set(flowConflictId(operation.seq, index), conflict);
  });
}

function stands(apart: Apart, conflict: FlowConflict): boolean {
  const { here, there, ours, theirs } = conflict;
  const file = apart.find(conflict);
  if (file === undefined) return false;
  const was = (path: typeof here, version: typeof ours) =>
    path === null || version === null ? null : { path, version };
  return isSame(file.here, was(here, ours)) && isSame(file.there, was(there, theirs));
}
