import type { SessionId, WorkspacePath } from '@palimpsest/core';
import type { SerialQueue } from '../basis/queue.js';
import type { Remarks } from '../basis/remarks.js';
import type { OpenPlace } from '../place/place.js';
import type { Places } from '../place/places.js';
import type { Flows } from './flows.js';

export type RoundsParts = {
  readonly places: Places;
  readonly flows: Flows;
  readonly queue: SerialQueue;
  readonly remarks: Remarks;
  readonly lookAfterMs: number;
};

/** Looks at places, and lets flow what is found: a moment after a hint, or when somebody is about to act on it. */
export class Rounds {
  readonly #parts: RoundsParts;
  readonly #timers = new Map<OpenPlace, NodeJS.Timeout>();
  readonly #unhint = new Map<OpenPlace, () => void>();
  #closed = false;

  constructor(parts: RoundsParts) {
    this.#parts = parts;
    this.follow(parts.places.main);
  }

  /** From here on its hints are looked at. */
  follow(place: OpenPlace): void {
    this.#unhint.set(
      place,
      place.watch.onHint(() => this.#lookSoon(place)),
    );
  }

  leave(place: OpenPlace): void {
    this.#unhint.get(place)?.();
    this.#unhint.delete(place);
    clearTimeout(this.#timers.get(place));
    this.#timers.delete(place);
  }

  /** Inside the queue: everywhere, and in the workspace itself at the `named` files whatever was heard of them. */
  async look(named: readonly WorkspacePath[] = []): Promise<void> {
    const { places, flows } = this.#parts;
    for (const place of places.all()) await place.tracker.look(place === places.main ? { named } : {});
    await flows.run();
  }

  /** Inside the queue: what somebody else did is where a session works before its next call. */
  async before(session: SessionId): Promise<void> {
    const { places, flows } = this.#parts;
    const place = places.of(session);
    if (place === places.main) return;
    await places.main.tracker.look();
    await place.tracker.look();
    await flows.run();
  }

  /** Inside the queue: what a session just did is where it shall be. */
  async after(session: SessionId): Promise<void> {
    const { places, flows } = this.#parts;
    if (places.all().length === 1) return;
    if (places.of(session) !== places.main) await places.main.tracker.look();
    await flows.run();
  }

  close(): void {
    this.#closed = true;
    for (const place of [...this.#unhint.keys()]) this.leave(place);
  }

  /** Also while calls run: what a command has written so far is told apart from what a human saves later. */
  #lookSoon(place: OpenPlace): void {
    if (this.#timers.has(place) || this.#closed) return;
    const { queue, remarks, flows, lookAfterMs } = this.#parts;
    const timer = setTimeout(() => {
      this.#timers.delete(place);
      if (this.#closed) return;
      queue
        .run(async () => {
          if (!this.#unhint.has(place)) return;
          await place.tracker.look({ unhurried: true });
          await flows.run();
        })
        .then(() => {
          if (place.tracker.isWaiting) this.#lookSoon(place);
        })
        .catch((error: unknown) => remarks.fault(error));
    }, lookAfterMs);
    timer.unref();
    this.#timers.set(place, timer);
  }
}
