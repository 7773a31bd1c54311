import {
  type CallId,
  failed,
  type Outcome,
  ok,
  pathGlob,
  type ReviewEntry,
  type SessionId,
  type WorkspacePath,
} from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import type { KnownTree } from '../store/known-tree.js';
import type { LiveLog } from '../store/live-log.js';

/** How somebody says where changes are from. Ids may be cut short as long as only one begins like that. */
export type Whence = {
  readonly session?: string | undefined;
  readonly call?: string | undefined;
  readonly path?: string | undefined;
};

/** The same, understood. */
export type Meant = {
  readonly session: SessionId | null;
  readonly call: CallId | null;
  readonly place: Place | null;
};

/** A file, under any of its names; or all in a folder; or all that a pattern fits. */
export type Place = {
  readonly holds: (name: WorkspacePath) => boolean;
  /** The path itself; null for a pattern and for the whole workspace. */
  readonly path: WorkspacePath | null;
};

export type MeantParts = {
  /** Those that a choice is among; without it, all. */
  readonly isMeant?: (entry: ReviewEntry) => boolean;
  readonly live: LiveLog;
  readonly known: KnownTree;
  readonly locate: (path: string) => Outcome<WorkspacePath, Refusal>;
};

/** Refuses what fits nothing that there is or was, so that a slip of the pen is not taken for nothing to do. */
export function understand({ session, call, path }: Whence, parts: MeantParts): Outcome<Meant, Refusal> {
  const { live } = parts;
  const place = path === undefined ? ok(null) : placeOf(path, parts);
  if (!place.ok) return place;
  const whose = session === undefined ? ok(null) : sessionOf(session, live);
  if (!whose.ok) return whose;
  const by = call === undefined ? ok(null) : callOf(call, whose.value, live);
  if (!by.ok) return by;
  return ok({ session: whose.value, call: by.value, place: place.value });
}

export function isOpen({ status }: Pick<ReviewEntry, 'status'>): boolean {
  return status === 'pending' || status === 'conflict';
}

export function isAt({ path, file }: ReviewEntry, place: Place | null): boolean {
  if (place === null) return true;
  return [path, file.path, file.fromPath].some((name) => name !== undefined && place.holds(name));
}

export function isFrom({ author }: ReviewEntry, { session, call }: Meant): boolean {
  if (session === null && call === null) return true;
  if (author.kind !== 'agent') return false;
  return (session === null || author.session === session) && (call === null || author.call === call);
}

const NAMED_LIMIT = 5;

function placeOf(written: string, { live, known, locate }: MeantParts): Outcome<Place, Refusal> {
  const located = locate(written);
  if (!located.ok) {
    const isRoot = located.error.code === 'bad-path' && located.error.why === 'root';
    return isRoot ? ok({ holds: () => true, path: null }) : located;
  }
  const path = located.value;
  const fits = pathGlob(path);
  const holds = (name: WorkspacePath) => name === path || name.startsWith(`${path}/`) || fits?.(name) === true;
  const entries = [...live.views.review.entries.values()];
  const place: Place = { holds, path: fits === null ? path : null };
  if (entries.some((entry) => isAt(entry, place))) return ok(place);
  const isThere = fits === null ? known.atOrBelow([path]).size > 0 : [...known.paths()].some(holds);
  if (isThere || live.log.find({ path, limit: 1 }).length > 0) return ok(place);
  const like = [...new Set(entries.filter(isOpen).map((entry) => entry.path))];
  return failed({ code: 'no-match', what: 'path', name: path, like: like.slice(0, NAMED_LIMIT) });
}

export function sessionOf(name: string, { views }: LiveLog): Outcome<SessionId, Refusal> {
  const known = new Set<string>(views.sessions.sessions.keys());
  for (const { author } of views.review.entries.values()) if (author.kind === 'agent') known.add(author.session);
  const meant = among(known, name);
  if (meant.length === 1) return ok(meant[0] as SessionId);
  if (meant.length === 0) return failed({ code: 'unknown-session', session: name });
  return failed({ code: 'ambiguous', what: 'session', name, like: meant.slice(0, NAMED_LIMIT) });
}

function callOf(name: string, session: SessionId | null, { log, views }: LiveLog): Outcome<CallId, Refusal> {
  const call = name as CallId;
  if (log.find({ call, ...(session === null ? {} : { session }), limit: 1 }).length > 0) return ok(call);
  const known = new Set<string>();
  for (const { author } of views.review.entries.values()) {
    const hands = author.kind === 'agent' ? [author] : author.kind === 'unknown' ? author.candidates : [];
    for (const hand of hands) if (session === null || hand.session === session) known.add(hand.call);
  }
  const meant = among(known, name);
  if (meant.length === 1) return ok(meant[0] as CallId);
  const like = (meant.length === 0 ? [...known].toReversed() : meant).slice(0, NAMED_LIMIT);
  return failed({ code: meant.length === 0 ? 'no-match' : 'ambiguous', what: 'call', name, like });
}

function among(known: ReadonlySet<string>, name: string): readonly string[] {
  if (known.has(name)) return [name];
  return name === '' ? [] : [...known].filter((id) => id.startsWith(name));
}
