import type { Circumstance, WorkspacePath } from '@palimpsest/core';
import type { Observation } from './observer.js';

/**
 * Tells what was so before we looked from what happened since.
 *
 * On the first open of a workspace nothing is known but, perhaps, git's index: files that differ from it, or are not in
 * it, and were last touched before we opened, were so already and are nobody's change. On a later open what differs
 * from the last known state happened while nobody watched, until the tree has been gone through once.
 */
export class Opening {
  readonly #openedAtMs: number;
  readonly #kind: 'first' | 'again';
  readonly #seen = new Set<WorkspacePath>();
  #takingStock = true;

  constructor(openedAtMs: number, kind: 'first' | 'again') {
    this.#openedAtMs = openedAtMs;
    this.#kind = kind;
  }

  get takingStock(): boolean {
    return this.#takingStock;
  }

  get circumstance(): Circumstance {
    return this.#takingStock && this.#kind === 'again' ? 'offline' : 'live';
  }

  /** What changes in a file after we have looked at it happens before our eyes, whatever of the tree is still ahead. */
  circumstanceOf(path: WorkspacePath): Circumstance {
    return this.#seen.has(path) ? 'live' : this.circumstance;
  }

  sawNow(path: WorkspacePath): void {
    if (this.#takingStock) this.#seen.add(path);
  }

  finish(): void {
    this.#takingStock = false;
    this.#seen.clear();
  }

  precedes({ before, after }: Observation): boolean {
    if (this.#kind === 'again') return false;
    if (before === null ? !this.#takingStock : !before.borrowed) return false;
    return after === null ? this.#takingStock : after.ctimeMs < this.#openedAtMs;
  }
}
