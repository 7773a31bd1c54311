/**
 * Moves changed blocks to their final place. A block of added lines between equal lines can often slide (`a [b a] b` reads as
 * well as `a b [a b]`). Each block is slid as far down as it goes, taking in the blocks it meets, and then back up to
 * the last place where it stands beside a change of the other side, so that one replacement is one edit. Git does the
 * same, and both sides of a merge must slide alike for equal changes to be seen as equal.
 */
export function slideBlocks(ids: Int32Array, changed: Uint8Array, otherChanged: Uint8Array): void {
  const block = new Block(ids, changed);
  // The other side is only stepped along, never slid, so its line numbers are not needed.
  const other = new Block(NO_IDS, otherChanged);
  do {
    if (!block.isEmpty) slide(block, other);
  } while (block.next() && other.next());
}

const NO_IDS = new Int32Array(0);

/**
 * The run of changed lines, possibly empty, between two unchanged lines. Both sides have equally many unchanged lines, so
 * stepping both at once keeps the two blocks at the same place of the common text.
 */
class Block {
  start = 0;
  end = 0;
  readonly #ids: Int32Array;
  readonly #changed: Uint8Array;

  constructor(ids: Int32Array, changed: Uint8Array) {
    this.#ids = ids;
    this.#changed = changed;
    this.#extendDown();
  }

  get isEmpty(): boolean {
    return this.start === this.end;
  }

  next(): boolean {
    if (this.end === this.#changed.length) return false;
    this.start = ++this.end;
    this.#extendDown();
    return true;
  }

  previous(): void {
    this.end = --this.start;
    this.#extendUp();
  }

  slideUp(): boolean {
    if (this.start === 0 || this.#ids[this.start - 1] !== this.#ids[this.end - 1]) return false;
    this.#changed[--this.start] = 1;
    this.#changed[--this.end] = 0;
    this.#extendUp();
    return true;
  }

  slideDown(): boolean {
    if (this.end === this.#changed.length || this.#ids[this.start] !== this.#ids[this.end]) return false;
    this.#changed[this.start++] = 0;
    this.#changed[this.end++] = 1;
    this.#extendDown();
    return true;
  }

  #extendUp(): void {
    while (this.start > 0 && this.#changed[this.start - 1] === 1) this.start--;
  }

  #extendDown(): void {
    while (this.#changed[this.end] === 1) this.end++;
  }
}

function slide(block: Block, other: Block): void {
  let size: number;
  let highestEnd: number;
  let meetsOther: boolean;
  do {
    size = block.end - block.start;
    while (block.slideUp()) other.previous();
    highestEnd = block.end;
    meetsOther = !other.isEmpty;
    while (block.slideDown()) {
      other.next();
      if (!other.isEmpty) meetsOther = true;
    }
    // Blocks that were met on the way became part of this one, which may let it slide further.
  } while (size !== block.end - block.start);
  if (block.end === highestEnd || !meetsOther) return;
  while (other.isEmpty) {
    block.slideUp();
    other.previous();
  }
}
