import { isForReview } from '../author.js';
import type { FileChange } from '../file.js';
import { followMoves } from '../identity.js';
import { type ChangeId, changeOfHunk, type HunkId, type Seq, type SessionId } from '../ids.js';
import type {
  Attributed,
  Committed,
  Conflict,
  Decided,
  Operation,
  Rejection,
  Resolved,
  Restored,
  Switched,
  Undone,
} from '../operation.js';
import { filesAnywhere, placeOf } from '../operation-files.js';
import type { WorkspacePath } from '../path.js';
import type { PlaceId } from '../place.js';
import { rebaseRanges } from '../ranges.js';
import { type ChangeStatus, entriesOf, isOpen, linesIn, type ReviewEntry, statusOfHunks } from './review-entry.js';
import type { View } from './view.js';

/** How a change stood before a decision. */
type Standing = Pick<ReviewEntry, 'id' | 'status' | 'conflict' | 'comment' | 'author' | 'evidence'> & {
  readonly hunks: readonly ChangeStatus[];
};

/** A rejection that the session of the change has not acknowledged. */
type HeardRejection = Rejection & { readonly seq: Seq; readonly comment: string | null };

export type Review = {
  /** By id, oldest first: all that is pending or in conflict, and the last `SETTLED_LIMIT` that were settled. */
  readonly entries: Map<ChangeId, ReviewEntry>;
  /** Entries by place and path, oldest first, so that a new change finds the ranges it moves. */
  readonly byPath: Map<PlacedPath, ChangeId[]>;
  /** How the changes stood that each decision decided, newest last, so that it can be taken back. */
  readonly decisions: Map<Seq, readonly Standing[]>;
  readonly settled: Set<ChangeId>;
  /** Operations that undo, or redo, takes back next, the next one last. */
  readonly undoable: Seq[];
  readonly redoable: Seq[];
  readonly rejections: Map<SessionId, readonly HeardRejection[]>;
};

/** A path in a place: no path has a NUL. */
type PlacedPath = string & { readonly placed: true };

function placedPath(place: PlaceId | null, path: WorkspacePath): PlacedPath {
  return `${place ?? ''}\0${path}` as PlacedPath;
}

/** How many settled changes, and how many decisions, stay at hand; older ones are found in the log. */
const SETTLED_LIMIT = 10_000;
/** Rejections kept for a session that never says it heard. */
const REJECTIONS_LIMIT = 200;

export const reviewView: View<Review> = {
  name: 'review',
  version: 5,
  empty: () => ({
    entries: new Map(),
    byPath: new Map(),
    decisions: new Map(),
    settled: new Set(),
    undoable: [],
    redoable: [],
    rejections: new Map(),
  }),
  apply: applyToReview,
  encode: (state) => ({
    entries: [...state.entries.values()],
    decisions: [...state.decisions],
    settled: [...state.settled],
    undoable: state.undoable,
    redoable: state.redoable,
    rejections: [...state.rejections],
  }),
  decode(encoded) {
    const stored = encoded as EncodedReview;
    const state = reviewView.empty();
    for (const entry of stored.entries) insert(state, entry);
    for (const [seq, before] of stored.decisions) state.decisions.set(seq, before);
    for (const id of stored.settled) state.settled.add(id);
    state.undoable.push(...stored.undoable);
    state.redoable.push(...stored.redoable);
    for (const [session, heard] of stored.rejections) state.rejections.set(session, heard);
    return state;
  },
};

type EncodedReview = {
  readonly entries: readonly ReviewEntry[];
  readonly decisions: readonly [Seq, readonly Standing[]][];
  readonly settled: readonly ChangeId[];
  readonly undoable: readonly Seq[];
  readonly redoable: readonly Seq[];
  readonly rejections: readonly [SessionId, readonly HeardRejection[]][];
};

/** Changes of the file that is now at this path of a place, oldest first. */
export function changesAt({ byPath }: Review, path: WorkspacePath, place: PlaceId | null = null): readonly ChangeId[] {
  return byPath.get(placedPath(place, path)) ?? [];
}

function applyToReview(state: Review, operation: Operation): Review {
  const place = placeOf(operation);
  if (filesAnywhere(operation).length > 0) moveRanges(state, place, followMoves(operation, place));
  if ('switched' in operation) placeAgain(state, operation.switched?.places ?? []);
  switch (operation.kind) {
    case 'changed':
      if (isForReview(operation.author)) {
        for (const entry of entriesOf(operation)) insert(state, entry);
      }
      break;
    case 'attributed':
      attributeTo(state, operation);
      break;
    case 'acknowledged':
      hear(state, operation.session, (rejection) => rejection.seq > operation.upTo);
      break;
    case 'session-deleted':
      state.rejections.delete(operation.session);
      break;
    case 'decided':
    case 'resolved':
    case 'committed':
    case 'restored':
      decideBy(state, operation);
      break;
    case 'undone':
      remember(state, operation.seq, takeBack(state, operation.target));
      turnBack(state, operation);
      break;
    default:
      break;
  }
  return state;
}

/** Who made it does not change how it stands: what was decided before stays decided. */
function attributeTo(state: Review, operation: Operation & Attributed): void {
  const before = new Map<ChangeId, Standing>();
  const { author, evidence } = operation;
  for (const fresh of entriesOf(operation)) {
    const entry = state.entries.get(fresh.id);
    if (entry !== undefined) note(before, entry);
    if (!isForReview(author)) drop(state, fresh.id);
    else if (entry === undefined) insert(state, fresh);
    else state.entries.set(entry.id, { ...entry, author, evidence });
  }
  if (operation.by !== 'person') return;
  remember(state, operation.seq, [...before.values()]);
  push(state.undoable, operation.seq);
  state.redoable.length = 0;
}

function decideBy(state: Review, operation: Operation & (Decided | Resolved | Committed | Restored)): void {
  const before = new Map<ChangeId, Standing>();
  const whole = (ids: readonly ChangeId[], fields: Settling) => decide(state, ids, fields, before);
  switch (operation.kind) {
    case 'decided': {
      const status = operation.verdict === 'accept' ? 'accepted' : 'rejected';
      const fields = { status, comment: operation.comment ?? null, conflict: null } as const;
      decideHunks(state, operation.hunks, fields, before);
      whole([...operation.changes, ...operation.cascaded], fields);
      for (const conflict of operation.conflicts) conflicting(state, conflict, before);
      for (const rejection of operation.rejections ?? []) tell(state, operation, rejection);
      break;
    }
    case 'resolved':
      whole(operation.cascaded ?? [], { status: 'rejected', conflict: null });
      resolveConflict(state, operation, before);
      break;
    case 'committed':
      whole(operation.changes, { status: 'accepted', conflict: null });
      break;
    case 'restored':
      whole(operation.takenBack, { status: 'rejected', conflict: null });
      break;
  }
  if (operation.kind === 'committed' && operation.changes.length === 0) return;
  remember(state, operation.seq, [...before.values()]);
  push(state.undoable, operation.seq);
  state.redoable.length = 0;
}

/** Every change of a file moves the lines of the changes before it; a rename takes them along to the new name. */
function moveRanges(state: Review, place: PlaceId | null, files: readonly (FileChange | null)[]): void {
  const moves = files.flatMap((file) =>
    file === null ? [] : [{ file, ids: state.byPath.get(placedPath(place, file.fromPath ?? file.path)) ?? [] }],
  );
  for (const { file, ids } of moves) {
    for (const id of ids) {
      const entry = state.entries.get(id);
      if (entry === undefined) continue;
      const hunks = entry.hunks.map((hunk) => {
        const now = rebaseRanges(hunk.now, file.spans);
        return { ...hunk, now, stale: hunk.stale || linesIn(now) < linesIn(hunk.now) };
      });
      state.entries.set(id, { ...entry, path: file.path, hunks });
    }
  }
  // Files may change places, so all of them leave before any arrives.
  const moved = moves.filter(({ file }) => file.fromPath !== undefined);
  for (const { file } of moved) state.byPath.delete(placedPath(place, file.fromPath!));
  for (const { file, ids } of moved) {
    const to = placedPath(place, file.path);
    if (ids.length > 0) state.byPath.set(to, [...(state.byPath.get(to) ?? []), ...ids]);
  }
}

/** Lines that a decision brought back belong to the hunks that wrote them, as if they had never gone. */
function placeAgain(state: Review, places: NonNullable<Switched['places']>): void {
  for (const { hunk: id, now } of places) {
    const entry = state.entries.get(changeOfHunk(id));
    if (entry === undefined) continue;
    const hunks = entry.hunks.map((hunk) =>
      hunk.id === id ? { ...hunk, now, stale: linesIn(now) < hunk.span.newLines } : hunk,
    );
    state.entries.set(entry.id, { ...entry, hunks });
  }
}

type Settling = { readonly status: ChangeStatus } & Partial<Pick<ReviewEntry, 'conflict' | 'comment'>>;

/** Hunks by name get the status whatever they had; the change is what its hunks make it. */
function decideHunks(
  state: Review,
  hunks: readonly HunkId[],
  { status, ...fields }: Settling,
  before: Map<ChangeId, Standing>,
): void {
  const named = new Set(hunks);
  for (const change of new Set(hunks.map(changeOfHunk))) {
    const entry = state.entries.get(change);
    if (entry === undefined) continue;
    note(before, entry);
    const decided = entry.hunks.map((hunk) => (named.has(hunk.id) ? { ...hunk, status } : hunk));
    const conflict = decided.some((hunk) => hunk.status === 'conflict') ? entry.conflict : null;
    update(state, { ...entry, ...fields, conflict, hunks: decided, status: statusOfHunks(decided, entry.status) });
  }
}

/** A change as a whole gets the status, and so do those of its hunks that were open. */
function decide(
  state: Review,
  ids: readonly ChangeId[],
  { status, ...fields }: Settling,
  before: Map<ChangeId, Standing>,
): void {
  for (const id of ids) {
    const entry = state.entries.get(id);
    if (entry === undefined) continue;
    note(before, entry);
    const hunks = entry.hunks.map((hunk) => (isOpen(hunk.status) ? { ...hunk, status } : hunk));
    update(state, { ...entry, ...fields, status, hunks });
  }
}

function conflicting(state: Review, conflict: Conflict, before: Map<ChangeId, Standing>): void {
  const entry = state.entries.get(conflict.change);
  if (entry === undefined) return;
  note(before, entry);
  const concerned = conflict.hunks === undefined ? null : new Set(conflict.hunks);
  const hunks = entry.hunks.map((hunk) =>
    (concerned === null ? isOpen(hunk.status) : concerned.has(hunk.id))
      ? { ...hunk, status: 'conflict' as const }
      : hunk,
  );
  update(state, { ...entry, status: 'conflict', conflict, hunks });
}

/** Keeping what is there leaves the change in place; anything else took it away. Other hunks stay as open as they were. */
function resolveConflict(state: Review, { change, take }: Resolved, before: Map<ChangeId, Standing>): void {
  const entry = state.entries.get(change);
  if (entry === undefined) return;
  note(before, entry);
  const status: ChangeStatus = take === 'ours' ? 'accepted' : 'rejected';
  const hunks = entry.hunks.map((hunk) => (hunk.status === 'conflict' ? { ...hunk, status } : hunk));
  update(state, { ...entry, status: statusOfHunks(hunks, status), conflict: null, hunks });
}

function takeBack(state: Review, target: Seq): Standing[] {
  const before = new Map<ChangeId, Standing>();
  for (const earlier of state.decisions.get(target) ?? []) {
    const entry = state.entries.get(earlier.id);
    if (entry === undefined) continue;
    note(before, entry);
    const hunks = entry.hunks.map((hunk, index) => ({ ...hunk, status: earlier.hunks[index] ?? hunk.status }));
    const { status, conflict, comment, author, evidence } = earlier;
    update(state, { ...entry, status, conflict, comment, author, evidence, hunks });
  }
  for (const session of state.rejections.keys()) hear(state, session, (rejection) => rejection.seq !== target);
  return [...before.values()];
}

/** Undoing a decision makes it the next to redo, and the other way round. */
function turnBack(state: Review, { seq, target }: Operation & Undone): void {
  const again = state.redoable.lastIndexOf(target);
  if (again >= 0) {
    state.redoable.splice(again, 1);
    push(state.undoable, seq);
    return;
  }
  const at = state.undoable.lastIndexOf(target);
  if (at >= 0) state.undoable.splice(at, 1);
  push(state.redoable, seq);
}

function push(stack: Seq[], seq: Seq): void {
  stack.push(seq);
  if (stack.length > SETTLED_LIMIT) stack.shift();
}

function note(before: Map<ChangeId, Standing>, entry: ReviewEntry): void {
  if (before.has(entry.id)) return;
  const { id, status, conflict, comment, author, evidence } = entry;
  before.set(id, { id, status, conflict, comment, author, evidence, hunks: entry.hunks.map((hunk) => hunk.status) });
}

/** What a decision just settled stays at hand, however much it is, so that it can be undone. */
function remember(state: Review, seq: Seq, before: readonly Standing[]): void {
  state.decisions.set(seq, before);
  for (const oldest of state.decisions.keys()) {
    if (state.decisions.size <= SETTLED_LIMIT) break;
    state.decisions.delete(oldest);
  }
  for (const oldest of state.settled) {
    if (state.settled.size <= Math.max(SETTLED_LIMIT, before.length)) break;
    drop(state, oldest);
  }
}

function tell(state: Review, operation: Operation & Decided, rejection: Rejection): void {
  const heard = { ...rejection, seq: operation.seq, comment: operation.comment ?? null };
  const earlier = state.rejections.get(rejection.session) ?? [];
  state.rejections.set(rejection.session, [...earlier, heard].slice(-REJECTIONS_LIMIT));
}

function hear(state: Review, session: SessionId, stays: (rejection: HeardRejection) => boolean): void {
  const left = (state.rejections.get(session) ?? []).filter(stays);
  if (left.length === 0) state.rejections.delete(session);
  else state.rejections.set(session, left);
}

function insert(state: Review, entry: ReviewEntry): void {
  state.entries.set(entry.id, entry);
  const key = placedPath(entry.place, entry.path);
  const ids = state.byPath.get(key);
  if (ids === undefined) state.byPath.set(key, [entry.id]);
  else ids.push(entry.id);
}

function update(state: Review, entry: ReviewEntry): void {
  state.entries.set(entry.id, entry);
  if (isOpen(entry.status)) state.settled.delete(entry.id);
  else state.settled.add(entry.id);
}

function drop(state: Review, id: ChangeId): void {
  const entry = state.entries.get(id);
  if (entry === undefined) return;
  state.entries.delete(id);
  state.settled.delete(id);
  const key = placedPath(entry.place, entry.path);
  const left = (state.byPath.get(key) ?? []).filter((other) => other !== id);
  if (left.length === 0) state.byPath.delete(key);
  else state.byPath.set(key, left);
}
