import { createHash } from 'node:crypto';
import {
  type Changed,
  changeId,
  changeRecordFileName,
  decodeUtf8,
  type ExportedChange,
  encodeUtf8,
  exportChanges,
  type FileVersion,
  failed,
  fileRecordsOf,
  formatChangeRecord,
  formatTaskMetadata,
  HISTORY_KINDS,
  IMPORT_CAUSE,
  type ImportedChange,
  importChanges,
  importFileRecords,
  type Outcome,
  ok,
  parseChangeRecord,
  parseTaskMetadata,
  type RecordContent,
  type ReviewEntry,
  type SessionId,
  type SessionState,
  type TaskDialect,
  UNRECORDED_CONTENT,
} from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import type { ContentStore } from '../content/content.js';
import type { Messages } from '../conversation/messages.js';
import type { Changes } from '../review/changes.js';
import { type KnownTree, versionOf } from '../store/known-tree.js';
import type { LiveLog } from '../store/live-log.js';
import { measure } from '../store/measure.js';
import type { Imported } from './imported.js';
import { exportTask, takenLegacy } from './task-export.js';
import { type FolderFile, importTask, type TaskImport } from './task-import.js';

/** A file of an export, by name and text; writing it somewhere is for the caller. */
export type ExchangeFile = { readonly name: string; readonly text: string };

export type ExchangeParts = {
  readonly root: string;
  readonly live: LiveLog;
  readonly changes: Changes;
  readonly content: ContentStore;
  readonly known: KnownTree;
  readonly messages: Messages;
  readonly become: (session: SessionId, facts: { readonly title?: string; readonly agent?: string }) => void;
};

/** To and from the formats of others: `task_metadata.json`, and one JSON file per change. */
export class Exchange {
  readonly #parts: ExchangeParts;

  constructor(parts: ExchangeParts) {
    this.#parts = parts;
  }

  taskMetadata(session: SessionState, dialect: TaskDialect): ExchangeFile {
    const { log } = this.#parts.live;
    const operations = log.find({ kinds: ['shown', ...HISTORY_KINDS] });
    const text = formatTaskMetadata({ dialect, records: fileRecordsOf(operations, session.id), extra: {} });
    return { name: 'task_metadata.json', text };
  }

  /** Nothing is taken from a text that is not wholly of the format. */
  importTaskMetadata(session: SessionState, text: string): Outcome<Imported, Refusal> {
    const { root, live, known } = this.#parts;
    const parsed = parseTaskMetadata(text);
    if (!parsed.ok) return failed({ code: 'bad-input', why: describe(parsed.error) });
    const { facts, misplaced } = importFileRecords(parsed.value.records, {
      session: session.id,
      agent: session.agent,
      roots: [root],
      versionOf: (path) => versionOf(known.get(path)),
    });
    for (const { at, body } of facts) live.append([body], { at });
    return ok({ taken: facts.length, misplaced: misplaced.map(({ record }) => record.path) });
  }

  /** The whole folder of a task, as the program of that dialect reads it. */
  task(session: SessionState, dialect: TaskDialect): Promise<readonly FolderFile[]> {
    return exportTask(session, dialect, this.#parts);
  }

  /** What the legacy file of a task folder held when it was taken over; null when there was none, or it was damaged. */
  takenLegacy(session: SessionState): Promise<Uint8Array | null> {
    return takenLegacy(session, this.#parts);
  }

  importTask(session: SessionState, files: readonly FolderFile[]): Promise<Outcome<TaskImport, Refusal>> {
    const importMetadata = (to: SessionState, text: string) => this.importTaskMetadata(to, text);
    return importTask(session, files, { ...this.#parts, importMetadata });
  }

  async changeRecords(session: SessionState): Promise<readonly ExchangeFile[]> {
    const entries = await this.#parts.changes.list({
      session: session.id,
      call: null,
      place: null,
      operation: null,
      status: 'all',
    });
    const exported = await Promise.all(entries.map((entry) => this.#exported(entry)));
    return exportChanges(exported, this.#parts.root).map((record) => ({
      name: changeRecordFileName(record.tool_call_id, sha256),
      text: formatChangeRecord(record),
    }));
  }

  /** They become history, with the bytes they carry; the files on disk are not touched. */
  async importChangeRecords(session: SessionState, texts: readonly string[]): Promise<Outcome<Imported, Refusal>> {
    const records = [];
    for (const text of texts) {
      const record = parseChangeRecord(text);
      if (!record.ok) return failed({ code: 'bad-input', why: describe(record.error) });
      records.push(record.value);
    }
    const { changes, misplaced } = importChanges(records, [this.#parts.root]);
    for (const change of changes) await this.#take(session, change);
    return ok({ taken: changes.length, misplaced: misplaced.map(({ record }) => record.file_path) });
  }

  async #take(session: SessionState, change: ImportedChange): Promise<void> {
    const { content, live } = this.#parts;
    const before = await this.#kept(change.before, change.beforeMode);
    const after = await this.#kept(change.after, change.afterMode);
    const { path, fromPath, call, tool, messageIndex, agentId } = change;
    const file = {
      path,
      ...(fromPath === undefined ? {} : { fromPath }),
      before,
      after,
      ...(await measure(content, before, after)),
    };
    const { id, agent } = session;
    const author: Changed['author'] =
      call === null ? { kind: 'unknown', candidates: [] } : { kind: 'agent', session: id, agent, call, tool };
    const body: Changed = {
      kind: 'changed',
      author,
      evidence: 'inferred',
      agentId,
      messageIndex,
      cause: IMPORT_CAUSE,
      files: [file],
    };
    const [operation] = live.append([body], { at: change.at });
    if (change.status === 'pending' || change.status === 'conflict' || call === null) return;
    const verdict = change.status === 'accepted' ? 'accept' : 'reject';
    const decided = { hunks: [], cascaded: [], conflicts: [], files: [], changes: [changeId(operation!.seq, 0)] };
    live.append([{ kind: 'decided', verdict, ...decided }], { at: change.at });
  }

  async #exported(entry: ReviewEntry): Promise<ExportedChange> {
    const { id, file, author, at, status, agentId, messageIndex } = entry;
    const [before, after] = await Promise.all([this.#text(file.before), this.#text(file.after)]);
    return {
      ...{ id, file, author, at, status, before, after },
      ...(agentId === null ? {} : { agentId }),
      ...(messageIndex === null ? {} : { messageIndex }),
    };
  }

  async #text(version: FileVersion | null): Promise<RecordContent | null> {
    if (version === null) return null;
    const found = await this.#parts.content.get(version.content);
    if (!found.ok) return { kind: 'missing' };
    const text = decodeUtf8(found.value);
    return text === null
      ? { kind: 'base64', base64: Buffer.from(found.value).toString('base64') }
      : { kind: 'text', text };
  }

  async #kept(content: RecordContent | null, mode: FileVersion['mode']): Promise<FileVersion | null> {
    if (content === null) return null;
    // There was a file; which, nobody can say any more.
    if (content.kind === 'missing') return { content: UNRECORDED_CONTENT, mode, size: 0 };
    const bytes = content.kind === 'text' ? encodeUtf8(content.text) : Buffer.from(content.base64, 'base64');
    return { content: await this.#parts.content.put(bytes), mode, size: bytes.length };
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function describe(error: { readonly code: string; readonly at?: string; readonly expected?: string }): string {
  return error.at === undefined ? error.code : `${error.at}: expected ${error.expected ?? 'something else'}`;
}
