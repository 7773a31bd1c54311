/** One line of a file that grows, by where it stands; null in the place of a line that is too long to be taken. */
export type CutLine = { readonly bytes: Buffer | null; readonly start: number; readonly end: number };

const LINE_FEED = 0x0a;

/** Cuts what is read into lines. Memory stays within the limit and one piece, however long a line is. */
export class LineCutter {
  readonly #limit: number;
  #parts: Buffer[] = [];
  #length = 0;
  #isTooLong = false;
  #start: number;
  #at: number;

  constructor(offset: number, limitBytes: number) {
    this.#start = offset;
    this.#at = offset;
    this.#limit = limitBytes;
  }

  /** Where the line begins that has not ended yet: whoever goes on later begins there. */
  get unfinished(): number {
    return this.#start;
  }

  push(piece: Buffer): readonly CutLine[] {
    const lines: CutLine[] = [];
    let from = 0;
    for (;;) {
      const feed = piece.indexOf(LINE_FEED, from);
      if (feed < 0) break;
      this.#take(piece.subarray(from, feed));
      const end = this.#at + (feed - from) + 1;
      lines.push({ bytes: this.#isTooLong ? null : Buffer.concat(this.#parts), start: this.#start, end });
      this.#begin(end);
      from = feed + 1;
    }
    const rest = piece.subarray(from);
    this.#take(rest);
    this.#at += rest.length;
    return lines;
  }

  #begin(at: number): void {
    this.#parts = [];
    this.#length = 0;
    this.#isTooLong = false;
    this.#start = at;
    this.#at = at;
  }

  #take(bytes: Buffer): void {
    this.#length += bytes.length;
    this.#isTooLong ||= this.#length > this.#limit;
    if (this.#isTooLong) this.#parts = [];
    // A piece is read into the same memory again.
    else if (bytes.length > 0) this.#parts.push(Buffer.from(bytes));
  }
}
