import type { Author } from '../author.js';
import type { ChangeId, Seq } from '../ids.js';
import type { Operation } from '../operation.js';

/** Who each change was said to be by after it was recorded: the last word that was not taken back. */
export function laterAuthors(operations: Iterable<Operation>): ReadonlyMap<ChangeId, Author> {
  const words = new Map<Seq, { readonly operation: Operation & { kind: 'attributed' }; counts: boolean }>();
  /** What an undoing took back is found through the undoing too, because that can be undone in turn. */
  const targets = new Map<Seq, Seq>();
  for (const operation of operations) {
    if (operation.kind === 'attributed') words.set(operation.seq, { operation, counts: true });
    if (operation.kind !== 'undone') continue;
    const origin = targets.get(operation.target) ?? operation.target;
    const word = words.get(origin);
    if (word === undefined) continue;
    targets.set(operation.seq, origin);
    word.counts = !word.counts;
  }
  const authors = new Map<ChangeId, Author>();
  for (const { operation, counts } of words.values()) {
    if (counts) for (const { id } of operation.changes) authors.set(id, operation.author);
  }
  return authors;
}
