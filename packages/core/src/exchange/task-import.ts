import { type Author, NOBODY_KNOWN } from '../author.js';
import type { FileVersion } from '../file.js';
import { asCallId, asContentId, type ContentId, type SessionId } from '../ids.js';
import type { OperationBody } from '../operation.js';
import type { PathError, WorkspacePath } from '../path.js';
import type { FileRecord } from './file-record.js';
import { parseForeignPath } from './foreign-path.js';

/**
 * Stands for bytes that nobody recorded: git's id of nothing, which no content has. Whatever was shown under it is
 * therefore never taken for what is on disk now.
 */
export const UNRECORDED_CONTENT: ContentId = asContentId('0'.repeat(40));

/** The cause that imported changes carry; their `before` equals their `after`, since the bytes of then are not known. */
export const IMPORT_CAUSE = 'import';

export type TaskImport = {
  readonly session: SessionId;
  readonly agent: string;
  /** The absolute paths that stand for the workspace. */
  readonly roots: readonly string[];
  /** What the log holds as the file's state, so that its chain of versions stays whole; null where it holds none. */
  readonly versionOf: (path: WorkspacePath) => FileVersion | null;
};

/** What a list of records says, as operations with their times; and the records that name no file of the workspace. */
type ImportedRecords = {
  readonly facts: readonly { readonly at: number; readonly body: OperationBody }[];
  readonly misplaced: readonly { readonly record: FileRecord; readonly error: PathError }[];
};

/**
 * Each record gives the fact it was made for, and before it those that its dates tell of and no earlier record did. So
 * folding the facts gives the same dates again.
 */
export function importFileRecords(records: readonly FileRecord[], target: TaskImport): ImportedRecords {
  const facts: { at: number; body: OperationBody }[] = [];
  const misplaced: { record: FileRecord; error: PathError }[] = [];
  const known = new Map<WorkspacePath, Set<string>>();
  for (const record of records) {
    const parsed = parseForeignPath(record.path, target.roots);
    if (!parsed.ok) {
      misplaced.push({ record, error: parsed.error });
      continue;
    }
    const told = known.get(parsed.value) ?? new Set();
    known.set(parsed.value, told);
    for (const { kind, at } of factsOf(record)) {
      if (kind !== ownFact(record) && told.has(`${kind} ${at}`)) continue;
      told.add(`${kind} ${at}`);
      // A mention and the agent's own edit set the date of a read as well.
      if (kind !== 'outside-edit') told.add(`read ${at}`);
      facts.push({ at, body: bodyOf(kind, parsed.value, target) });
    }
  }
  return { facts, misplaced };
}

type Fact = 'read' | 'mention' | 'agent-edit' | 'outside-edit';

/** The one that the record was made for comes last, whatever the dates say. */
function factsOf(record: FileRecord): readonly { readonly kind: Fact; readonly at: number }[] {
  const own = ownFact(record);
  const dated = [
    { kind: record.source === 'mention' ? ('mention' as const) : ('read' as const), at: record.readAt },
    { kind: 'agent-edit' as const, at: record.editedAt },
    { kind: 'outside-edit' as const, at: record.outsideEditAt },
  ].filter((fact) => fact.kind !== 'read' || own !== 'agent-edit' || fact.at !== record.editedAt);
  const sorted = dated
    .filter((fact): fact is { kind: Fact; at: number } => fact.at !== null)
    .sort((a, b) => a.at - b.at);
  return [...sorted.filter((fact) => fact.kind !== own), ...sorted.filter((fact) => fact.kind === own)];
}

function ownFact(record: FileRecord): Fact | null {
  return record.source === 'other' ? null : record.source;
}

function bodyOf(kind: Fact, path: WorkspacePath, target: TaskImport): OperationBody {
  if (kind === 'read' || kind === 'mention') {
    return { kind: 'shown', session: target.session, source: kind, files: [{ path, content: UNRECORDED_CONTENT }] };
  }
  const version = target.versionOf(path) ?? { content: UNRECORDED_CONTENT, mode: '100644', size: 0 };
  const author: Author =
    kind === 'agent-edit'
      ? { kind: 'agent', session: target.session, agent: target.agent, call: IMPORT_CALL, tool: IMPORT_CAUSE }
      : NOBODY_KNOWN;
  const file = { path, before: version, after: version, binary: false, reversible: false, spans: [] };
  return { kind: 'changed', author, evidence: 'inferred', cause: IMPORT_CAUSE, files: [file] };
}

/** The format does not say which call made an edit. */
const IMPORT_CALL = asCallId(IMPORT_CAUSE);
