import { failed, type Outcome, ok } from '../outcome.js';
import type { FileRecord, FileRecordSource } from './file-record.js';
import { type FormatError, isDate, isJsonObject, type JsonObject, otherFields, parseJsonObject } from './json.js';

/** Whose names the fields have; the two programs share one format under two sets of names. */
export type TaskDialect = 'roo' | 'cline';

/** A `task_metadata.json`. */
export type TaskMetadata = {
  readonly dialect: TaskDialect;
  readonly records: readonly FileRecord[];
  /** Cline's `model_usage`, and whatever else stands beside the files. */
  readonly extra: JsonObject;
};

export function formatTaskMetadata(metadata: TaskMetadata): string {
  const names = DIALECTS[metadata.dialect];
  const entries = metadata.records.map((record) => ({
    path: record.path,
    record_state: record.state,
    record_source: record.source === 'other' ? null : names.sources[record.source],
    [names.readDate]: record.readAt,
    [names.editDate]: record.editedAt,
    [OUTSIDE_EDIT_DATE]: record.outsideEditAt,
    ...record.extra,
  }));
  return JSON.stringify({ [FILES]: entries, ...metadata.extra }, null, 2);
}

/** Both dialects. A text that is not of the format is an error and no part of it is taken. */
export function parseTaskMetadata(text: string): Outcome<TaskMetadata, FormatError> {
  const parsed = parseJsonObject(text);
  if (!parsed.ok) return parsed;
  const entries = parsed.value[FILES];
  if (!Array.isArray(entries)) return failed({ code: 'bad-format', at: FILES, expected: 'an array' });
  const dialect = dialectOf(parsed.value, entries);
  const records: FileRecord[] = [];
  for (const [index, entry] of entries.entries()) {
    const record = parseEntry(entry, dialect, `${FILES}[${index}]`);
    if (!record.ok) return record;
    records.push(record.value);
  }
  return ok({ dialect, records, extra: otherFields(parsed.value, new Set([FILES])) });
}

const FILES = 'files_in_context';
const OUTSIDE_EDIT_DATE = 'user_edit_date';

type Names = {
  readonly readDate: string;
  readonly editDate: string;
  readonly sources: Readonly<Record<Exclude<FileRecordSource, 'other'>, string>>;
};

const SHARED_SOURCES = { read: 'read_tool', mention: 'file_mentioned', 'outside-edit': 'user_edited' } as const;

const DIALECTS: Readonly<Record<TaskDialect, Names>> = {
  roo: {
    readDate: 'roo_read_date',
    editDate: 'roo_edit_date',
    sources: { ...SHARED_SOURCES, 'agent-edit': 'roo_edited' },
  },
  cline: {
    readDate: 'cline_read_date',
    editDate: 'cline_edit_date',
    sources: { ...SHARED_SOURCES, 'agent-edit': 'cline_edited' },
  },
};

const SOURCES: ReadonlyMap<unknown, FileRecordSource> = new Map([
  ['read_tool', 'read'],
  ['file_mentioned', 'mention'],
  ['user_edited', 'outside-edit'],
  ['roo_edited', 'agent-edit'],
  ['cline_edited', 'agent-edit'],
]);

/** An empty list of files tells nothing, so Cline's other block decides there. */
function dialectOf(document: JsonObject, entries: readonly unknown[]): TaskDialect {
  const { readDate, editDate, sources } = DIALECTS.cline;
  const clines = entries.some(
    (entry) =>
      isJsonObject(entry) && (readDate in entry || editDate in entry || entry.record_source === sources['agent-edit']),
  );
  return clines || (entries.length === 0 && 'model_usage' in document) ? 'cline' : 'roo';
}

function parseEntry(entry: unknown, dialect: TaskDialect, at: string): Outcome<FileRecord, FormatError> {
  const bad = (field: string, expected: string) =>
    failed({ code: 'bad-format' as const, at: `${at}${field}`, expected });
  if (!isJsonObject(entry)) return bad('', 'an object');
  const { readDate, editDate } = DIALECTS[dialect];
  const { path, record_state: state, record_source: sourceName } = entry;
  const dates = [entry[readDate], entry[editDate], entry[OUTSIDE_EDIT_DATE]] as const;
  const [readAt, editedAt, outsideEditAt] = dates;
  if (typeof path !== 'string' || path === '') return bad('.path', 'a path');
  if (state !== 'active' && state !== 'stale') return bad('.record_state', 'active or stale');
  if (typeof sourceName !== 'string') return bad('.record_source', 'the name of a source');
  if (!isDate(readAt) || !isDate(editedAt) || !isDate(outsideEditAt)) return bad('', 'dates in milliseconds, or null');
  const source = SOURCES.get(sourceName) ?? 'other';
  const known = new Set(['path', 'record_state', 'record_source', readDate, editDate, OUTSIDE_EDIT_DATE]);
  // A source that we have no word for is kept as it was written.
  if (source === 'other') known.delete('record_source');
  return ok({
    path,
    state,
    source,
    readAt: readAt ?? null,
    editedAt: editedAt ?? null,
    outsideEditAt: outsideEditAt ?? null,
    extra: otherFields(entry, known),
  });
}
