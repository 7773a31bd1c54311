import { callOfOperation, type Operation, type Seq, sessionOfOperation, type WorkspacePath } from '@palimpsest/core';
import { checkTime, type FileState, type Log, LogError, type LogQuery, pathsOf, type StoredView } from './log.js';

/** Keeps nothing beyond the process: for tests, and for a workspace that is only looked at. */
export function memoryLog(): Log {
  const operations: Operation[] = [];
  const meta = new Map<string, string>();
  const views = new Map<string, StoredView & { readonly version: number }>();
  let files = new Map<WorkspacePath, FileState>();
  let closed = false;
  const open = (): void => {
    if (closed) throw new LogError('closed', 'the log is closed');
  };

  return {
    get last() {
      open();
      return operations.length as Seq | 0;
    },
    append({ bodies, at, files: states, gone }) {
      open();
      checkTime(at);
      const first = operations.length + 1;
      const added = bodies.map((body, index): Operation => ({ ...copy(body), seq: (first + index) as Seq, at }));
      operations.push(...added);
      for (const state of states ?? []) files.set(state.path, { ...state });
      for (const path of gone ?? []) files.delete(path);
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
    files() {
      open();
      return files.values();
    },
    async replaceFiles(states) {
      open();
      files = new Map(Array.from(states, (state) => [state.path, { ...state }]));
    },
    loadView(name, version) {
      open();
      const view = views.get(name);
      if (view === undefined || view.version !== version || view.seq > operations.length) return null;
      return { seq: view.seq, encoded: copy(view.encoded) };
    },
    saveView(name, version, seq, encoded) {
      open();
      views.set(name, { version, seq, encoded: copy(encoded) });
    },
    meta(key) {
      open();
      return meta.get(key) ?? null;
    },
    setMeta(key, value) {
      open();
      meta.set(key, value);
    },
    redact(replacements) {
      open();
      views.clear();
      for (const operation of replacements) {
        if (operations[operation.seq - 1]?.kind === operation.kind) operations[operation.seq - 1] = copy(operation);
      }
    },
    close() {
      closed = true;
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
