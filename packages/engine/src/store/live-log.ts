import type { Operation, OperationBody, PlaceId } from '@palimpsest/core';
import type { Log, LogEntry } from '../log/log.js';
import type { Unstored } from './unstored.js';
import type { Views } from './views.js';

export type Listener = (operations: readonly Operation[]) => void;

/** What an entry means for the known files, and since when it is true if not since now. */
export type EntryFacts = Partial<Pick<LogEntry, 'files' | 'gone' | 'at' | 'place'>>;

/**
 * The one way into the log: append, fold, then tell. A listener that throws is a bug of that listener and must not
 * undo what is already true, so it is reported to `onFault` and the others are still told.
 */
export class LiveLog {
  readonly log: Log;
  readonly views: Views;
  readonly #now: () => number;
  readonly #onFault: (error: unknown) => void;
  readonly #listeners = new Set<Listener>();
  readonly #unstored = new Map<PlaceId | null, Unstored>();

  constructor(log: Log, views: Views, now: () => number, onFault: (error: unknown) => void) {
    this.log = log;
    this.views = views;
    this.#now = now;
    this.#onFault = onFault;
  }

  /** From here on each entry about a place takes along what is known of its files and was not stored yet. */
  carry(unstored: Unstored, place: PlaceId | null): void {
    this.#unstored.set(place, unstored);
  }

  /** The place is no more. */
  drop(place: PlaceId): void {
    this.#unstored.delete(place);
  }

  /** What the bodies name is in the store by now. */
  append(
    bodies: readonly OperationBody[],
    { files = [], gone = [], at = this.#now(), place }: EntryFacts = {},
  ): readonly Operation[] {
    if (bodies.length === 0) return [];
    const unstored = this.#unstored.get(place ?? null);
    const known = [...(unstored?.states() ?? []), ...files];
    const where = place === undefined ? {} : { place };
    const dropped = [...(unstored?.gone() ?? []), ...gone];
    const operations = this.log.append({ bodies, at, files: known, gone: dropped, ...where });
    unstored?.stored();
    this.views.advance(operations);
    if (this.views.storeIsDue) this.#storeViews();
    for (const listener of this.#listeners) {
      try {
        listener(operations);
      } catch (error) {
        this.#onFault(error);
      }
    }
    return operations;
  }

  /**
   * Puts these operations in the place of those with the same seq. The views are folded anew, because what they took from
   * the old ones must not be stored again.
   */
  redact(operations: readonly Operation[]): void {
    this.log.redact(operations);
    this.views.foldAnew();
  }

  /** They are a cache: that it cannot be written must not look as if the entry had failed, which stands. */
  #storeViews(): void {
    try {
      this.views.store();
    } catch (error) {
      this.#onFault(error);
    }
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}
