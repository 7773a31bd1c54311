import type { ContentId } from '../ids.js';
import {
  holdsLine,
  joinRanges,
  LAST_LINE,
  type LineRange,
  newRangeOf,
  oldRangeOf,
  rebaseRanges,
  subtractRanges,
  unmovedRanges,
} from '../ranges.js';
import { type LineSpan, oldIndexOf } from '../span.js';

/** Which lines of one text a session has seen. Line numbers are those of `content`; ranges ascend and do not touch. */
export type Sight = {
  readonly content: ContentId;
  /** Seen as they are in this text. */
  readonly lines: readonly LineRange[];
  /** Of the lines, those whose number the session has right. */
  readonly numbered: readonly LineRange[];
  /** Of the lines, those shown to the session, or written by it, since other hands last changed the file. */
  readonly renewed: readonly LineRange[];
  /** Written by other hands, and not shown since. */
  readonly missed: readonly LineRange[];
  /** Where other hands left fewer or more lines than they took, not shown since together with the lines around. */
  readonly cuts: readonly Cut[];
  /** The text before the first of what was missed; null when nothing was. */
  readonly base: ContentId | null;
};

/** A place between line `after` and the next. `gap`: lines are gone from there. `edge`: lines were written beside it. */
type Cut = { readonly after: number; readonly kind: 'gap' | 'edge' };

export const ALL_LINES: readonly LineRange[] = [{ from: 1, to: LAST_LINE }];

/** More changed stretches than this are not followed line by line: a view must stay small. */
const FOLLOWED_SPANS = 500;

export function sightOf(content: ContentId, shown: readonly LineRange[]): Sight {
  const lines = joinRanges(shown);
  return { content, lines, numbered: lines, renewed: lines, missed: [], cuts: [], base: null };
}

/** Whether all that other hands did to the file has been shown to the session since. */
export function isClean({ missed, cuts }: Sight): boolean {
  return missed.length === 0 && !cuts.some(({ kind }) => kind === 'gap');
}

/** Whether there is no line that was not seen, wherever the text ends. */
export function isWhole({ lines, numbered }: Sight): boolean {
  return coversAll(lines) && coversAll(numbered);
}

export function coversAll(ranges: readonly LineRange[]): boolean {
  return ranges.length === 1 && ranges[0]!.from <= 1 && ranges[0]!.to === LAST_LINE;
}

/** More of the same text was shown. */
export function withShown(sight: Sight, shown: readonly LineRange[]): Sight {
  const renewed = joinRanges([...sight.renewed, ...shown]);
  const cuts = sight.cuts.filter(({ after }) => !isBetween(renewed, after));
  return cleared({
    content: sight.content,
    lines: joinRanges([...sight.lines, ...shown]),
    numbered: joinRanges([...sight.numbered, ...shown]),
    renewed,
    missed: subtractRanges(sight.missed, shown),
    cuts,
    base: sight.base,
  });
}

/** The same, when what was seen before is no longer in front of the model: what was missed is still missed. */
export function withOnlyShown(sight: Sight, shown: readonly LineRange[]): Sight {
  return withShown({ ...sight, lines: [], numbered: [], renewed: [] }, shown);
}

/** Another text, which nobody can say how it came from the one that was seen: all that is not shown of it was missed. */
export function withUnrelated(sight: Sight, content: ContentId, shown: readonly LineRange[]): Sight {
  const fresh = sightOf(content, shown);
  return cleared({ ...fresh, missed: subtractRanges(ALL_LINES, shown), base: sight.base ?? sight.content });
}

/** What is left of it after other hands made `content` of the text; null where that cannot be told line by line. */
export function carried(sight: Sight, spans: readonly LineSpan[], content: ContentId): Sight | null {
  if (content === sight.content) return sight;
  if (spans.length === 0 || spans.length + sight.cuts.length > FOLLOWED_SPANS) return null;
  return {
    content,
    lines: rebaseRanges(sight.lines, spans),
    numbered: unmovedRanges(sight.numbered, spans),
    renewed: [],
    missed: joinRanges([...rebaseRanges(sight.missed, spans), ...spans.flatMap((span) => newRangeOf(span) ?? [])]),
    cuts: distinct([...movedCuts(sight.cuts, spans), ...spans.flatMap(cutsOf)]),
    base: sight.base ?? sight.content,
  };
}

/**
 * How a session wrote: in its own `words`, which are what is there; with a `tool` that was given the text, of which a
 * formatter may have made something else; or by a `command`, which says nothing of the text that it leaves.
 */
export type Means = 'words' | 'tool' | 'command';

/** What the session sees after it made `content` of the text itself. */
export function written(sight: Sight, spans: readonly LineSpan[], content: ContentId, by: Means): Sight {
  if (content === sight.content) return sight;
  if (spans.length === 0) return unmeasured(sight, content, by);
  const own = spans.filter((span) => isKnown(span, sight.lines, by)).flatMap((span) => newRangeOf(span) ?? []);
  const numbered =
    by === 'words' ? [...rebaseRanges(sight.numbered, spans), ...own] : unmovedRanges(sight.numbered, spans);
  return cleared({
    content,
    lines: joinRanges([...rebaseRanges(sight.lines, spans), ...own]),
    numbered: joinRanges(numbered),
    renewed: joinRanges([...rebaseRanges(sight.renewed, spans), ...own]),
    missed: rebaseRanges(sight.missed, spans),
    cuts: distinct(movedCuts(sight.cuts, spans)),
    base: sight.base,
  });
}

/** Which lines changed is not known, as with binary files: who knew all of it, and wrote it, knows all of it. */
function unmeasured(sight: Sight, content: ContentId, by: Means): Sight {
  if (!isClean(sight)) return withUnrelated(sight, content, []);
  return sightOf(content, by !== 'command' && coversAll(sight.lines) ? ALL_LINES : []);
}

/** What a tool made of lines it is known as far as the lines were. */
function isKnown(span: LineSpan, lines: readonly LineRange[], by: Means): boolean {
  if (by !== 'tool') return by === 'words';
  const gone = oldRangeOf(span);
  return gone === null || subtractRanges([gone], lines).length === 0;
}

/** Once nothing is missed there is no earlier text to compare with. */
function cleared(sight: Sight): Sight {
  return sight.base === null || !isClean(sight) ? sight : { ...sight, base: null };
}

/** The lines on both sides of a place are known together. Above the first line there is nothing to know. */
function isBetween(ranges: readonly LineRange[], after: number): boolean {
  return (after === 0 || holdsLine(ranges, after)) && holdsLine(ranges, after + 1);
}

/** Where nothing is gone, and where lines took the place of as many others, the lines themselves say it all. */
function cutsOf(span: LineSpan): readonly Cut[] {
  if (span.oldLines === 0 || span.oldLines === span.newLines) return [];
  if (span.newLines === 0) return [{ after: span.newStart, kind: 'gap' }];
  const last = span.newStart + span.newLines - 1;
  return [
    { after: span.newStart - 1, kind: 'edge' },
    { after: last, kind: 'edge' },
  ];
}

/** Places move with their lines. One within replaced lines is gone, one at their end stays at the end. */
function movedCuts(cuts: readonly Cut[], spans: readonly LineSpan[]): readonly Cut[] {
  return cuts.flatMap(({ after, kind }): readonly Cut[] => {
    let shift = 0;
    for (const span of spans) {
      const first = oldIndexOf(span);
      const end = first + span.oldLines;
      if (after < first) break;
      if (after === first && span.oldLines > 0) break;
      if (after < end) return [];
      shift += span.newLines - span.oldLines;
    }
    return [{ after: after + shift, kind }];
  });
}

function distinct(cuts: readonly Cut[]): readonly Cut[] {
  const byPlace = new Map<number, Cut>();
  for (const cut of cuts) if (byPlace.get(cut.after)?.kind !== 'gap') byPlace.set(cut.after, cut);
  return [...byPlace.values()].sort((a, b) => a.after - b.after);
}
