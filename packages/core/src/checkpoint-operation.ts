import type { CallId, CheckpointId, ContentId, Seq, SessionId } from './ids.js';

export type CheckpointReason = 'start' | 'prompt' | 'before-tool' | 'after-tool' | 'manual' | 'rescue';
export type CheckpointSaved = {
  readonly kind: 'checkpoint-saved';
  readonly commit: string;
  readonly tree: string;
  readonly reason: CheckpointReason;
  readonly session?: SessionId;
  readonly call?: CallId;
  readonly message?: string;
  readonly files: number;
  readonly uncovered: number;
  /** The list of what is not covered, as a content. */
  readonly coverage?: ContentId;
  /** The tree is that after this operation; without it, that at the moment of saving. */
  readonly asOf?: Seq;
  /** Puts an earlier one right, which keeps its id. */
  readonly replaces?: CheckpointId;
  /** Set when files may have been changing meanwhile: each file is as it was at one moment, but not all at the same. */
  readonly moving?: true;
  /** Set when it is not known what some files held then, so that they are not in the tree; the list names them. */
  readonly incomplete?: true;
};
export type CheckpointPinned = {
  readonly kind: 'checkpoint-pinned';
  readonly checkpoint: CheckpointId;
  readonly state: 'pinned' | 'unpinned';
};
export type CheckpointDeleted = { readonly kind: 'checkpoint-deleted'; readonly checkpoints: readonly CheckpointId[] };
