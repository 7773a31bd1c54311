import { type Author, type Evidence, isForReview } from '../author.js';
import type { FileChange } from '../file.js';
import { type ChangeId, changeId, type HunkId, hunkId, type Seq } from '../ids.js';
import type { Changed, Conflict, Operation } from '../operation.js';
import { placeOf } from '../operation-files.js';
import type { WorkspacePath } from '../path.js';
import type { PlaceId } from '../place.js';
import { type LineRange, newRangeOf } from '../ranges.js';
import type { LineSpan } from '../span.js';

export type ChangeStatus = 'pending' | 'accepted' | 'rejected' | 'conflict';

export type ReviewHunk = {
  readonly id: HunkId;
  /** As recorded, against the text before and after this change. */
  readonly span: LineSpan;
  readonly status: ChangeStatus;
  /** Where its lines are now, after everything that came later; empty when it only removed or was overwritten. */
  readonly now: readonly LineRange[];
  /** True when later changes replaced some of its lines. */
  readonly stale: boolean;
};

/** A change that an agent made or may have made, under review or lately settled. */
export type ReviewEntry = {
  readonly id: ChangeId;
  readonly seq: Seq;
  readonly at: number;
  readonly author: Author;
  readonly evidence: Evidence;
  readonly turn: string | null;
  readonly agentId: string | null;
  readonly messageIndex: number | null;
  readonly cause: string | null;
  /** The worktree that it was made in; null is the workspace's own folder. */
  readonly place: PlaceId | null;
  readonly file: FileChange;
  /** Where the file is now, after later renames. */
  readonly path: WorkspacePath;
  readonly status: ChangeStatus;
  readonly hunks: readonly ReviewHunk[];
  readonly conflict: Conflict | null;
  readonly comment: string | null;
};

/**
 * The changes that an operation recorded, as they stood at that moment. What people did, and hands that
 * nobody can name, is not up for review: it counts as accepted.
 */
export function entriesOf(operation: Operation): readonly ReviewEntry[] {
  if (operation.kind === 'attributed') {
    return operation.changes.map(({ id, file }) => entryOf(operation, id, operation.seq, file));
  }
  if (operation.kind !== 'changed') return [];
  return operation.files.map((file, index) => entryOf(operation, changeId(operation.seq, index), operation.seq, file));
}

function entryOf(
  source: Operation & Pick<Changed, 'author' | 'evidence'>,
  id: ChangeId,
  seq: Seq,
  file: FileChange,
): ReviewEntry {
  const context = source as Partial<Changed>;
  const status = isForReview(source.author) ? 'pending' : 'accepted';
  return {
    id,
    seq,
    at: source.at,
    author: source.author,
    evidence: source.evidence,
    turn: context.turn ?? null,
    agentId: context.agentId ?? null,
    messageIndex: context.messageIndex ?? null,
    cause: context.cause ?? null,
    place: placeOf(source),
    file,
    path: file.path,
    status,
    hunks: file.spans.map((span, index) => ({
      id: hunkId(id, index),
      span,
      status,
      now: rangeList(newRangeOf(span)),
      stale: false,
    })),
    conflict: null,
    comment: null,
  };
}

/** A change is settled when all of its hunks are; with both verdicts among them it counts as accepted in part. */
export function statusOfHunks(hunks: readonly ReviewHunk[], fallback: ChangeStatus): ChangeStatus {
  if (hunks.length === 0) return fallback;
  if (hunks.some((hunk) => hunk.status === 'conflict')) return 'conflict';
  if (hunks.some((hunk) => hunk.status === 'pending')) return 'pending';
  return hunks.some((hunk) => hunk.status === 'accepted') ? 'accepted' : 'rejected';
}

export function isOpen(status: ChangeStatus): boolean {
  return status === 'pending' || status === 'conflict';
}

function rangeList(range: LineRange | null): readonly LineRange[] {
  return range === null ? [] : [range];
}

export function linesIn(ranges: readonly LineRange[]): number {
  return ranges.reduce((sum, range) => sum + range.to - range.from + 1, 0);
}
