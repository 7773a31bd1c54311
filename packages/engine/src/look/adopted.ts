import type { Seq, WorkspacePath } from '@palimpsest/core';

/**
 * Files that came into view because a call named them, and when. Nobody made them then, so the log is silent about them;
 * yet a state of before, when it is put together later, must not hold what it was never known to hold.
 */
export class Adopted {
  readonly #since = new Map<WorkspacePath, Seq | 0>();

  /** `last`: the operation that was the latest then. */
  note(path: WorkspacePath, last: Seq | 0): void {
    this.#since.set(path, last);
  }

  /** What came into view after this operation. */
  *after(seq: Seq | 0): Generator<WorkspacePath> {
    for (const [path, since] of this.#since) if (since >= seq) yield path;
  }
}
