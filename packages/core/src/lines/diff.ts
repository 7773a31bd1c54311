import { type LineSpan, spanBetween } from '../span.js';
import { discardLines } from './discard.js';
import { DEFAULT_EFFORT, type Effort } from './effort.js';
import { LineTable } from './intern.js';
import { Search } from './myers.js';
import { runAfter, runBefore } from './run.js';
import { slideBlocks } from './slide.js';
import { type Lines, splitLines } from './text.js';

/** The difference of two texts. */
export function diffLines(a: Uint8Array, b: Uint8Array, effort: Effort = DEFAULT_EFFORT): readonly LineSpan[] {
  return diffSplitLines(splitLines(a), splitLines(b), effort);
}

/** `diffLines` for texts that are split already. */
export function diffSplitLines(a: Lines, b: Lines, effort: Effort = DEFAULT_EFFORT): readonly LineSpan[] {
  const table = new LineTable(a.count + b.count);
  const oldIds = table.intern(a);
  const newIds = table.intern(b);
  const spans: LineSpan[] = [];
  const cursor = new NumberedDiff(table.size, effort).walk(oldIds, newIds);
  for (; !cursor.isPast; cursor.next()) {
    spans.push(spanBetween(cursor.oldStart, cursor.oldEnd, cursor.newStart, cursor.newEnd));
  }
  return spans;
}

/** Diffs texts whose lines one table has numbered. Keeps its counters, so that many small diffs cost no more than their size. */
export class NumberedDiff {
  /** Grid points looked at by all diffs so far. */
  steps = 0;
  readonly #effort: Effort;
  /** Per line number, how often each side has it; all zero between diffs. */
  readonly #oldCounts: Int32Array;
  readonly #newCounts: Int32Array;

  constructor(distinctLines: number, effort: Effort) {
    this.#effort = effort;
    this.#oldCounts = new Int32Array(distinctLines);
    this.#newCounts = new Int32Array(distinctLines);
  }

  walk(oldIds: Int32Array, newIds: Int32Array): SpanCursor {
    const oldChanged = new Uint8Array(oldIds.length);
    const newChanged = new Uint8Array(newIds.length);
    const least = Math.min(oldIds.length, newIds.length);
    const head = runAfter(oldIds, 0, newIds, 0, least);
    const tail = runBefore(oldIds, oldIds.length, newIds, newIds.length, least - head);
    for (const id of oldIds) this.#oldCounts[id]!++;
    for (const id of newIds) this.#newCounts[id]!++;
    const oldKept = discardLines(oldIds, head, oldIds.length - tail, this.#newCounts, oldChanged);
    const newKept = discardLines(newIds, head, newIds.length - tail, this.#oldCounts, newChanged);
    for (const id of oldIds) this.#oldCounts[id] = 0;
    for (const id of newIds) this.#newCounts[id] = 0;

    const search = new Search(pick(oldIds, oldKept), pick(newIds, newKept), this.#effort);
    search.run(
      (from, to) => mark(oldChanged, oldKept, from, to),
      (from, to) => mark(newChanged, newKept, from, to),
    );
    this.steps += search.steps;
    slideBlocks(oldIds, oldChanged, newChanged);
    slideBlocks(newIds, newChanged, oldChanged);
    return new SpanCursor(oldChanged, newChanged);
  }
}

/**
 * Stands at one span after the other, and in the end past them all: lines `[oldStart, oldEnd)` became lines
 * `[newStart, newEnd)`, counted from 0. A merge iterates over thousands with it and allocates none.
 */
export class SpanCursor {
  oldStart = 0;
  oldEnd = -1;
  newStart = 0;
  newEnd = -1;
  isPast = false;
  readonly #oldChanged: Uint8Array;
  readonly #newChanged: Uint8Array;

  constructor(oldChanged: Uint8Array, newChanged: Uint8Array) {
    this.#oldChanged = oldChanged;
    this.#newChanged = newChanged;
    this.next();
  }

  next(): void {
    const oldChanged = this.#oldChanged;
    const newChanged = this.#newChanged;
    // Behind a span stands an unchanged line.
    let i = this.oldEnd + 1;
    let j = this.newEnd + 1;
    while (i < oldChanged.length && oldChanged[i] === 0 && newChanged[j] === 0) {
      i++;
      j++;
    }
    this.oldStart = i;
    this.newStart = j;
    while (oldChanged[i] === 1) i++;
    while (newChanged[j] === 1) j++;
    this.oldEnd = i;
    this.newEnd = j;
    this.isPast = i === this.oldStart && j === this.newStart;
  }
}

function pick(ids: Int32Array, indices: Int32Array): Int32Array {
  const picked = new Int32Array(indices.length);
  for (let i = 0; i < indices.length; i++) picked[i] = ids[indices[i]!]!;
  return picked;
}

function mark(changed: Uint8Array, indices: Int32Array, from: number, to: number): void {
  for (let i = from; i < to; i++) changed[indices[i]!] = 1;
}
