import { enlarged, type Lines } from './text.js';

/**
 * Gives equal lines equal numbers, so that the diff compares integers. Lines are compared as bytes: no text is decoded and
 * no string is built. One table may number several texts, which makes their numbers comparable with each other.
 */
export class LineTable {
  #size = 0;
  #slots: Int32Array;
  #hashes: Int32Array;
  readonly #texts: Uint8Array[] = [];
  /** Where the first line with a number was found: which text, and its byte range there. */
  #origins: Uint32Array;
  #starts: Uint32Array;
  #lengths: Uint32Array;

  constructor(expectedLines: number) {
    this.#slots = new Int32Array(slotsFor(expectedLines)).fill(EMPTY);
    this.#hashes = new Int32Array(this.#slots.length);
    // No more than half of the slots are ever taken.
    const lines = this.#slots.length / 2;
    this.#origins = new Uint32Array(lines);
    this.#starts = new Uint32Array(lines);
    this.#lengths = new Uint32Array(lines);
  }

  /** How many different lines have been seen; every number is below it. */
  get size(): number {
    return this.#size;
  }

  intern(lines: Lines): Int32Array {
    this.#texts.push(lines.bytes);
    const ids = new Int32Array(lines.count);
    for (let line = 0; line < lines.count; line++) {
      ids[line] = this.#numberOf(lines.bytes, lines.starts[line]!, lines.starts[line + 1]!);
    }
    return ids;
  }

  #numberOf(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashRange(bytes, start, end);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let id = this.#slots[slot]!; id !== EMPTY; id = this.#slots[slot]!) {
      if (this.#hashes[slot] === hash && this.#matches(id, bytes, start, end)) return id;
      slot = (slot + 1) & mask;
    }
    const id = this.#size++;
    this.#origins[id] = this.#texts.length - 1;
    this.#starts[id] = start;
    this.#lengths[id] = end - start;
    this.#slots[slot] = id;
    this.#hashes[slot] = hash;
    if (this.#size * 2 >= this.#slots.length) this.#grow();
    return id;
  }

  #matches(id: number, bytes: Uint8Array, start: number, end: number): boolean {
    const length = end - start;
    if (this.#lengths[id] !== length) return false;
    const known = this.#texts[this.#origins[id]!]!;
    const from = this.#starts[id]!;
    for (let i = 0; i < length; i++) if (known[from + i] !== bytes[start + i]) return false;
    return true;
  }

  #grow(): void {
    const slots = this.#slots;
    const hashes = this.#hashes;
    this.#slots = new Int32Array(slots.length * 2).fill(EMPTY);
    this.#hashes = new Int32Array(this.#slots.length);
    this.#origins = enlarged(this.#origins);
    this.#starts = enlarged(this.#starts);
    this.#lengths = enlarged(this.#lengths);
    const mask = this.#slots.length - 1;
    for (let old = 0; old < slots.length; old++) {
      if (slots[old] === EMPTY) continue;
      let slot = hashes[old]! & mask;
      while (this.#slots[slot] !== EMPTY) slot = (slot + 1) & mask;
      this.#slots[slot] = slots[old]!;
      this.#hashes[slot] = hashes[old]!;
    }
  }
}

const EMPTY = -1;

/** A power of two, so that a mask picks the slot, and at least twice the entries, so that probes stay short. */
function slotsFor(entries: number): number {
  let slots = 16;
  while (slots < entries * 2) slots *= 2;
  return slots;
}

function hashRange(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  // The low bits pick the slot, and FNV leaves them depending on the low bits of each byte alone.
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) ^ (hash >>> 13);
}
