import type { ContentId, Outcome } from '@palimpsest/core';

type ContentError = { readonly code: 'missing' | 'damaged'; readonly id: ContentId };

/**
 * Bytes by the git blob id of what they are, each distinct content once. A failure of the disk or of git rejects the
 * promise; nothing half-written is ever returned.
 */
export interface ContentStore {
  /** Durable when it resolves. */
  put(bytes: Uint8Array): Promise<ContentId>;
  /** In the order given; durable when it resolves. */
  putMany(list: readonly Uint8Array[]): Promise<readonly ContentId[]>;
  get(id: ContentId): Promise<Outcome<Uint8Array, ContentError>>;
  has(id: ContentId): Promise<boolean>;
  /** Makes ours, durably, what is only on loan from elsewhere; answers what was lent and is not there any more. */
  own(ids: Iterable<ContentId>): Promise<ReadonlySet<ContentId>>;
  /** Ids that are not there are left out. */
  sizes(ids: readonly ContentId[]): Promise<ReadonlyMap<ContentId, number>>;
  /** The id without writing anything. */
  idOf(bytes: Uint8Array): ContentId;
  /** Takes the bytes out of every place this store keeps them. Unknown ids are fine. */
  forget(ids: readonly ContentId[]): Promise<void>;
  bytesOnDisk(): Promise<number>;
  close(): Promise<void>;
}
