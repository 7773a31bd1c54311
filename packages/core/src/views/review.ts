import type { Author, Evidence } from '../author.js';
import type { FileChange, LineRange, LineSpan } from '../file.js';
import { type ChangeId, changeId, changeOfHunk, type HunkId, hunkId, type Seq } from '../ids.js';
import { type Changed, type Conflict, filesOf, type Operation, type Resolved } from '../operation.js';
import type { WorkspacePath } from '../path.js';
import { newRangeOf, rebaseRanges } from '../ranges.js';
import type { View } from './view.js';

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

/** An agent's change under review, or lately settled. */
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
  readonly file: FileChange;
  /** Where the file is now, after later renames. */
  readonly path: WorkspacePath;
  readonly status: ChangeStatus;
  readonly hunks: readonly ReviewHunk[];
  readonly conflict: Conflict | null;
  readonly comment: string | null;
};

export type Review = {
  /** By id, oldest first: all that is pending or in conflict, and the last `SETTLED_LIMIT` that were settled. */
  readonly entries: Map<ChangeId, ReviewEntry>;
  /** Entries by path, oldest first, so that a new change finds the ranges it moves. */
  readonly byPath: Map<WorkspacePath, ChangeId[]>;
  /** What each decision did to the entries, newest last, so that it can be taken back. */
  readonly decisions: Map<Seq, readonly ReviewEntry[]>;
  readonly settled: Set<ChangeId>;
};

/** How many settled changes, and how many decisions, stay at hand; older ones are found in the log. */
export const SETTLED_LIMIT = 10_000;

export const reviewView: View<Review> = {
  name: 'review',
  version: 1,
  empty: () => ({ entries: new Map(), byPath: new Map(), decisions: new Map(), settled: new Set() }),
  apply: applyToReview,
  encode: (state) => ({
    entries: [...state.entries.values()],
    decisions: [...state.decisions],
    settled: [...state.settled],
  }),
  decode(encoded) {
    const stored = encoded as { entries: ReviewEntry[]; decisions: [Seq, ReviewEntry[]][]; settled: ChangeId[] };
    const state = reviewView.empty();
    for (const entry of stored.entries) insert(state, entry);
    for (const [seq, before] of stored.decisions) state.decisions.set(seq, before);
    for (const id of stored.settled) state.settled.add(id);
    return state;
  },
};

function applyToReview(state: Review, operation: Operation): Review {
  for (const file of filesOf(operation)) moveRanges(state, file);
  switch (operation.kind) {
    case 'changed':
      if (operation.author.kind === 'agent') {
        for (const entry of entriesOf(operation)) insert(state, entry);
      }
      break;
    case 'attributed':
      for (const entry of entriesOf(operation)) {
        drop(state, entry.id);
        if (operation.author.kind === 'agent') insert(state, entry);
      }
      break;
    case 'decided': {
      const status = operation.verdict === 'accept' ? 'accepted' : 'rejected';
      remember(state, operation.seq, [
        ...decideHunks(state, operation.hunks, status),
        ...decide(state, [...operation.changes, ...operation.cascaded], { status, comment: operation.comment ?? null }),
        ...operation.conflicts.flatMap((conflict) =>
          decide(state, [conflict.change], { status: 'conflict', conflict }),
        ),
      ]);
      break;
    }
    case 'resolved':
      remember(
        state,
        operation.seq,
        decide(state, [operation.change], { status: settledBy(operation.take), conflict: null }),
      );
      break;
    case 'committed':
      remember(state, operation.seq, decide(state, operation.changes, { status: 'accepted' }));
      break;
    case 'restored':
      remember(state, operation.seq, decide(state, operation.takenBack, { status: 'rejected' }));
      break;
    case 'undone':
      remember(state, operation.seq, takeBack(state, operation.target));
      break;
    default:
      break;
  }
  return state;
}

/**
 * The changes that an operation recorded, as they stood at that moment. What people and unknown hands did is not up for
 * review: it counts as accepted.
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
  const status = source.author.kind === 'agent' ? 'pending' : 'accepted';
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

/** Every change of a file moves the lines of the changes before it; a rename takes them along to the new name. */
function moveRanges(state: Review, file: FileChange): void {
  const ids = state.byPath.get(file.fromPath ?? file.path) ?? [];
  for (const id of ids) {
    const entry = state.entries.get(id);
    if (entry === undefined) continue;
    const hunks = entry.hunks.map((hunk) => {
      const now = rebaseRanges(hunk.now, file.spans);
      return { ...hunk, now, stale: hunk.stale || linesIn(now) < linesIn(hunk.now) };
    });
    state.entries.set(id, { ...entry, path: file.path, hunks });
  }
  if (file.fromPath !== undefined && ids.length > 0) {
    state.byPath.delete(file.fromPath);
    state.byPath.set(file.path, [...(state.byPath.get(file.path) ?? []), ...ids]);
  }
}

function decideHunks(state: Review, hunks: readonly HunkId[], status: ChangeStatus): ReviewEntry[] {
  const before: ReviewEntry[] = [];
  for (const change of new Set(hunks.map(changeOfHunk))) {
    const entry = state.entries.get(change);
    if (entry === undefined) continue;
    before.push(entry);
    const decided = entry.hunks.map((hunk) => (hunks.includes(hunk.id) ? { ...hunk, status } : hunk));
    update(state, { ...entry, hunks: decided, status: statusOfHunks(decided, entry.status) });
  }
  return before;
}

function decide(state: Review, ids: readonly ChangeId[], fields: Partial<ReviewEntry>): ReviewEntry[] {
  const before: ReviewEntry[] = [];
  for (const id of ids) {
    const entry = state.entries.get(id);
    if (entry === undefined) continue;
    before.push(entry);
    const status = fields.status ?? entry.status;
    const hunks = entry.hunks.map((hunk) =>
      hunk.status === 'pending' || status === 'conflict' ? { ...hunk, status } : hunk,
    );
    update(state, { ...entry, ...fields, hunks });
  }
  return before;
}

function takeBack(state: Review, target: Seq): ReviewEntry[] {
  const before: ReviewEntry[] = [];
  for (const earlier of state.decisions.get(target) ?? []) {
    const entry = state.entries.get(earlier.id);
    if (entry === undefined) continue;
    before.push(entry);
    const hunks = entry.hunks.map((hunk, index) => ({ ...hunk, status: earlier.hunks[index]?.status ?? hunk.status }));
    update(state, { ...entry, status: earlier.status, conflict: earlier.conflict, comment: earlier.comment, hunks });
  }
  return before;
}

function remember(state: Review, seq: Seq, before: readonly ReviewEntry[]): void {
  state.decisions.set(seq, before);
  for (const oldest of state.decisions.keys()) {
    if (state.decisions.size <= SETTLED_LIMIT) break;
    state.decisions.delete(oldest);
  }
}

function insert(state: Review, entry: ReviewEntry): void {
  state.entries.set(entry.id, entry);
  const ids = state.byPath.get(entry.path);
  if (ids === undefined) state.byPath.set(entry.path, [entry.id]);
  else ids.push(entry.id);
}

function update(state: Review, entry: ReviewEntry): void {
  state.entries.set(entry.id, entry);
  if (entry.status === 'pending' || entry.status === 'conflict') {
    state.settled.delete(entry.id);
    return;
  }
  state.settled.add(entry.id);
  for (const oldest of state.settled) {
    if (state.settled.size <= SETTLED_LIMIT) break;
    drop(state, oldest);
  }
}

function drop(state: Review, id: ChangeId): void {
  const entry = state.entries.get(id);
  if (entry === undefined) return;
  state.entries.delete(id);
  state.settled.delete(id);
  const left = (state.byPath.get(entry.path) ?? []).filter((other) => other !== id);
  if (left.length === 0) state.byPath.delete(entry.path);
  else state.byPath.set(entry.path, left);
}

/** A change is settled when all of its hunks are; with both verdicts among them it counts as accepted in part. */
function statusOfHunks(hunks: readonly ReviewHunk[], fallback: ChangeStatus): ChangeStatus {
  if (hunks.length === 0) return fallback;
  if (hunks.some((hunk) => hunk.status === 'conflict')) return 'conflict';
  if (hunks.some((hunk) => hunk.status === 'pending')) return 'pending';
  return hunks.some((hunk) => hunk.status === 'accepted') ? 'accepted' : 'rejected';
}

/** Keeping what is there leaves the change in place; anything else took it away. */
function settledBy(take: Resolved['take']): ChangeStatus {
  return take === 'ours' ? 'accepted' : 'rejected';
}

function rangeList(range: LineRange | null): readonly LineRange[] {
  return range === null ? [] : [range];
}

function linesIn(ranges: readonly LineRange[]): number {
  return ranges.reduce((sum, range) => sum + range.to - range.from + 1, 0);
}
