import type {
  ChangeId,
  FlowConflict,
  FlowConflictId,
  PlaceId,
  SessionId,
  WorkspacePath,
  WorktreeMode,
} from '@palimpsest/core';

/** A worktree as somebody asks about it. */
export type WorktreeFacts = {
  readonly place: PlaceId;
  readonly session: SessionId;
  readonly path: string;
  readonly mode: WorktreeMode;
  readonly portBase: number;
  readonly madeAt: number;
  readonly base: string;
  /** Changes in it that wait for a verdict. */
  readonly pending: readonly ChangeId[];
  /** Changes that were found after nobody had watched: they flow when a person says so. */
  readonly unwatched: readonly ChangeId[];
  readonly conflicts: readonly WorktreeConflict[];
  /** Files that are not the same on both sides. */
  readonly apart: readonly { readonly path: WorkspacePath; readonly ignored: boolean }[];
};

export type WorktreeConflict = FlowConflict & {
  readonly id: FlowConflictId;
  readonly session: SessionId;
  readonly path: WorkspacePath;
};
