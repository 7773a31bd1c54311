import {
  type ChangeRecord,
  type ExportedChange,
  exportChanges,
  type RecordContent,
  type ReviewEntry,
} from '@palimpsest/core';
import type { Workspace } from '@palimpsest/engine';

/** A record of an earlier tracker, as JSON. */
export type RecordJson = Readonly<Record<string, unknown>>;

/** With all contents. */
export async function recordsOf(workspace: Workspace, entries: readonly ReviewEntry[]): Promise<readonly RecordJson[]> {
  const exported = await Promise.all(
    entries.map(async (entry) => ({
      ...exportedOf(entry),
      before: await contentOf(workspace, entry.file.before),
      after: await contentOf(workspace, entry.file.after),
    })),
  );
  return exportChanges(exported, workspace.root).map(recordJson);
}

/** Without contents: these are fetched under the content ids of the change that `palimpsest` in a record names. */
export function briefRecords(entries: readonly ReviewEntry[], root: string): readonly ChangeRecord[] {
  const missing = { kind: 'missing' } as const;
  return exportChanges(
    entries.map((entry) => ({
      ...exportedOf(entry),
      before: entry.file.before === null ? null : missing,
      after: entry.file.after === null ? null : missing,
    })),
    root,
  );
}

export function recordJson({ extra, base64_fields, ...record }: ChangeRecord): RecordJson {
  return { ...record, ...(base64_fields.length > 0 ? { base64_fields } : {}), ...extra };
}

/** What our own block in a record says: the change, and the id of its call without a number behind it. */
export function ownBlock({ extra }: ChangeRecord): { readonly change: string; readonly call: string | null } {
  return extra.palimpsest as { readonly change: string; readonly call: string | null };
}

function exportedOf(entry: ReviewEntry): Omit<ExportedChange, 'before' | 'after'> {
  return {
    id: entry.id,
    file: entry.file,
    author: entry.author,
    at: entry.at,
    ...(entry.agentId === null ? {} : { agentId: entry.agentId }),
    ...(entry.messageIndex === null ? {} : { messageIndex: entry.messageIndex }),
    status: entry.status,
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

async function contentOf(workspace: Workspace, version: ReviewEntry['file']['before']): Promise<RecordContent | null> {
  if (version === null) return null;
  const content = await workspace.content(version.content);
  if (!content.ok) return { kind: 'missing' };
  try {
    return { kind: 'text', text: utf8.decode(content.value) };
  } catch {
    return { kind: 'base64', base64: Buffer.from(content.value).toString('base64') };
  }
}
