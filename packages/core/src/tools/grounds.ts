import { diffLines } from '../lines/diff.js';
import { isBinary, lineCount } from '../lines/text.js';
import {
  holdsLine,
  intersectRanges,
  joinRanges,
  LAST_LINE,
  type LineRange,
  oldRangeOf,
  subtractRanges,
} from '../ranges.js';
import { type LineSpan, oldIndexOf } from '../span.js';
import type { Sight } from '../views/sight.js';
import { type Effect, effectOn, replacedLines } from './effect.js';

/** What of the present text a write rests on. */
export type Grounds = {
  /** Lines that it removes or puts others in the place of. */
  readonly lines: readonly LineRange[];
  /** Places, each after a line, that it found by the text beside them. */
  readonly besides: readonly number[];
  /** Places that it found by the number of the line before them. */
  readonly numbers: readonly number[];
  /** Stretches of places, from the first to the last, at which a text that was written whole departs from the present. */
  readonly seams: readonly LineRange[];
  /** What it will do cannot be told, so it rests on the file being what was seen. */
  readonly untold: boolean;
  /** How many lines there are. */
  readonly count: number;
};

/** `effect` is null for a tool that names the file and does not say what it will do to it. */
export function groundsOf(effect: Effect | null, names: 'writes' | 'perhaps', text: Uint8Array): Grounds {
  const count = lineCount(text);
  const nothing: Grounds = { lines: [], besides: [], numbers: [], seams: [], untold: false, count };
  const everything: Grounds = { ...nothing, lines: [{ from: 1, to: Math.max(count, 1) }] };
  const untold: Grounds = { ...nothing, untold: true };
  if (effect === null) return names === 'writes' ? everything : untold;
  if (effect.kind === 'move') return untold;
  if (effect.kind === 'insert')
    return { ...nothing, numbers: effect.line === LAST_LINE ? [] : [Math.min(effect.line, count)] };
  const next = likely(effect, text);
  if (next === null) return everything;
  if (next === 'unproven') return untold;
  if (isBinary(text) || isBinary(next)) return everything;
  const spans = diffLines(text, next);
  const lines = spans.flatMap((span) => oldRangeOf(span) ?? []);
  if (effect.kind === 'replace-all-content') return { ...nothing, lines, seams: spans.map(seamOf) };
  const places = spans.flatMap((span) => (span.oldLines === 0 ? [span.oldStart] : []));
  if (effect.kind === 'replace') return { ...nothing, ...besideOwn(places, replacedLines(effect.edits, text), lines) };
  const byNumber = effect.kind === 'patch' ? placedByNumber(effect) : [];
  if (effect.kind === 'steps')
    return { ...nothing, lines, besides: places, seams: spans.map(seamOf), untold: hasInsert(effect) };
  return { ...nothing, lines, besides: places.filter((place) => !byNumber.includes(place)), numbers: byNumber };
}

/** Whether all that it rests on was shown to the session since other hands last changed the file. */
export function isRenewed(grounds: Grounds, sight: Sight): boolean {
  const { lines, besides, numbers, seams, untold, count } = grounds;
  const rested = untold ? [{ from: 1, to: Math.max(count, 1) }] : lines;
  if (subtractRanges(rested, sight.renewed).length > 0 || cutIn(seams, sight).length > 0) return false;
  // A command of the session's own moves lines without telling it their numbers.
  const numbered = intersectRanges(sight.renewed, sight.numbered);
  return (
    [...besides, ...insertions(seams)].every((after) => isBeside(sight.renewed, after, count)) &&
    numbers.every((after) => isBeside(numbered, after, count))
  );
}

/** The lines that it rests on and that were not seen as they are, and the lines around places that were not. */
export function unseenIn(grounds: Grounds, sight: Sight): readonly LineRange[] {
  const { lines, besides, numbers, seams, count } = grounds;
  const blind = [
    ...besides.filter((after) => !isBeside(sight.lines, after, count)),
    ...numbers.filter((after) => after > 0 && !isBeside(sight.numbered, after, count)),
    ...cutIn(seams, sight),
  ];
  const around = blind.map((after) => ({ from: Math.max(after, 1), to: Math.max(1, Math.min(after + 1, count)) }));
  return [...subtractRanges(lines, sight.lines), ...around];
}

/** Places of a text written whole where other hands changed how many lines there are, and the session did not see it. */
function cutIn(seams: readonly LineRange[], { cuts }: Sight): readonly number[] {
  return cuts.map(({ after }) => after).filter((after) => holdsLine(seams, after));
}

/** A place is found by the line that holds the replaced text; where that may be either, one of the two is enough. */
function besideOwn(
  places: readonly number[],
  own: readonly LineRange[],
  lines: readonly LineRange[],
): Pick<Grounds, 'lines' | 'besides'> {
  const found = [...lines];
  const besides: number[] = [];
  for (const after of places) {
    const [above, below] = [holdsLine(own, after), holdsLine(own, after + 1)];
    if (above === below) besides.push(after);
    else found.push(above ? { from: after, to: after } : { from: after + 1, to: after + 1 });
  }
  return { lines: joinRanges(found), besides };
}

/** The patch tools of agents forgive small differences, so what they will do is told by the forgiving reading too. */
function likely(effect: Effect, text: Uint8Array): Uint8Array | null | 'unproven' {
  const strict = effectOn(effect, text);
  return strict === 'unproven' ? effectOn(effect, text, 'loose') : strict;
}

function seamOf(span: LineSpan): LineRange {
  const first = oldIndexOf(span);
  return { from: first, to: first + span.oldLines };
}

function insertions(seams: readonly LineRange[]): readonly number[] {
  return seams.flatMap(({ from, to }) => (from === to ? [from] : []));
}

/** Its number counts lines of a text that an earlier step has changed. */
function hasInsert({ steps }: Effect & { readonly kind: 'steps' }): boolean {
  return steps.some((step) => step.kind === 'insert' || (step.kind === 'steps' && hasInsert(step)));
}

/** A hunk without old lines stands where its number says. */
function placedByNumber({ hunks }: Effect & { readonly kind: 'patch' }): readonly number[] {
  return hunks.flatMap(({ old, line }) => (old.length === 0 && line !== undefined ? [line] : []));
}

/** One of the two lines at a place is known; an empty file has none to know. */
function isBeside(ranges: readonly LineRange[], after: number, count: number): boolean {
  return count === 0 || holdsLine(ranges, after) || (after < count && holdsLine(ranges, after + 1));
}
