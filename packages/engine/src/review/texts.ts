import {
  type ContentId,
  concatBytes,
  equalBytes,
  type Lines,
  type Piece,
  sliceLines,
  splitLines,
} from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';

/** Why a text could not be put together. */
export type Misfit =
  /** Bytes that are needed were never kept, or are gone. */
  | { readonly code: 'missing'; readonly content: ContentId }
  /** The text is not what the records say, so nothing may be concluded from them. */
  | { readonly code: 'differs' }
  /** A last line without an end would run into the next one. */
  | { readonly code: 'unterminated' };

/** Lines held at once while one command runs; beyond it they are read again. */
const HELD_BYTES = 64 * 1024 * 1024;

/** Texts by content id as lines, for the length of one command. */
export class Texts {
  readonly #content: ContentStore;
  readonly #held = new Map<ContentId, Lines>();
  #bytes = 0;

  constructor(content: ContentStore) {
    this.#content = content;
  }

  async lines(id: ContentId): Promise<Lines | null> {
    const known = this.#held.get(id);
    if (known !== undefined) return known;
    const found = await this.#content.get(id);
    if (!found.ok) return null;
    const lines = splitLines(found.value);
    this.#bytes += found.value.length;
    if (this.#bytes > HELD_BYTES) {
      this.#held.clear();
      this.#bytes = found.value.length;
    }
    this.#held.set(id, lines);
    return lines;
  }

  /**
   * Puts a text together from pieces of the present one and of contents. Every line that goes is compared with what the
   * records say it is: what somebody wrote since can never go by mistake.
   */
  async assemble(pieces: readonly Piece[], present: ContentId | null): Promise<Uint8Array | Misfit> {
    const now = present === null ? NO_LINES : await this.lines(present);
    if (now === null) return { code: 'missing', content: present! };
    const sources = new Set(pieces.flatMap(({ from }) => (from === 'present' ? [] : [from])));
    await Promise.all([...sources].map((id) => this.lines(id)));
    const parts: Uint8Array[] = [];
    let met = 0;
    for (const piece of pieces) {
      if (piece.from === 'present') {
        const end = Math.min(piece.end, now.count);
        if (piece.start !== met || end < piece.start) return { code: 'differs' };
        parts.push(sliceLines(now, piece.start, end));
        met = end;
        if (piece.end > now.count && piece.end !== Number.POSITIVE_INFINITY) return { code: 'differs' };
        continue;
      }
      const source = await this.lines(piece.from);
      if (source === null) return { code: 'missing', content: piece.from };
      const end = Math.min(piece.end, source.count);
      if (end < piece.start || (end < piece.end && piece.end !== Number.POSITIVE_INFINITY)) return { code: 'differs' };
      const bytes = sliceLines(source, piece.start, end);
      if (piece.goneFrom === undefined) {
        parts.push(bytes);
        continue;
      }
      const goneTo = piece.goneFrom + end - piece.start;
      if (piece.goneFrom !== met || goneTo > now.count) return { code: 'differs' };
      if (!equalBytes(sliceLines(now, piece.goneFrom, goneTo), bytes)) return { code: 'differs' };
      met = goneTo;
    }
    if (met !== now.count) return { code: 'differs' };
    const text = parts.filter((part) => part.length > 0);
    if (text.slice(0, -1).some((part) => part.at(-1) !== LF)) return { code: 'unterminated' };
    return concatBytes(text);
  }
}

const LF = 0x0a;
const NO_LINES = splitLines(new Uint8Array(0));

/** One line as people read it, without its end. Counted from 0. */
export function lineText(lines: Lines, index: number): string {
  return decoder.decode(sliceLines(lines, index, index + 1)).replace(/\r?\n$/, '');
}

const decoder = new TextDecoder();
