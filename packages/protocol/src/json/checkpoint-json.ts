import type { Checkpoint } from '@palimpsest/core';
import type { CheckpointJson } from '../schemas/checkpoint.js';
import { instant } from './instant.js';

export function checkpointJson(checkpoint: Checkpoint & { readonly onLoan?: true }): CheckpointJson {
  const { id, seq, commit, session, reason, call, message, files, uncovered, incomplete, at } = checkpoint;
  return {
    id,
    seq,
    commit,
    ...(session === null ? {} : { session }),
    reason,
    ...(call === null ? {} : { callId: call }),
    ...(message === null ? {} : { message }),
    files,
    uncovered,
    incomplete,
    ...(checkpoint.onLoan ? { onLoan: true as const } : {}),
    at: instant(at),
  };
}
