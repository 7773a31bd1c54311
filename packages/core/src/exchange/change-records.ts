import type { Author } from '../author.js';
import { type FileChange, type FileMode, kindOfChange } from '../file.js';
import { type CallId, type ChangeId, parseCallId } from '../ids.js';
import type { PathError, WorkspacePath } from '../path.js';
import { type LineRange, newRangeOf, oldRangeOf } from '../ranges.js';
import type { LineSpan } from '../span.js';
import { type ChangeRecord, type ContentField, type RecordRange, timeOf } from './change-record.js';
import { absolutePath, parseForeignPath } from './foreign-path.js';
import { isJsonObject, type JsonObject } from './json.js';

/** Bytes as JSON can hold them. `missing` is for what was too large to keep, or was forgotten. */
export type RecordContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'base64'; readonly base64: string }
  | { readonly kind: 'missing' };

/** A change of ours with all that a record tells of it. */
export type ExportedChange = {
  readonly id: ChangeId;
  readonly file: FileChange;
  readonly author: Author;
  readonly at: number;
  readonly agentId?: string;
  readonly messageIndex?: number;
  readonly status: 'pending' | 'accepted' | 'rejected' | 'conflict';
  /** Null where the file was not there. */
  readonly before: RecordContent | null;
  readonly after: RecordContent | null;
};

/** What a record says, for the engine to store the bytes and append the change. */
export type ImportedChange = {
  readonly path: WorkspacePath;
  readonly fromPath?: WorkspacePath;
  /** Null for a change that no call is named for. */
  readonly call: CallId | null;
  readonly tool: string;
  readonly agentId: string;
  readonly messageIndex: number;
  readonly at: number;
  readonly status: 'pending' | 'accepted' | 'rejected' | 'conflict';
  readonly before: RecordContent | null;
  readonly after: RecordContent | null;
  readonly beforeMode: FileMode;
  readonly afterMode: FileMode;
};

type ImportedChanges = {
  readonly changes: readonly ImportedChange[];
  readonly misplaced: readonly { readonly record: ChangeRecord; readonly error: PathError }[];
};

/** The records of one session's changes, in their order. A rename is two: the name that went and the name that came. */
export function exportChanges(changes: readonly ExportedChange[], root: string): readonly ChangeRecord[] {
  const drafts = changes.flatMap((change) => draftsOf(change, root));
  const perCall = new Map<string, number>();
  for (const { call } of drafts) perCall.set(call, (perCall.get(call) ?? 0) + 1);
  const numbers = new Map<string, number>();
  return drafts.map(({ call, record }) => {
    const number = numbers.get(call) ?? 0;
    numbers.set(call, number + 1);
    // An id that already ends like a numbered one is numbered too, so that no two calls can meet in one id.
    const numbered = (perCall.get(call) ?? 0) > 1 || NUMBERED.test(call);
    return { ...record, tool_call_id: numbered ? `${call}:${number}` : call };
  });
}

/**
 * The way back, in the order given. Two records that tell of one rename become one change again; half of a rename whose
 * other half is not there is a plain delete or create.
 */
export function importChanges(records: readonly ChangeRecord[], roots: readonly string[]): ImportedChanges {
  const calls = callsOf(records);
  const misplaced: { record: ChangeRecord; error: PathError }[] = [];
  const placed: Placed[] = [];
  for (const record of records) {
    const path = parseForeignPath(record.file_path, roots);
    if (path.ok) placed.push({ record, path: path.value, own: ownBlock(record) });
    else misplaced.push({ record, error: path.error });
  }
  const departures = partsById(placed, 'from');
  const arrivals = partsById(placed, 'to');
  const changes = placed.flatMap((part) => {
    const id = renameIdOf(part.own);
    if (part.own.part === 'from' && arrivals.has(id)) return [];
    const fromPath = part.own.part === 'to' ? departures.get(id)?.path : undefined;
    return [importedChange(part, fromPath, calls.get(part.record) ?? null)];
  });
  return { changes, misplaced };
}

type Placed = { readonly record: ChangeRecord; readonly path: WorkspacePath; readonly own: JsonObject };

function partsById(placed: readonly Placed[], part: 'from' | 'to'): ReadonlyMap<string | null, Placed> {
  const parts = placed.filter(({ own }) => own.part === part && renameIdOf(own) !== null);
  return new Map(parts.map((one) => [renameIdOf(one.own), one]));
}

function renameIdOf(own: JsonObject): string | null {
  return typeof own.change === 'string' ? own.change : null;
}

type Draft = { readonly call: string; readonly record: ChangeRecord };

/** Fields of our own stand in one block under this name. */
const OWN = 'palimpsest';
const NUMBERED = /:\d+$/;
/** Where no agent and no call is known, the words that other trackers use. */
const UNKNOWN_AGENT = 'unknown';
const UNKNOWN_CALL = 'reconcile';
/** Where no message is known; it orders before every message. */
const NO_MESSAGE = -1;

function draftsOf(change: ExportedChange, root: string): readonly Draft[] {
  const { file, before, after } = change;
  const kind = kindOfChange(file);
  if (kind !== 'rename' || file.fromPath === undefined) {
    const type = kind === 'rename' ? 'modify' : kind;
    return [draft(change, root, { path: file.path, type, old: before, before, after, spans: file.spans, own: {} })];
  }
  const [from, to] = [file.fromPath, file.path];
  return [
    draft(change, root, {
      path: from,
      type: 'delete',
      old: before,
      before,
      after: null,
      spans: [],
      own: { part: 'from' },
    }),
    draft(change, root, { path: to, type: 'create', old: null, before, after, spans: file.spans, own: { part: 'to' } }),
  ];
}

type DraftPart = {
  readonly path: WorkspacePath;
  readonly type: ChangeRecord['change_type'];
  readonly old: RecordContent | null;
  readonly before: RecordContent | null;
  readonly after: RecordContent | null;
  readonly spans: readonly LineSpan[];
  readonly own: JsonObject;
};

function draft(change: ExportedChange, root: string, part: DraftPart): Draft {
  const { author, file } = change;
  const contents: Readonly<Record<ContentField, RecordContent | null>> = {
    old_content: part.old,
    new_content: part.after,
    pre_tool_content: part.before,
  };
  const fieldsThatAre = (kind: RecordContent['kind']) =>
    (Object.keys(contents) as ContentField[]).filter((field) => contents[field]?.kind === kind);
  const missing = fieldsThatAre('missing');
  const own: JsonObject = {
    change: change.id,
    call: author.kind === 'agent' ? author.call : null,
    before_mode: file.before?.mode ?? null,
    after_mode: file.after?.mode ?? null,
    ...(change.status === 'conflict' ? { status: 'conflict' } : {}),
    ...(missing.length > 0 ? { missing } : {}),
    ...part.own,
  };
  const record: ChangeRecord = {
    file_path: absolutePath(root, part.path),
    agent_id: change.agentId ?? (author.kind === 'agent' ? author.agent : UNKNOWN_AGENT),
    change_type: part.type,
    tool_call_id: '',
    tool_name: author.kind === 'agent' ? author.tool : UNKNOWN_CALL,
    message_index: change.messageIndex ?? NO_MESSAGE,
    old_content: textOf(contents.old_content),
    new_content: textOf(contents.new_content),
    pre_tool_content: textOf(contents.pre_tool_content),
    added_ranges: part.spans.flatMap((span) => recordRange(newRangeOf(span))),
    removed_ranges: part.spans.flatMap((span) => recordRange(oldRangeOf(span))),
    timestamp: new Date(change.at).toISOString(),
    status: change.status === 'conflict' ? 'pending' : change.status,
    base64_fields: fieldsThatAre('base64'),
    extra: { [OWN]: own },
  };
  return { call: author.kind === 'agent' ? author.call : `${UNKNOWN_CALL}-${change.id}`, record };
}

function importedChange(part: Placed, fromPath: WorkspacePath | undefined, call: CallId | null): ImportedChange {
  const { record, path, own } = part;
  const arrived = record.change_type === 'create' && fromPath === undefined;
  // Some trackers fill only the older of the two fields for what was there before.
  const before = contentOf(record, 'pre_tool_content') ?? contentOf(record, 'old_content');
  const beforeMode = modeOf(own.before_mode) ?? modeOf(own.after_mode) ?? '100644';
  return {
    path,
    ...(fromPath === undefined ? {} : { fromPath }),
    call,
    tool: record.tool_name,
    agentId: record.agent_id,
    messageIndex: record.message_index,
    at: timeOf(record.timestamp) ?? 0,
    status: own.status === 'conflict' ? 'conflict' : record.status,
    before: arrived ? null : (before ?? { kind: 'missing' }),
    after: record.change_type === 'delete' ? null : (contentOf(record, 'new_content') ?? { kind: 'missing' }),
    beforeMode,
    afterMode: modeOf(own.after_mode) ?? beforeMode,
  };
}

/**
 * The call of each record: the one our own block names; else the id without its number, where several records share
 * it; else the id as it stands, because some agents end their ids like that.
 */
function callsOf(records: readonly ChangeRecord[]): ReadonlyMap<ChangeRecord, CallId | null> {
  const siblings = new Map<string, number>();
  for (const { tool_call_id: id } of records) {
    const bare = id.replace(NUMBERED, '');
    siblings.set(bare, (siblings.get(bare) ?? 0) + 1);
  }
  return new Map(records.map((record) => [record, callOf(record, siblings)]));
}

function callOf(record: ChangeRecord, siblings: ReadonlyMap<string, number>): CallId | null {
  const own = ownBlock(record);
  if (own.call === null) return null;
  const bare = record.tool_call_id.replace(NUMBERED, '');
  const shared = bare !== '' && (siblings.get(bare) ?? 0) > 1;
  const parsed = parseCallId(typeof own.call === 'string' ? own.call : shared ? bare : record.tool_call_id);
  return parsed.ok ? parsed.value : null;
}

function ownBlock(record: ChangeRecord): JsonObject {
  const own = record.extra[OWN];
  return isJsonObject(own) ? own : {};
}

function contentOf(record: ChangeRecord, field: ContentField): RecordContent | null {
  const { missing } = ownBlock(record);
  if (Array.isArray(missing) && missing.includes(field)) return { kind: 'missing' };
  const value = record[field];
  if (value === null) return null;
  return record.base64_fields.includes(field) ? { kind: 'base64', base64: value } : { kind: 'text', text: value };
}

function textOf(content: RecordContent | null): string | null {
  if (content === null || content.kind === 'missing') return null;
  return content.kind === 'text' ? content.text : content.base64;
}

function modeOf(value: unknown): FileMode | null {
  return value === '100644' || value === '100755' || value === '120000' ? value : null;
}

function recordRange(range: LineRange | null): RecordRange[] {
  return range === null ? [] : [{ startLine: range.from, endLine: range.to }];
}
