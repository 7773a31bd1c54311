import {
  type ChangeId,
  changeId,
  filesAnywhere,
  halvesOf,
  type ReviewEntry,
  type Seq,
  seqOfChange,
} from '@palimpsest/core';
import type { Log } from '../log/log.js';
import { isOpen } from './meant.js';
import type { Selected } from './verdict.js';

/** A move over another file is two changes, one at each path. Whoever takes one back takes back the other. */
export class Halves {
  readonly #log: Log;
  readonly #entries: ReadonlyMap<ChangeId, ReviewEntry>;
  readonly #known = new Map<Seq, readonly (readonly [ChangeId, ChangeId])[]>();

  constructor(log: Log, entries: ReadonlyMap<ChangeId, ReviewEntry>) {
    this.#log = log;
    this.#entries = entries;
  }

  /** The same, with the other halves of those that are one and whose other half is open. */
  withOthers(selected: readonly Selected[]): readonly Selected[] {
    const all = new Map(selected.map((one) => [one.id, one]));
    for (const { id, hunks } of selected) {
      if (hunks !== null) continue;
      for (const other of this.#othersOf(id)) {
        const entry = this.#entries.get(other);
        if (entry !== undefined && isOpen(entry)) all.set(other, { id: other, hunks: null });
      }
    }
    return [...all.values()];
  }

  isOne(id: ChangeId): boolean {
    return this.#othersOf(id).length > 0;
  }

  /** Which of these groups hold halves of the same move. */
  pairsAmong(groups: readonly (readonly ChangeId[])[]): readonly (readonly [number, number])[] {
    const groupOf = new Map(groups.flatMap((ids, index) => ids.map((id) => [id, index] as const)));
    return [...groupOf].flatMap(([id, index]) =>
      this.#othersOf(id).flatMap((other) => {
        const at = groupOf.get(other);
        return at === undefined || at === index ? [] : [[index, at] as const];
      }),
    );
  }

  /** Where the text went that this change took from its path. */
  wentTo(id: ChangeId): readonly ChangeId[] {
    return this.#pairsOf(id).flatMap(([from, to]) => (from === id ? to : []));
  }

  #othersOf(id: ChangeId): readonly ChangeId[] {
    return this.#pairsOf(id).flatMap(([a, b]) => (a === id ? b : b === id ? a : []));
  }

  #pairsOf(id: ChangeId): readonly (readonly [ChangeId, ChangeId])[] {
    const seq = seqOfChange(id);
    let pairs = this.#known.get(seq);
    if (pairs === undefined) {
      const operation = this.#log.get(seq);
      const found = operation === null ? [] : halvesOf(filesAnywhere(operation));
      pairs = found.map(([a, b]) => [changeId(seq, a), changeId(seq, b)]);
      this.#known.set(seq, pairs);
    }
    return pairs;
  }
}
