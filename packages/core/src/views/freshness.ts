import { sessionOf } from '../author.js';
import { type FileChange, sameVersion } from '../file.js';
import { type ContentId, type Seq, type SessionId, seqOfChange } from '../ids.js';
import type { Attributed, Changed, Operation, Shown } from '../operation.js';
import { filesAnywhere, placeOf } from '../operation-files.js';
import type { WorkspacePath } from '../path.js';
import type { PlaceId } from '../place.js';
import { canonicalTool, type ToolAction } from '../tool.js';
import {
  ALL_LINES,
  carried,
  isClean,
  type Means,
  type Sight,
  sightOf,
  withOnlyShown,
  withShown,
  withUnrelated,
  written,
} from './sight.js';
import type { View } from './view.js';

/** What one session last saw of one file. A newer interaction takes the place of an older one; its dates are inherited. */
export type Seen = {
  readonly seq: Seq;
  readonly at: number;
  readonly source: 'read' | 'mention' | 'edit';
  /** The text of that interaction, and what is known of it. */
  readonly last: Sight;
  /** The same in the latest text to which it could be followed through what other hands did since. */
  readonly now: Sight;
  /** What was known before commands of the session's own changed the file: a text that comes back is as it was seen. */
  readonly past: Sight | null;
  /** False once compaction or truncation took it out of the model's sight. */
  readonly visible: boolean;
  readonly readAt: number | null;
  readonly editedAt: number | null;
  readonly outsideAt: number | null;
  /** The latest change by other hands, for notices; null when there was none since it was seen. */
  readonly outsideSeq: Seq | null;
};

type SessionFreshness = {
  readonly seen: Map<WorkspacePath, Seen>;
  readonly acknowledged: Seq | 0;
};

export type Freshness = {
  readonly sessions: Map<SessionId, SessionFreshness>;
  /** Which sessions saw a path: a change must not cost a walk over every session there ever was. */
  readonly viewers: Map<WorkspacePath, Set<SessionId>>;
  /** The sessions that work in a worktree: what they see are its files, and nobody else's. */
  readonly places: Map<SessionId, PlaceId>;
};

export type FreshnessState = 'fresh' | 'stale' | 'missing' | 'never-seen' | 'unverifiable';

/** What is there now: a content id, `absent`, or `unreadable` when it cannot be established. */
export type Present = { readonly content: ContentId } | 'absent' | 'unreadable';

/**
 * Decided by content alone: a touched file is fresh, a file changed behind a restored date is not. A file of which only
 * a part was shown again is fresh when that part holds all that other hands changed.
 */
export function freshnessOf(seen: Seen | undefined, present: Present): FreshnessState {
  if (seen === undefined) return 'never-seen';
  if (present === 'unreadable') return 'unverifiable';
  if (present === 'absent') return 'missing';
  return present.content === seen.last.content && isClean(seen.last) ? 'fresh' : 'stale';
}

/** What a session has seen of a text, if that is the one it saw or what it saw could be followed to it. */
export function sightIn({ last, now }: Pick<Seen, 'last' | 'now'>, content: ContentId): Sight | null {
  return last.content === content ? last : now.content === content ? now : null;
}

export const freshnessView: View<Freshness> = {
  name: 'freshness',
  version: 6,
  empty: () => ({ sessions: new Map(), viewers: new Map(), places: new Map() }),
  apply: applyToFreshness,
  encode: (state) => ({
    places: [...state.places],
    sessions: [...state.sessions].map(([session, { seen, acknowledged }]) => ({
      session,
      acknowledged,
      seen: Array.from(seen, ([path, { now, ...record }]) => [path, now === record.last ? record : { ...record, now }]),
    })),
  }),
  decode(encoded) {
    const stored = encoded as { places: [SessionId, PlaceId][]; sessions: StoredSession[] };
    const state: Freshness = { sessions: new Map(), viewers: new Map(), places: new Map(stored.places) };
    for (const { session, acknowledged, seen } of stored.sessions) {
      const records = seen.map(([path, record]): [WorkspacePath, Seen] => [path, { now: record.last, ...record }]);
      state.sessions.set(session, { acknowledged, seen: new Map(records) });
      for (const [path] of seen) viewersOf(state, path).add(session);
    }
    return state;
  },
};

type StoredSeen = Omit<Seen, 'now'> & { readonly now?: Sight };
type StoredSession = { session: SessionId; acknowledged: Seq | 0; seen: [WorkspacePath, StoredSeen][] };

function applyToFreshness(state: Freshness, operation: Operation): Freshness {
  switch (operation.kind) {
    case 'shown':
      for (const file of operation.files) show(state, operation, file);
      break;
    case 'context-cut':
      hideAll(state, operation.session);
      break;
    case 'acknowledged': {
      const { seen, acknowledged } = sessionIn(state, operation.session);
      // News of an earlier delivery may come after that of a later one.
      if (operation.upTo > acknowledged) state.sessions.set(operation.session, { seen, acknowledged: operation.upTo });
      break;
    }
    case 'session-started':
      if (operation.worktree?.place !== undefined) enter(state, operation.session, operation.worktree.place);
      break;
    case 'worktree-removed':
      for (const [session, place] of state.places) if (place === operation.worktree) leave(state, session);
      break;
    case 'session-deleted':
      state.places.delete(operation.session);
      for (const path of state.sessions.get(operation.session)?.seen.keys() ?? []) {
        viewersOf(state, path).delete(operation.session);
      }
      state.sessions.delete(operation.session);
      break;
    case 'attributed': {
      const writer = sessionOf(operation.author);
      if (writer !== null) for (const change of operation.changes) lateOwnWrite(state, operation, change, writer);
      break;
    }
    default: {
      const writer = operation.kind === 'changed' ? sessionOf(operation.author) : null;
      for (const file of filesAnywhere(operation)) change(state, operation, file, writer);
    }
  }
  return state;
}

/** What it saw elsewhere, before it came to work there, it has not seen of these files. */
function enter(state: Freshness, session: SessionId, place: PlaceId): void {
  if (state.places.get(session) === place) return;
  leave(state, session);
  state.places.set(session, place);
}

function leave(state: Freshness, session: SessionId): void {
  state.places.delete(session);
  const { seen, acknowledged } = sessionIn(state, session);
  for (const path of seen.keys()) viewersOf(state, path).delete(session);
  state.sessions.set(session, { seen: new Map(), acknowledged });
}

function show(state: Freshness, operation: Operation & Shown, file: Shown['files'][number]): void {
  const earlier = sessionIn(state, operation.session).seen.get(file.path);
  const sight = shownSight(earlier, file);
  put(state, operation.session, file.path, {
    seq: operation.seq,
    at: operation.at,
    source: operation.source,
    last: sight,
    now: sight,
    past: null,
    visible: true,
    readAt: operation.at,
    editedAt: earlier?.editedAt ?? null,
    outsideAt: earlier?.outsideAt ?? null,
    outsideSeq: file.stale ? operation.seq : isClean(sight) ? null : (earlier?.outsideSeq ?? null),
  });
}

/** What was seen before stays seen where the text is the one that it could be followed to. */
function shownSight(earlier: Seen | undefined, { content, lines }: Shown['files'][number]): Sight {
  const shown = lines === undefined ? ALL_LINES : [lines];
  if (earlier === undefined || lines === undefined) return sightOf(content, shown);
  const known = sightIn(earlier, content);
  if (known === null) return withUnrelated(earlier.now, content, shown);
  return earlier.visible ? withShown(known, shown) : withOnlyShown(known, shown);
}

function change(state: Freshness, operation: Operation, file: FileChange, writer: SessionId | null): void {
  const place = placeOf(operation);
  const isWritersOwn = writer !== null && (state.places.get(writer) ?? null) === place;
  if (isWritersOwn && operation.kind === 'changed') ownWrite(state, operation, file, writer);
  const touched = file.fromPath === undefined ? [file.path] : [file.path, file.fromPath];
  for (const path of touched) {
    for (const session of state.viewers.get(path) ?? []) {
      if (session === writer || (state.places.get(session) ?? null) !== place) continue;
      const seen = sessionIn(state, session).seen.get(path);
      if (seen === undefined) continue;
      const now = path === file.path ? followed(seen, file) : seen.now;
      const known = now === seen.past ? { last: now, past: null } : {};
      put(state, session, path, { ...seen, ...known, now, outsideAt: operation.at, outsideSeq: operation.seq });
    }
  }
}

/** Through a change by other hands. Where that cannot be done, it stays with the text that it was last followed to. */
function followed({ last, now, past }: Seen, { before, after, spans }: FileChange): Sight {
  if (after === null) return now;
  // What was changed and changed back is as it was seen.
  if (after.content === last.content) return last;
  if (after.content === past?.content) return past;
  return (before?.content === now.content ? carried(now, spans, after.content) : null) ?? now;
}

/** A session knows what it wrote: its own write refreshes what it saw, if that was fresh, and shows it its lines. */
function ownWrite(state: Freshness, operation: OwnWrite, file: FileChange, writer: SessionId): void {
  const { seen } = sessionIn(state, writer);
  const earlier = seen.get(file.fromPath ?? file.path);
  if (file.fromPath === undefined && sameVersion(file.before, file.after)) {
    // An imported edit tells its date and not its bytes: what the session knows of the file is what it knew.
    if (earlier !== undefined)
      put(state, writer, file.path, { ...earlier, editedAt: operation.at, readAt: operation.at });
    return;
  }
  if (file.fromPath !== undefined || file.after === null) {
    const gone = file.fromPath ?? file.path;
    seen.delete(gone);
    viewersOf(state, gone).delete(writer);
  }
  if (file.after === null) return;
  const means = meansOf(operation);
  const past = means === 'command' ? (earlier?.past ?? earlier?.last ?? null) : null;
  const isBack = past?.content === file.after.content;
  const sight = isBack ? past : ownSight(earlier, file, means);
  if (sight === null) {
    // It wrote over what it has not seen: having written there does not show it the rest.
    put(state, writer, file.path, { ...earlier!, editedAt: operation.at });
    return;
  }
  put(state, writer, file.path, {
    seq: operation.seq,
    at: operation.at,
    source: 'edit',
    last: sight,
    now: sight,
    past: isBack ? null : past,
    visible: earlier?.visible ?? true,
    readAt: operation.at,
    editedAt: operation.at,
    outsideAt: earlier?.outsideAt ?? null,
    outsideSeq: isClean(sight) ? null : (earlier?.outsideSeq ?? null),
  });
}

type OwnWrite = Operation & (Changed | Attributed);

/** Null where the session wrote over a text that what it saw could not be followed to. */
function ownSight(earlier: Seen | undefined, file: FileChange, by: Means): Sight | null {
  const { before, after, spans } = file;
  if (before === null) return sightOf(after!.content, by === 'command' ? [] : ALL_LINES);
  const known = earlier === undefined ? sightOf(before.content, []) : sightIn(earlier, before.content);
  return known === null ? null : written(known, spans, after!.content, by);
}

/** What a command copies, unpacks or brings back was in front of nobody, unless its own words are proven to be the text. */
function meansOf({ author, evidence }: OwnWrite): Means {
  if (evidence === 'exact') return 'words';
  return author.kind === 'agent' && TEXT_TOOLS.has(canonicalTool(author.tool).action) ? 'tool' : 'command';
}

const TEXT_TOOLS: ReadonlySet<ToolAction> = new Set<ToolAction>(['write', 'edit', 'patch']);

/** What others did to the file since is still news to the session. */
function lateOwnWrite(
  state: Freshness,
  operation: OwnWrite,
  { id, file }: Attributed['changes'][number],
  writer: SessionId,
): void {
  const outsideSeq = sessionIn(state, writer).seen.get(file.path)?.outsideSeq ?? null;
  ownWrite(state, operation, file, writer);
  const seen = sessionIn(state, writer).seen.get(file.path);
  if (seen !== undefined && outsideSeq !== null && outsideSeq > seqOfChange(id))
    put(state, writer, file.path, { ...seen, outsideSeq });
}

function hideAll(state: Freshness, session: SessionId): void {
  const { seen } = sessionIn(state, session);
  for (const [path, record] of seen) seen.set(path, { ...record, visible: false });
}

function sessionIn(state: Freshness, session: SessionId): SessionFreshness {
  const known = state.sessions.get(session);
  if (known !== undefined) return known;
  const created: SessionFreshness = { seen: new Map(), acknowledged: 0 };
  state.sessions.set(session, created);
  return created;
}

function viewersOf(state: Freshness, path: WorkspacePath): Set<SessionId> {
  const known = state.viewers.get(path);
  if (known !== undefined) return known;
  const created = new Set<SessionId>();
  state.viewers.set(path, created);
  return created;
}

function put(state: Freshness, session: SessionId, path: WorkspacePath, seen: Seen): void {
  sessionIn(state, session).seen.set(path, seen);
  viewersOf(state, path).add(session);
}
