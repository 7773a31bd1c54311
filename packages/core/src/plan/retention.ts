import type { CheckpointReason } from '../checkpoint-operation.js';
import type { CheckpointId } from '../ids.js';
import type { Checkpoint } from '../views/checkpoints.js';

/** How long checkpoints stay. What was pinned stays until somebody unpins or deletes it. */
type RetentionRule = {
  /** Automatic checkpoints beyond this many go, oldest first. */
  readonly count: number;
  /** Checkpoints older than this go. */
  readonly ageMs: number;
};

/**
 * Which checkpoints the rule lets go, oldest first. Those that a person saved do not count against `count`, and the
 * newest of all always stays, because it is the way back from whatever comes next.
 */
export function expiredCheckpoints(
  saved: Iterable<Checkpoint>,
  rule: RetentionRule,
  nowMs: number,
): readonly CheckpointId[] {
  const oldestFirst = [...saved];
  const newest = oldestFirst.at(-1);
  const candidates = oldestFirst.filter((checkpoint) => !checkpoint.pinned && checkpoint !== newest);
  const automatic = oldestFirst.filter(({ reason }) => isAutomatic(reason)).length;
  let surplus = automatic - rule.count;
  const expired: CheckpointId[] = [];
  for (const checkpoint of candidates) {
    const tooMany = isAutomatic(checkpoint.reason) && surplus > 0;
    if (!tooMany && nowMs - checkpoint.at <= rule.ageMs) continue;
    expired.push(checkpoint.id);
    if (isAutomatic(checkpoint.reason)) surplus -= 1;
  }
  return expired;
}

/** Who asked for it: a person, or the course of events. */
export function isAutomatic(reason: CheckpointReason): boolean {
  return reason !== 'manual';
}
