import { type ChangeId, entriesOf, exportChanges, type Operation } from '@palimpsest/core';

export type NamedEvent = {
  readonly event: 'file_changed' | 'file_change_status';
  readonly data: Readonly<Record<string, unknown>>;
};

/**
 * What an operation is called by an earlier tracker. Contents are not sent along: `palimpsest` in a record names the
 * change, and the change names the content ids under which they can be fetched.
 */
export function fileChangeEvents(operation: Operation, session: string, root: string): readonly NamedEvent[] {
  switch (operation.kind) {
    case 'changed':
    case 'attributed':
      return operation.author.kind === 'agent' && operation.author.session === session ? changed(operation, root) : [];
    case 'decided': {
      const status = operation.verdict === 'accept' ? 'accepted' : 'rejected';
      return [...operation.changes, ...operation.cascaded].map((change) => decided(change, status));
    }
    default:
      return [];
  }
}

function changed(operation: Operation, root: string): readonly NamedEvent[] {
  const exported = entriesOf(operation).map((entry) => ({
    id: entry.id,
    file: entry.file,
    author: entry.author,
    at: entry.at,
    ...(entry.agentId === null ? {} : { agentId: entry.agentId }),
    ...(entry.messageIndex === null ? {} : { messageIndex: entry.messageIndex }),
    status: entry.status,
    before: entry.file.before === null ? null : ({ kind: 'missing' } as const),
    after: entry.file.after === null ? null : ({ kind: 'missing' } as const),
  }));
  // Without contents none of them is base64, so the list of those that are says nothing.
  return exportChanges(exported, root).map(({ extra, ...record }) => ({
    event: 'file_changed',
    data: { ...record, base64_fields: undefined, ...extra },
  }));
}

function decided(change: ChangeId, status: 'accepted' | 'rejected'): NamedEvent {
  return { event: 'file_change_status', data: { status, palimpsest: { change } } };
}
