import type { Lines } from './text.js';

/** Up to this length a loop copies faster than a view is made and handed to the engine. */
const SHORT_BYTES = 96;

/** Puts lines of several texts one behind the other. A merge with many edits has thousands of short pieces. */
export class LineJoiner {
  /** How many bytes were added so far. */
  length = 0;
  readonly #texts: Uint8Array[] = [];
  /** Start and end of each piece in its text. */
  readonly #bounds: number[] = [];

  add(lines: Lines, from: number, to: number): void {
    const start = lines.starts[from]!;
    const end = lines.starts[to]!;
    if (start === end) return;
    this.#texts.push(lines.bytes);
    this.#bounds.push(start, end);
    this.length += end - start;
  }

  joined(): Uint8Array {
    const joined = new Uint8Array(this.length);
    let at = 0;
    for (let piece = 0; piece < this.#texts.length; piece++) {
      const text = this.#texts[piece]!;
      const start = this.#bounds[2 * piece]!;
      const end = this.#bounds[2 * piece + 1]!;
      if (end - start > SHORT_BYTES) joined.set(text.subarray(start, end), at);
      else for (let i = start; i < end; i++) joined[at + i - start] = text[i]!;
      at += end - start;
    }
    return joined;
  }
}
