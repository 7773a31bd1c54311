import { FOREIGN_ID_LENGTH_LIMIT } from '../ids.js';
import { failed, type Outcome, ok } from '../outcome.js';
import { type FormatError, isJsonObject, type JsonObject, otherFields, parseJsonObject } from './json.js';

/** One change as one JSON file, under the field names that other trackers use. */
export type ChangeRecord = {
  /** Absolute. */
  readonly file_path: string;
  readonly agent_id: string;
  readonly change_type: 'create' | 'modify' | 'delete';
  /** The call's own id, with `:N` behind it where the call made several records. */
  readonly tool_call_id: string;
  readonly tool_name: string;
  readonly message_index: number;
  readonly old_content: string | null;
  readonly new_content: string | null;
  readonly pre_tool_content: string | null;
  readonly added_ranges: readonly RecordRange[];
  readonly removed_ranges: readonly RecordRange[];
  /** ISO 8601. */
  readonly timestamp: string;
  readonly status: 'pending' | 'accepted' | 'rejected';
  /** Which of the three contents are base64, because their bytes are not UTF-8. */
  readonly base64_fields: readonly ContentField[];
  /** Fields that are not ours to understand; they are written as they were read. */
  readonly extra: JsonObject;
};

/** Lines from 1, both included. */
export type RecordRange = { readonly startLine: number; readonly endLine: number };
export type ContentField = 'old_content' | 'new_content' | 'pre_tool_content';

export function formatChangeRecord(record: ChangeRecord): string {
  const { extra, base64_fields, ...fields } = record;
  return JSON.stringify({ ...fields, ...(base64_fields.length > 0 ? { base64_fields } : {}), ...extra }, null, 2);
}

export function parseChangeRecord(text: string): Outcome<ChangeRecord, FormatError> {
  const parsed = parseJsonObject(text);
  if (!parsed.ok) return parsed;
  const object = parsed.value;
  for (const [field, { expected, holds }] of Object.entries(FIELDS)) {
    if (!holds(object[field])) return failed({ code: 'bad-format', at: field, expected });
  }
  const known = object as ChangeRecord;
  return ok({
    file_path: known.file_path,
    agent_id: known.agent_id,
    change_type: known.change_type,
    tool_call_id: known.tool_call_id,
    tool_name: known.tool_name,
    message_index: known.message_index,
    old_content: known.old_content ?? null,
    new_content: known.new_content ?? null,
    pre_tool_content: known.pre_tool_content ?? null,
    added_ranges: known.added_ranges ?? [],
    removed_ranges: known.removed_ranges ?? [],
    timestamp: known.timestamp,
    status: known.status,
    base64_fields: known.base64_fields ?? [],
    extra: otherFields(object, new Set(Object.keys(FIELDS))),
  });
}

/**
 * A file name for a record, from its `tool_call_id` alone. Plain ids name their file themselves. Any other id, which
 * may be a path, too long, or the same as another one to a disk that ignores case, is named by what is plain in it and
 * a hash of all of it; the two kinds cannot meet, because no plain id has a dot. `sha256` gives the digest in hex.
 */
export function changeRecordFileName(toolCallId: string, sha256: (text: string) => string): string {
  if (PLAIN_ID.test(toolCallId) && !DEVICE_NAME.test(toolCallId)) return `${toolCallId}.json`;
  const readable = toolCallId
    .slice(0, READABLE_LENGTH)
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+/, '');
  return `${readable === '' ? 'call' : readable}.${sha256(wellFormed(toolCallId)).slice(0, HASH_LENGTH)}.json`;
}

/** Half of a surrogate pair has no UTF-8 of its own, and must not become another id's bytes: such an id is hashed as JSON. */
function wellFormed(id: string): string {
  return /^"|[\uD800-\uDFFF]/u.test(id) ? JSON.stringify(id) : id;
}

const PLAIN_ID = /^[a-z0-9_][a-z0-9_-]{0,99}$/;
/** Names that Windows gives to devices, whatever their ending. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;
const READABLE_LENGTH = 40;
/** 128 bits. */
const HASH_LENGTH = 32;

/** The longest call id, and room for the number behind it. */
const RECORD_ID_LENGTH_LIMIT = FOREIGN_ID_LENGTH_LIMIT + 16;

type Check = { readonly expected: string; readonly holds: (value: unknown) => boolean };

const isText = (value: unknown) => typeof value === 'string';
const isAbsent = (value: unknown) => value === undefined || value === null;
const oneOf = (...values: readonly string[]): Check => ({
  expected: values.join(', '),
  holds: (value) => isText(value) && values.includes(value as string),
});

const TEXT: Check = { expected: 'a text', holds: isText };
const NAME: Check = { expected: 'a text that is not empty', holds: (value) => isText(value) && value !== '' };
const CALL: Check = {
  expected: `a text of 1 to ${RECORD_ID_LENGTH_LIMIT} characters`,
  holds: (value) => isText(value) && value !== '' && (value as string).length <= RECORD_ID_LENGTH_LIMIT,
};
const CONTENT: Check = { expected: 'a text or null', holds: (value) => isAbsent(value) || isText(value) };
const NUMBER: Check = { expected: 'a whole number', holds: Number.isSafeInteger };
const TIME: Check = {
  expected: 'an ISO 8601 time',
  holds: (value) => isText(value) && timeOf(value as string) !== null,
};
const RANGES: Check = {
  expected: 'a list of {startLine, endLine}',
  holds: (value) => isAbsent(value) || (Array.isArray(value) && value.every(isRange)),
};
const CONTENT_FIELDS: Check = {
  expected: 'names of content fields',
  holds: (value) => isAbsent(value) || (Array.isArray(value) && value.every(isContentField)),
};

const FIELDS: Readonly<Record<Exclude<keyof ChangeRecord, 'extra'>, Check>> = {
  file_path: NAME,
  agent_id: TEXT,
  change_type: oneOf('create', 'modify', 'delete'),
  tool_call_id: CALL,
  tool_name: TEXT,
  message_index: NUMBER,
  old_content: CONTENT,
  new_content: CONTENT,
  pre_tool_content: CONTENT,
  added_ranges: RANGES,
  removed_ranges: RANGES,
  timestamp: TIME,
  status: oneOf('pending', 'accepted', 'rejected'),
  base64_fields: CONTENT_FIELDS,
};

function isRange(value: unknown): boolean {
  return isJsonObject(value) && Number.isSafeInteger(value.startLine) && Number.isSafeInteger(value.endLine);
}

function isContentField(value: unknown): boolean {
  return value === 'old_content' || value === 'new_content' || value === 'pre_tool_content';
}

/** Milliseconds since the epoch. A time without a zone is UTC, so that the answer is the same on every machine. */
export function timeOf(timestamp: string): number | null {
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:?\d\d)?$/.exec(timestamp);
  if (match === null) return null;
  const at = Date.parse(`${match[1]}T${match[2]}${match[3] ?? 'Z'}`);
  return Number.isNaN(at) ? null : at;
}
