import type { ContentId } from '../ids.js';
import { type LineSpan, oldIndexOf } from '../span.js';

/** Lines that were written together and have had the same fate since. */
export type Segment = {
  /** `Infinity` for all the rest of the content. */
  readonly lines: number;
  /** Where the bytes are: lines from `start`, 0-based, of this content. */
  readonly content: ContentId;
  readonly start: number;
  /** The part that wrote them, and those that removed them. */
  readonly by: number;
  readonly removedBy: readonly number[];
};

type WeaveContext = {
  /** The number of the part that the first span is; the others follow. */
  readonly first: number;
  /** What the inserted lines can be read from; null when the file was removed. */
  readonly source: ContentId | null;
  /** By part; what has no place in it is on. */
  readonly on: readonly boolean[];
  readonly insertsLines: (part: number) => boolean;
  readonly removesLines: (part: number) => boolean;
};

export function isOn(on: readonly boolean[], part: number): boolean {
  return on[part] !== false;
}

/** In sight: its writer is on, and none of its removers is. */
export function isInSight(on: readonly boolean[], segment: Segment): boolean {
  if (on[segment.by] === false) return false;
  for (const part of segment.removedBy) if (on[part] !== false) return false;
  return true;
}

/**
 * Works the spans of one change into the segments, which it changes; positions count the lines that are in sight. Only
 * the segments from the first to the last span are touched. Answers, for each span, what its part touches.
 */
export function weaveSpans(
  segments: Segment[],
  spans: readonly LineSpan[],
  context: WeaveContext,
): readonly ReadonlySet<number>[] {
  const weaver = new Weaver(segments, context);
  const touches = spans.map((span, index) => weaver.weave(span, context.first + index));
  weaver.finish();
  return touches;
}

class Weaver {
  readonly #context: WeaveContext;
  readonly #in: Segment[];
  /** What the segments from `#from` to `#at` become. */
  readonly #out: Segment[] = [];
  #from = 0;
  #at = 0;
  /** What is left of segment `#at` when a span ended within it. */
  #rest: Segment | null = null;
  #position = 0;

  constructor(segments: Segment[], context: WeaveContext) {
    this.#in = segments;
    this.#context = context;
  }

  weave(span: LineSpan, part: number): ReadonlySet<number> {
    this.#copyTo(oldIndexOf(span));
    const touches = new Set<number>();
    if (span.oldLines === 0) this.#passReplacements();
    else this.#remove(span.oldLines, part, touches);
    if (span.newLines === 0 || this.#context.source === null) return touches;
    if (span.oldLines === 0) this.#noteHidden(touches);
    const start = span.newStart - 1;
    this.#out.push({ lines: span.newLines, content: this.#context.source, start, by: part, removedBy: [] });
    return touches;
  }

  finish(): void {
    if (this.#rest !== null) this.#take(this.#rest.lines);
    const behind = this.#in.slice(this.#at);
    this.#in.length = this.#from;
    for (const segment of this.#out) this.#in.push(segment);
    for (const segment of behind) this.#in.push(segment);
  }

  /** Stops right behind the last line in sight before `position`, so what is out of sight there comes afterwards. */
  #copyTo(position: number): void {
    if (this.#out.length === 0) this.#skipTo(position);
    while (this.#position < position) {
      const segment = this.#peek();
      if (segment === null) throw new RangeError(`a span begins behind the last line, at ${position}`);
      if (!this.#isAlive(segment)) this.#take(segment.lines);
      else this.#position += this.#take(Math.min(segment.lines, position - this.#position)).lines;
    }
  }

  /** Before the first span there is nothing to rewrite, and only counting to do. */
  #skipTo(position: number): void {
    for (; this.#at < this.#in.length; this.#at++) {
      const segment = this.#in[this.#at]!;
      const lines = this.#isAlive(segment) ? segment.lines : 0;
      if (this.#position === position || this.#position + lines > position) break;
      this.#position += lines;
    }
    this.#from = this.#at;
  }

  /** What once replaced the line before, and is out of sight now, stands for that line: new text goes behind it. */
  #passReplacements(): void {
    const last = this.#out.at(-1) ?? this.#in[this.#at - 1];
    const removers = new Set(last?.removedBy ?? []);
    for (let segment = this.#peek(); segment !== null && !this.#isAlive(segment); segment = this.#peek()) {
      if (isOn(this.#context.on, segment.by) || !removers.has(segment.by)) return;
      for (const remover of segment.removedBy) removers.add(remover);
      this.#take(segment.lines);
    }
  }

  #remove(lines: number, part: number, touches: Set<number>): void {
    let left = lines;
    let hidden: Segment[] = [];
    while (left > 0) {
      const segment = this.#peek();
      if (segment === null) throw new RangeError('a span removes lines behind the last one');
      if (!this.#isAlive(segment)) {
        hidden.push(this.#take(segment.lines));
        continue;
      }
      if (left < lines) for (const between of hidden) for (const cause of this.#causes(between)) touches.add(cause);
      hidden = [];
      const taken = this.#take(Math.min(segment.lines, left));
      this.#out[this.#out.length - 1] = { ...taken, removedBy: [...taken.removedBy, part] };
      left -= taken.lines;
      this.#position += taken.lines;
    }
  }

  /** Where a part has lines in sight beside those out of sight, they tell the order; where it has none, nothing does. */
  #noteHidden(touches: Set<number>): void {
    const { on, insertsLines, removesLines } = this.#context;
    const waiting = this.#rest === null ? this.#in.slice(this.#at, this.#endOfHidden()) : [];
    for (const segment of waiting) {
      if (!isOn(on, segment.by) && !removesLines(segment.by)) touches.add(segment.by);
      for (const remover of segment.removedBy) if (isOn(on, remover) && !insertsLines(remover)) touches.add(remover);
    }
  }

  #endOfHidden(): number {
    let end = this.#at;
    while (end < this.#in.length && !this.#isAlive(this.#in[end]!)) end++;
    return end;
  }

  /** The parts that keep a segment out of sight. */
  #causes(segment: Segment): readonly number[] {
    const { on } = this.#context;
    const removers = segment.removedBy.filter((part) => isOn(on, part));
    return isOn(on, segment.by) ? removers : [segment.by, ...removers];
  }

  #isAlive(segment: Segment): boolean {
    return isInSight(this.#context.on, segment);
  }

  #peek(): Segment | null {
    return this.#rest ?? this.#in[this.#at] ?? null;
  }

  /** Moves up to `lines` lines of the next segment to the output. */
  #take(lines: number): Segment {
    const segment = this.#peek()!;
    if (lines >= segment.lines) {
      this.#at += 1;
      this.#rest = null;
      this.#out.push(segment);
      return segment;
    }
    const head = { ...segment, lines };
    this.#rest = { ...segment, start: segment.start + lines, lines: segment.lines - lines };
    this.#out.push(head);
    return head;
  }
}
