import type { LineRange, LineSpan } from './file.js';

/** Last line a range can name when the file's length is not known. */
export const LAST_LINE = Number.MAX_SAFE_INTEGER;

/** The union of ranges, ascending, with touching ones joined. */
export function joinRanges(ranges: readonly LineRange[]): readonly LineRange[] {
  const joined: { from: number; to: number }[] = [];
  for (const range of [...ranges].sort((a, b) => a.from - b.from || a.to - b.to)) {
    const last = joined.at(-1);
    if (last !== undefined && range.from <= last.to + 1) last.to = Math.max(last.to, range.to);
    else joined.push({ from: range.from, to: range.to });
  }
  return joined;
}

/**
 * Where the lines of a range are after `spans` were applied. Lines that were replaced drop out; what is left on both
 * sides of a replaced stretch stays, so one range may become several.
 */
export function rebaseRanges(ranges: readonly LineRange[], spans: readonly LineSpan[]): readonly LineRange[] {
  let pieces = ranges;
  for (const span of [...spans].reverse()) pieces = pieces.flatMap((range) => rebaseOverSpan(range, span));
  return joinRanges(pieces);
}

export function rangesOverlap(a: readonly LineRange[], b: readonly LineRange[]): boolean {
  return a.some((x) => b.some((y) => x.from <= y.to && y.from <= x.to));
}

/** The lines a span replaces in the old text; for a pure insertion, the two lines that it separates. */
export function oldRangeOf(span: LineSpan): LineRange {
  if (span.oldLines === 0) return { from: span.oldStart, to: span.oldStart + 1 };
  return { from: span.oldStart, to: span.oldStart + span.oldLines - 1 };
}

/** The lines a span wrote in the new text, or null where it only removed. */
export function newRangeOf(span: LineSpan): LineRange | null {
  return span.newLines === 0 ? null : { from: span.newStart, to: span.newStart + span.newLines - 1 };
}

/** Spans are taken from the last to the first, so each one's old coordinates are still true of the range. */
function rebaseOverSpan(range: LineRange, span: LineSpan): LineRange[] {
  const firstGone = span.oldLines === 0 ? span.oldStart + 1 : span.oldStart;
  const firstAfter = firstGone + span.oldLines;
  const shift = span.newLines - span.oldLines;
  const pieces: LineRange[] = [];
  if (range.from < firstGone) pieces.push({ from: range.from, to: Math.min(range.to, firstGone - 1) });
  if (range.to >= firstAfter) {
    const to = range.to === LAST_LINE ? LAST_LINE : range.to + shift;
    pieces.push({ from: Math.max(range.from, firstAfter) + shift, to });
  }
  return pieces;
}
