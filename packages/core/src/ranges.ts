import { type LineSpan, oldIndexOf } from './span.js';

/** Lines `from` to `to` of one text, 1-based, both included. */
export type LineRange = { readonly from: number; readonly to: number };

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
 * Where the lines of ranges are after `spans` were applied. Lines that were replaced drop out; what is left on both
 * sides of replaced lines stays, so one range may become several.
 */
export function rebaseRanges(ranges: readonly LineRange[], spans: readonly LineSpan[]): readonly LineRange[] {
  return moved(ranges, keptBetween(spans));
}

/** Those lines of ranges that `spans` left alone, and whose number is what it was. */
export function unmovedRanges(ranges: readonly LineRange[], spans: readonly LineSpan[]): readonly LineRange[] {
  return moved(
    ranges,
    keptBetween(spans).filter(({ shift }) => shift === 0),
  );
}

export function intersectRanges(a: readonly LineRange[], b: readonly LineRange[]): readonly LineRange[] {
  return moved(
    a,
    joinRanges(b).map((range) => ({ ...range, shift: 0 })),
  );
}

export function subtractRanges(a: readonly LineRange[], b: readonly LineRange[]): readonly LineRange[] {
  const between: LineRange[] = [];
  let next = 1;
  for (const { from, to } of joinRanges(b)) {
    if (from > next) between.push({ from: next, to: from - 1 });
    next = to === LAST_LINE ? LAST_LINE : to + 1;
  }
  if (next < LAST_LINE) between.push({ from: next, to: LAST_LINE });
  return intersectRanges(a, between);
}

export function holdsLine(ranges: readonly LineRange[], line: number): boolean {
  return ranges.some(({ from, to }) => from <= line && line <= to);
}

export function rangesOverlap(a: readonly LineRange[], b: readonly LineRange[]): boolean {
  return a.some((x) => b.some((y) => x.from <= y.to && y.from <= x.to));
}

/** The lines a span took out of the old text, or null where it only added. */
export function oldRangeOf(span: LineSpan): LineRange | null {
  return span.oldLines === 0 ? null : { from: span.oldStart, to: span.oldStart + span.oldLines - 1 };
}

/** The lines a span wrote in the new text, or null where it only removed. */
export function newRangeOf(span: LineSpan): LineRange | null {
  return span.newLines === 0 ? null : { from: span.newStart, to: span.newStart + span.newLines - 1 };
}

/** Lines that stayed, and by how much their numbers changed. */
type Kept = LineRange & { readonly shift: number };

/** The lines of the old text that spans leave alone. */
function keptBetween(spans: readonly LineSpan[]): readonly Kept[] {
  const kept: Kept[] = [];
  let from = 1;
  let shift = 0;
  for (const span of spans) {
    const firstGone = oldIndexOf(span) + 1;
    if (firstGone > from) kept.push({ from, to: firstGone - 1, shift });
    from = firstGone + span.oldLines;
    shift += span.newLines - span.oldLines;
  }
  return [...kept, { from, to: LAST_LINE, shift }];
}

/** The parts of ranges that were kept, both ascending and apart, under their new numbers. */
function moved(ranges: readonly LineRange[], kept: readonly Kept[]): readonly LineRange[] {
  const pieces: LineRange[] = [];
  const wanted = joinRanges(ranges);
  let at = 0;
  for (const { from: first, to: last, shift } of kept) {
    while (at < wanted.length && wanted[at]!.to < first) at += 1;
    for (let index = at; index < wanted.length && wanted[index]!.from <= last; index += 1) {
      const from = Math.max(wanted[index]!.from, first);
      const to = Math.min(wanted[index]!.to, last);
      pieces.push({ from: from + shift, to: to === LAST_LINE ? LAST_LINE : to + shift });
    }
  }
  return joinRanges(pieces);
}
