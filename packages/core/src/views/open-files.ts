import { sessionOf } from '../author.js';
import type { FileChange } from '../file.js';
import type { CallId, SessionId } from '../ids.js';
import type { Attributed, Changed, OpenFilesSet, Operation } from '../operation.js';
import { filesAnywhere } from '../operation-files.js';
import type { WorkspacePath } from '../path.js';
import { canonicalTool, type ToolAction } from '../tool.js';
import { callKey } from './sessions.js';
import type { View } from './view.js';

/** How a file came to be open, or was last used. */
export type OpenedBy = 'command' | 'read' | 'mention' | 'write' | 'search';

/** Times are in milliseconds since the epoch; they inform. `order` is greater the later a file was used. */
export type OpenFile = {
  readonly path: WorkspacePath;
  readonly openedAt: number;
  readonly touchedAt: number;
  readonly by: OpenedBy;
  readonly order: number;
};

/** The files that are open for one session, or for all. A path is in at most one of the three. */
type OpenSet = {
  /** Never evicted. */
  readonly pinned: Map<WorkspacePath, OpenFile>;
  readonly recent: Map<WorkspacePath, OpenFile>;
  /** What searches named: it takes the room that is left, and nobody else's. */
  readonly found: Map<WorkspacePath, OpenFile>;
};

export type OpenFiles = {
  /** Open for every session there is or will be. */
  readonly shared: OpenSet;
  readonly sessions: Map<SessionId, OpenSet>;
  /** What calls that have not ended wrote: a file is opened by a write that succeeded, and that shows at the end. */
  readonly running: Map<string, RunningCall>;
  used: number;
};

type RunningCall = { readonly session: SessionId; readonly call: CallId; readonly wrote: readonly Touch[] };
type Touch = { readonly path: WorkspacePath; readonly at: number };

/** A file as it is listed; `sessions` those whose own it is, and none of one that is open for all alone. */
export type ListedFile = OpenFile & { readonly pinned: boolean; readonly sessions: readonly SessionId[] };

export const RECENT_FILES_LIMIT = 25;
export const FOUND_FILES_LIMIT = 5;
/** A command that changed more files than this used none of them in particular: only those that are open count as used. */
const BULK_FILES = 5;

/** What is open for a session, those for all included: pinned first, then recent, then found; the latest used first. */
export function openFilesOf(state: OpenFiles, session: SessionId | null): readonly ListedFile[] {
  const own = session === null ? undefined : state.sessions.get(session);
  return listed([...(own === undefined ? [] : [[session, own] as const]), [null, state.shared]]);
}

/** The same over several sessions at once. */
export function openFilesOfAll(state: OpenFiles, sessions: Iterable<SessionId>): readonly ListedFile[] {
  const sets = [...sessions].flatMap((session) => {
    const set = state.sessions.get(session);
    return set === undefined ? [] : [[session, set] as const];
  });
  return listed([...sets, [null, state.shared]]);
}

type OwnedSet = readonly [session: SessionId | null, set: OpenSet];

function listed(sets: readonly OwnedSet[]): readonly ListedFile[] {
  const taken = new Set<WorkspacePath>();
  const tier = (name: keyof OpenSet): readonly ListedFile[] => {
    const files = new Map<WorkspacePath, ListedFile>();
    for (const [session, set] of sets) {
      for (const [path, file] of set[name]) {
        if (taken.has(path)) continue;
        const other = files.get(path);
        const sessions = [...(other?.sessions ?? []), ...(session === null ? [] : [session])];
        const latest = other === undefined || file.order > other.order ? file : other;
        files.set(path, { ...latest, pinned: name === 'pinned', sessions });
      }
    }
    for (const path of files.keys()) taken.add(path);
    return [...files.values()].sort((a, b) => b.order - a.order);
  };
  const pinned = tier('pinned');
  const recent = tier('recent').slice(0, RECENT_FILES_LIMIT);
  const found = tier('found').slice(0, Math.min(FOUND_FILES_LIMIT, RECENT_FILES_LIMIT - recent.length));
  return [...pinned, ...recent, ...found];
}

export const openFilesView: View<OpenFiles> = {
  name: 'open-files',
  version: 1,
  empty: () => ({ shared: emptySet(), sessions: new Map(), running: new Map(), used: 0 }),
  apply: applyToOpenFiles,
  encode: ({ shared, sessions, running, used }) => ({
    used,
    shared: encodeSet(shared),
    sessions: Array.from(sessions, ([session, set]) => [session, encodeSet(set)]),
    running: [...running.values()],
  }),
  decode(encoded) {
    const stored = encoded as StoredOpenFiles;
    return {
      used: stored.used,
      shared: decodeSet(stored.shared),
      sessions: new Map(stored.sessions.map(([session, set]) => [session, decodeSet(set)])),
      running: new Map(stored.running.map((running) => [callKey(running.session, running.call), running])),
    };
  },
};

type StoredSet = { readonly [Tier in keyof OpenSet]: readonly OpenFile[] };
type StoredOpenFiles = {
  readonly used: number;
  readonly shared: StoredSet;
  readonly sessions: readonly (readonly [SessionId, StoredSet])[];
  readonly running: readonly RunningCall[];
};

function encodeSet({ pinned, recent, found }: OpenSet): StoredSet {
  return { pinned: [...pinned.values()], recent: [...recent.values()], found: [...found.values()] };
}

function decodeSet({ pinned, recent, found }: StoredSet): OpenSet {
  const byPath = (files: readonly OpenFile[]) => new Map(files.map((file) => [file.path, file]));
  const set = { pinned: byPath(pinned), recent: byPath(recent), found: byPath(found) };
  // What was stored under other limits must not outlive them.
  evict(set);
  return set;
}

function emptySet(): OpenSet {
  return { pinned: new Map(), recent: new Map(), found: new Map() };
}

function applyToOpenFiles(state: OpenFiles, operation: Operation): OpenFiles {
  switch (operation.kind) {
    case 'open-files-set':
      set(state, operation);
      break;
    case 'shown':
      for (const { path } of operation.files) touch(state, operation.session, path, operation.at, operation.source);
      break;
    case 'found':
      for (const path of operation.paths) find(state, operation.session, path, operation.at);
      break;
    case 'call-began':
      if (operation.decision !== 'deny')
        state.running.set(callKey(operation.session, operation.call), {
          session: operation.session,
          call: operation.call,
          wrote: [],
        });
      break;
    case 'call-ended': {
      const key = callKey(operation.session, operation.call);
      const running = state.running.get(key);
      state.running.delete(key);
      if (operation.outcome === 'failed') break;
      for (const { path, at } of running?.wrote ?? []) touch(state, operation.session, path, at, 'write');
      break;
    }
    case 'session-deleted':
      state.sessions.delete(operation.session);
      for (const [key, { session }] of state.running) if (session === operation.session) state.running.delete(key);
      break;
    case 'attributed':
      wrote(
        state,
        operation,
        operation.changes.map(({ file }) => file),
      );
      break;
    default: {
      const files = filesAnywhere(operation);
      for (const file of files) if (file.fromPath !== undefined) follow(state, file.fromPath, file.path);
      if (operation.kind === 'changed') wrote(state, operation, files);
    }
  }
  return state;
}

function set(state: OpenFiles, { session, act, paths, at }: Operation & OpenFilesSet): void {
  // One opens for all in one place; what is closed for all is closed wherever it is open.
  const own = session === null ? state.shared : setOf(state, session);
  const all = session === null ? [state.shared, ...state.sessions.values()] : [own];
  switch (act) {
    case 'open':
      for (const path of paths) use(state, own, path, at, 'command');
      break;
    case 'pin':
      for (const path of paths) {
        const file = used(state, own, path, at, 'command');
        drop(own, path);
        own.pinned.set(path, file);
      }
      break;
    case 'unpin':
      for (const each of all) {
        for (const path of paths) {
          if (!each.pinned.has(path)) continue;
          const file = used(state, each, path, at, 'command');
          drop(each, path);
          each.recent.set(path, file);
          evict(each);
        }
      }
      break;
    case 'close':
      for (const each of all) for (const path of paths) drop(each, path);
      break;
    case 'clear':
    case 'clear-pins-too':
      for (const each of all) {
        each.recent.clear();
        each.found.clear();
        if (act === 'clear-pins-too') each.pinned.clear();
      }
      break;
  }
}

/** The files that a session changed. While its call runs, nobody knows yet whether it succeeds. */
function wrote(state: OpenFiles, operation: Operation & (Changed | Attributed), files: readonly FileChange[]): void {
  const { author, at } = operation;
  const session = sessionOf(author);
  if (session === null || author.kind !== 'agent') return;
  const key = callKey(session, author.call);
  const running = state.running.get(key);
  const own = setOf(state, session);
  const isBulk = files.length > BULK_FILES && !TEXT_TOOLS.has(canonicalTool(author.tool).action);
  const touched: Touch[] = [];
  for (const { path, after } of files) {
    if (after === null) own.recent.delete(path);
    else if (!isBulk || isOpen(own, path)) touched.push({ path, at });
  }
  if (running === undefined) for (const { path } of touched) touch(state, session, path, at, 'write');
  else state.running.set(key, { ...running, wrote: [...running.wrote, ...touched].slice(-RECENT_FILES_LIMIT) });
}

const TEXT_TOOLS: ReadonlySet<ToolAction> = new Set<ToolAction>(['write', 'edit', 'patch']);

function touch(state: OpenFiles, session: SessionId, path: WorkspacePath, at: number, by: OpenedBy): void {
  // A pin for all stays one, and shows when it was last used.
  const pinnedForAll = state.shared.pinned.get(path);
  if (pinnedForAll !== undefined) use(state, state.shared, path, at, by);
  use(state, setOf(state, session), path, at, by);
}

function find(state: OpenFiles, session: SessionId, path: WorkspacePath, at: number): void {
  const own = setOf(state, session);
  if (own.pinned.has(path) || own.recent.has(path)) return;
  own.found.set(path, used(state, own, path, at, 'search'));
  evict(own);
}

function use(state: OpenFiles, set: OpenSet, path: WorkspacePath, at: number, by: OpenedBy): void {
  const file = used(state, set, path, at, by);
  set.found.delete(path);
  (set.pinned.has(path) ? set.pinned : set.recent).set(path, file);
  evict(set);
}

function used(state: OpenFiles, set: OpenSet, path: WorkspacePath, at: number, by: OpenedBy): OpenFile {
  const openedAt = (set.pinned.get(path) ?? set.recent.get(path))?.openedAt ?? at;
  state.used += 1;
  return { path, openedAt, touchedAt: at, by, order: state.used };
}

function isOpen(set: OpenSet, path: WorkspacePath): boolean {
  return set.pinned.has(path) || set.recent.has(path);
}

function drop(set: OpenSet, path: WorkspacePath): void {
  for (const tier of [set.pinned, set.recent, set.found]) tier.delete(path);
}

/** A file that moved is open by its new name; what was open there is what it replaced. */
function follow(state: OpenFiles, from: WorkspacePath, to: WorkspacePath): void {
  for (const set of [state.shared, ...state.sessions.values()]) {
    for (const tier of [set.pinned, set.recent, set.found]) {
      const file = tier.get(from);
      if (file === undefined) continue;
      const isPinned = tier === set.pinned || set.pinned.has(to);
      drop(set, from);
      drop(set, to);
      (isPinned ? set.pinned : tier).set(to, { ...file, path: to });
    }
  }
}

function evict(set: OpenSet): void {
  trim(set.recent, RECENT_FILES_LIMIT);
  trim(set.found, FOUND_FILES_LIMIT);
}

/** The least recently used goes first. */
function trim(files: Map<WorkspacePath, OpenFile>, limit: number): void {
  if (files.size <= limit) return;
  const goes = [...files.values()].sort((a, b) => a.order - b.order).slice(0, files.size - limit);
  for (const { path } of goes) files.delete(path);
}

function setOf(state: OpenFiles, session: SessionId): OpenSet {
  const known = state.sessions.get(session);
  if (known !== undefined) return known;
  const created = emptySet();
  state.sessions.set(session, created);
  return created;
}
