import { type ChangeId, entriesOf, type Operation, type ReviewEntry, seqOfChange } from '@palimpsest/core';
import { briefRecords, ownBlock, type RecordJson, recordJson } from './file-records.js';

export type NamedEvent = { readonly event: 'file_changed' | 'file_change_status'; readonly data: RecordJson };

/** Where the events are wanted, and how an operation is found again. */
export type EventScope = {
  readonly session: string;
  readonly root: string;
  readonly operationAt: (seq: number) => Operation | null;
};

/** What an operation is called by an earlier tracker; nothing for what it had no name for. */
export function fileChangeEvents(operation: Operation, scope: EventScope): readonly NamedEvent[] {
  switch (operation.kind) {
    case 'changed':
    case 'attributed':
      return briefRecords(ofSession(entriesOf(operation), scope.session), scope.root).map((record) => ({
        event: 'file_changed',
        data: recordJson(record),
      }));
    case 'decided': {
      const status = operation.verdict === 'accept' ? 'accepted' : 'rejected';
      return [...operation.changes, ...operation.cascaded].flatMap((change) => statusEvents(change, status, scope));
    }
    case 'committed':
      return operation.changes.flatMap((change) => statusEvents(change, 'accepted', scope));
    case 'resolved':
      return statusEvents(operation.change, operation.take === 'ours' ? 'accepted' : 'rejected', scope);
    default:
      return [];
  }
}

function statusEvents(change: ChangeId, status: 'accepted' | 'rejected', scope: EventScope): readonly NamedEvent[] {
  const origin = scope.operationAt(seqOfChange(change));
  if (origin === null) return [];
  // Numbered among the files of its operation, as the event that announced it was.
  return briefRecords(ofSession(entriesOf(origin), scope.session), scope.root)
    .filter((record) => ownBlock(record).change === change)
    .map(({ file_path, tool_call_id }) => ({
      event: 'file_change_status',
      data: { status, file_path, tool_call_id, palimpsest: { change } },
    }));
}

function ofSession(entries: readonly ReviewEntry[], session: string): readonly ReviewEntry[] {
  return entries.filter(({ author }) => author.kind === 'agent' && author.session === session);
}
