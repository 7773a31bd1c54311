import { laterAuthors } from '../attribution/attributions.js';
import { sessionOf } from '../author.js';
import { changeId, type SessionId } from '../ids.js';
import type { Operation } from '../operation.js';
import { filesAnywhere } from '../operation-files.js';
import type { JsonObject } from './json.js';

/** How a file came into, or changed under, a session's context. `other` is a source of a later version of the format. */
export type FileRecordSource = 'read' | 'mention' | 'agent-edit' | 'outside-edit' | 'other';

/** One interaction of a session with a file, as `task_metadata.json` lists them. Dates are in milliseconds. */
export type FileRecord = {
  /** As it is written there; not yet a workspace path. */
  readonly path: string;
  /** Only the latest record of a path is active; it says nothing about the file's content. */
  readonly state: 'active' | 'stale';
  readonly source: FileRecordSource;
  readonly readAt: number | null;
  readonly editedAt: number | null;
  readonly outsideEditAt: number | null;
  /** Fields that are not ours to understand. */
  readonly extra: JsonObject;
};

/**
 * All interactions of one session, oldest first. Each is a new record that turns the earlier ones of its path stale and
 * inherits the latest of each date. An edit of the agent's own counts as a read. What others do to a file counts once
 * the session has met that file.
 */
export function fileRecordsOf(operations: Iterable<Operation>, session: SessionId): readonly FileRecord[] {
  const all = [...operations];
  const proven = laterAuthors(all);
  const ledger = new Ledger();
  for (const operation of all) {
    if (operation.kind === 'shown') {
      if (operation.session !== session) continue;
      for (const file of operation.files) ledger.add(file.path, operation.source, operation.at);
      continue;
    }
    filesAnywhere(operation).forEach((file, index) => {
      const recorded = operation.kind === 'changed' ? operation.author : null;
      const author = proven.get(changeId(operation.seq, index)) ?? recorded;
      const source = author !== null && sessionOf(author) === session ? 'agent-edit' : 'outside-edit';
      for (const path of file.fromPath === undefined ? [file.path] : [file.fromPath, file.path]) {
        if (source === 'agent-edit' || ledger.has(path)) ledger.add(path, source, operation.at);
      }
    });
  }
  return ledger.records;
}

type Dates = Pick<FileRecord, 'readAt' | 'editedAt' | 'outsideEditAt'>;

const NO_DATES: Dates = { readAt: null, editedAt: null, outsideEditAt: null };

class Ledger {
  readonly records: FileRecord[] = [];
  readonly #latest = new Map<string, { readonly index: number; readonly dates: Dates }>();

  has(path: string): boolean {
    return this.#latest.has(path);
  }

  add(path: string, source: Exclude<FileRecordSource, 'other'>, at: number): void {
    const before = this.#latest.get(path);
    const earlier = before === undefined ? undefined : this.records[before.index];
    if (before !== undefined && earlier !== undefined) this.records[before.index] = { ...earlier, state: 'stale' };
    const inherited = before?.dates ?? NO_DATES;
    const own = ownDates(source, at);
    this.#latest.set(path, { index: this.records.length, dates: latestOf(inherited, own) });
    this.records.push({ path, state: 'active', source, ...inherited, ...own, extra: {} });
  }
}

function ownDates(source: Exclude<FileRecordSource, 'other'>, at: number): Partial<Dates> {
  switch (source) {
    case 'read':
    case 'mention':
      return { readAt: at };
    case 'agent-edit':
      return { readAt: at, editedAt: at };
    case 'outside-edit':
      return { outsideEditAt: at };
  }
}

function latestOf(a: Dates, b: Partial<Dates>): Dates {
  return {
    readAt: latest(a.readAt, b.readAt),
    editedAt: latest(a.editedAt, b.editedAt),
    outsideEditAt: latest(a.outsideEditAt, b.outsideEditAt),
  };
}

/** The clock may have jumped, so the latest date is not always that of the latest record. */
function latest(a: number | null, b: number | null | undefined): number | null {
  if (a === null || b === null || b === undefined) return a ?? b ?? null;
  return Math.max(a, b);
}
