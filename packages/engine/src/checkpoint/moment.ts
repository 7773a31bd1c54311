import type { CallId, CheckpointId, CheckpointReason, Seq, SessionId } from '@palimpsest/core';

/** A state of the workspace that is worth a checkpoint: that after the operation `asOf`, or `now` with all we observed. */
export type Moment = {
  readonly asOf: Seq | 0 | 'now';
  readonly reason: CheckpointReason;
  readonly session?: SessionId;
  readonly call?: CallId;
  readonly message?: string;
  /** Puts this one right. */
  readonly replaces?: CheckpointId;
  /** Set when files may have been changing meanwhile. */
  readonly moving?: true;
};

/** Longer messages are cut: a checkpoint's message is a line or two, not a document. */
export const MESSAGE_LENGTH_LIMIT = 10_000;
