import type { LineTally } from '../lines/tally.js';
import { likeness } from '../renames.js';

/** One file of a plan: its lines on the disk now, and as the plan would have them. Null is no file. */
export type PlannedLines = { readonly before: LineTally | null; readonly after: LineTally | null };

/** From here on two files may be one and the same, moved and edited. In doubt nothing is taken out. */
const SAME_FILE = 0.25;

/**
 * The last line of defence of every plan that takes something out of files: a line that is on the disk before and in no
 * file afterwards must have been written by a hand whose work may be taken out. It knows nothing of how the plan was
 * made; it counts lines, in all files of the plan together, and who wrote as many of them.
 */
export class LineAccount {
  readonly #open = new Map<string, number>();

  constructor(files: readonly PlannedLines[]) {
    for (const { before, after } of files) {
      for (const [line, count] of before?.counts ?? []) this.#add(line, count);
      for (const [line, count] of after?.counts ?? []) this.#add(line, -count);
    }
    for (const [line, count] of this.#open) if (count <= 0) this.#open.delete(line);
  }

  /** Nothing goes that nobody answers for. */
  get isSettled(): boolean {
    return this.#open.size === 0;
  }

  /** Somebody whose work may go made `after` of `before`; `vanished` are files that went in the same go. */
  credit(before: LineTally | null, after: LineTally, vanished: readonly LineTally[]): void {
    const had = vanished.filter((other) => likeness(other, after) >= SAME_FILE);
    if (before !== null) had.push(before);
    for (const [line, count] of this.#open) {
      const found = had.reduce((sum, tally) => sum + (tally.counts.get(line) ?? 0), 0);
      const wrote = Math.max(0, (after.counts.get(line) ?? 0) - found);
      if (wrote >= count) this.#open.delete(line);
      else if (wrote > 0) this.#open.set(line, count - wrote);
    }
  }

  /** Whether lines that nobody answers for would go from this file. */
  isLosing({ before, after }: PlannedLines): boolean {
    for (const line of this.#open.keys()) {
      if ((before?.counts.get(line) ?? 0) > (after?.counts.get(line) ?? 0)) return true;
    }
    return false;
  }

  #add(line: string, count: number): void {
    this.#open.set(line, (this.#open.get(line) ?? 0) + count);
  }
}
