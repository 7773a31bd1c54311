import { callOfOperation, type Operation, type Seq, sessionOfOperation, type WorkspacePath } from '@palimpsest/core';
import {
  checkTime,
  type FileState,
  type FileTable,
  type Log,
  LogError,
  type LogQuery,
  type Marks,
  pathsOf,
  type StoredView,
  type ViewCache,
} from './log.js';

/** Keeps nothing beyond the process: for tests, and for a workspace that is only looked at. */
export function memoryLog(): Log {
  const operations: Operation[] = [];
  const known: Known = { files: new Map() };
  const placed = new Map<string, Known>();
  const knownAt = (place: string) => {
    const found = placed.get(place) ?? { files: new Map() };
    placed.set(place, found);
    return found;
  };
  let closed = false;
  const open = (): void => {
    if (closed) throw new LogError('closed', 'the log is closed');
  };
  const views = memoryViews(open, () => operations.length);

  return {
    get last() {
      open();
      return operations.length as Seq | 0;
    },
    append({ bodies, at, files, gone, place }) {
      open();
      checkTime(at);
      const first = operations.length + 1;
      const added = bodies.map((body, index): Operation => ({ ...copy(body), seq: (first + index) as Seq, at }));
      operations.push(...added);
      const table = place === undefined ? known : knownAt(place);
      for (const state of files ?? []) table.files.set(state.path, { ...state });
      for (const path of gone ?? []) table.files.delete(path);
      return added.map(copy);
    },
    read(since, limit) {
      open();
      return operations.slice(since, since + limit).map(copy);
    },
    get(seq) {
      open();
      const found = operations[seq - 1];
      return found === undefined ? null : copy(found);
    },
    find(query) {
      open();
      const found = operations.filter((operation) => matches(operation, query));
      if (query.newestFirst === true) found.reverse();
      return found.slice(0, query.limit).map(copy);
    },
    countKinds() {
      open();
      const counts = new Map<string, number>();
      for (const { kind } of operations) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      return counts;
    },
    redact(replacements) {
      open();
      views.clear();
      for (const operation of replacements) {
        if (operations[operation.seq - 1]?.kind === operation.kind) operations[operation.seq - 1] = copy(operation);
      }
    },
    files: memoryFiles(open, known),
    filesAt: (place) => memoryFiles(open, knownAt(place)),
    views,
    marks: memoryMarks(open),
    close() {
      closed = true;
    },
  };
}

type Known = { files: Map<WorkspacePath, FileState> };

function memoryFiles(open: () => void, known: Known): FileTable {
  return {
    all() {
      open();
      return known.files.values();
    },
    async replace(states) {
      open();
      known.files = new Map(Array.from(states, (state) => [state.path, { ...state }]));
    },
  };
}

function memoryViews(open: () => void, last: () => number): ViewCache & { readonly clear: () => void } {
  const views = new Map<string, StoredView & { readonly version: number }>();
  return {
    load(name, version) {
      open();
      const view = views.get(name);
      if (view === undefined || view.version !== version || view.seq > last()) return null;
      return { seq: view.seq, encoded: copy(view.encoded) };
    },
    save(name, version, seq, encoded) {
      open();
      views.set(name, { version, seq, encoded: copy(encoded) });
    },
    clear: () => views.clear(),
  };
}

function memoryMarks(open: () => void): Marks {
  const marks = new Map<string, string>();
  return {
    get(key) {
      open();
      return marks.get(key) ?? null;
    },
    set(key, value) {
      open();
      marks.set(key, value);
    },
  };
}

function matches(operation: Operation, query: LogQuery): boolean {
  const { kinds, session, call, path, since, before } = query;
  if (since !== undefined && operation.seq <= since) return false;
  if (before !== undefined && operation.seq >= before) return false;
  if (kinds !== undefined && !kinds.includes(operation.kind)) return false;
  if (session !== undefined && sessionOfOperation(operation) !== session) return false;
  if (call !== undefined && callOfOperation(operation) !== call) return false;
  return path === undefined || pathsOf(operation).has(path);
}

/** As a stored value would come back. */
function copy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
