import { failed, type Outcome, ok } from '../outcome.js';
import { type DiffOptions, diffSplitLines } from './diff.js';
import { concatBytes, equalBytes, isTerminated, lineCount, sliceLines, splitLines } from './text.js';

/**
 * The change of one text into another, as a value that holds the bytes of both sides where they differ.
 *
 * Laws, for texts a, b, c and deltas ab, bc between them:
 * - `applyDelta(deltaBetween(a, b), a)` is b; a text other than a is refused wherever an edit would touch it.
 * - `applyDelta(invertDelta(ab), b)` is a, and inverting twice gives ab back.
 * - `applyDelta(composeDeltas(ab, bc), a)` is c.
 * - A line that `mapRange` says was kept has the same bytes at its new place.
 * - `deltaFromJson(deltaToJson(ab))` is ab, for any bytes.
 */
export interface Delta {
  /** How many lines the old text has. */
  readonly baseLines: number;
  /** Ascending, with at least one untouched line between any two. */
  readonly edits: readonly DeltaEdit[];
}

/** Lines `[start, end)` of the old text, 0-based, whose bytes are `removed`, become `inserted`: whole lines both. */
export interface DeltaEdit {
  readonly start: number;
  readonly end: number;
  readonly removed: Uint8Array;
  readonly inserted: Uint8Array;
}

export type DeltaRefusal =
  | { readonly code: 'base-length'; readonly expected: number; readonly actual: number }
  /** The text is not what the edit that begins at `line` says it replaces. */
  | { readonly code: 'base-differs'; readonly line: number }
  /** Lines would follow one without a terminator, which would run the two together. */
  | { readonly code: 'unterminated'; readonly line: number };

/** Lines `[from, to)`, 0-based. */
export interface LineInterval {
  readonly from: number;
  readonly to: number;
}

export interface MappedInterval extends LineInterval {
  readonly fate: 'kept' | 'changed' | 'deleted';
}

export function deltaBetween(a: Uint8Array, b: Uint8Array, options: DiffOptions = {}): Delta {
  const oldLines = splitLines(a);
  const newLines = splitLines(b);
  const edits = diffSplitLines(oldLines, newLines, options).map((edit) => ({
    start: edit.oldStart,
    end: edit.oldEnd,
    // Copies, so that a small delta does not keep two whole texts alive.
    removed: sliceLines(oldLines, edit.oldStart, edit.oldEnd).slice(),
    inserted: sliceLines(newLines, edit.newStart, edit.newEnd).slice(),
  }));
  return { baseLines: oldLines.count, edits };
}

export function applyDelta(delta: Delta, base: Uint8Array): Outcome<Uint8Array, DeltaRefusal> {
  const lines = splitLines(base);
  if (lines.count !== delta.baseLines) {
    return failed({ code: 'base-length', expected: delta.baseLines, actual: lines.count });
  }
  const parts: Uint8Array[] = [];
  let done = 0;
  for (const edit of delta.edits) {
    if (!equalBytes(sliceLines(lines, edit.start, edit.end), edit.removed)) {
      return failed({ code: 'base-differs', line: edit.start });
    }
    const before = sliceLines(lines, done, edit.start);
    const runsOn = !isTerminated(edit.inserted) && edit.end < lines.count;
    if (runsOn || (!isTerminated(before) && edit.inserted.length > 0)) {
      return failed({ code: 'unterminated', line: edit.start });
    }
    parts.push(before, edit.inserted);
    done = edit.end;
  }
  parts.push(sliceLines(lines, done, lines.count));
  return ok(concatBytes(parts));
}

export function invertDelta(delta: Delta): Delta {
  let shift = 0;
  const edits = delta.edits.map(({ start, end, removed, inserted }) => {
    const added = lineCount(inserted);
    const inverted = { start: start + shift, end: start + shift + added, removed: inserted, inserted: removed };
    shift += added - (end - start);
    return inverted;
  });
  return { baseLines: delta.baseLines + shift, edits };
}

/** How many lines the new text has. */
export function resultLines(delta: Delta): number {
  let count = delta.baseLines;
  for (const edit of delta.edits) count += lineCount(edit.inserted) - (edit.end - edit.start);
  return count;
}

/**
 * Where lines of the old text are in the new one. Text inserted at either edge of the range stays outside it; a replacement
 * that overlaps the range is taken in whole, since no line of it can be told apart. An empty range stays a position,
 * before whatever is inserted there.
 */
export function mapRange(delta: Delta, range: LineInterval): MappedInterval {
  let from = range.from;
  let to = range.to;
  let touched = false;
  let shift = 0;
  for (const edit of delta.edits) {
    if (edit.start >= range.to) break;
    const added = lineCount(edit.inserted);
    const growth = added - (edit.end - edit.start);
    if (edit.end <= range.from) {
      from += growth;
      to += growth;
    } else {
      touched = true;
      if (edit.start <= range.from) from = edit.start + shift;
      to = edit.end >= range.to ? edit.start + shift + added : to + growth;
    }
    shift += growth;
  }
  if (range.from === range.to) return { from, to: from, fate: touched ? 'changed' : 'kept' };
  return { from, to, fate: !touched ? 'kept' : from === to ? 'deleted' : 'changed' };
}
