/**
 * Lines that stand together in one text and became others in the next, 1-based as in a unified diff without context: an
 * empty side starts at the line before it, which may be line 0.
 *
 * The difference of two texts is a list of these, in memory as in the log and over HTTP. Laws:
 * - putting the new lines in the place of the old ones, span by span, makes the second text of the first, byte for byte;
 * - they ascend, none is empty on both sides, and between two of them stands at least one line that stayed.
 */
export type LineSpan = {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
};

/** Of lines `[oldFrom, oldTo)` that became lines `[newFrom, newTo)`, counted from 0. */
export function spanBetween(oldFrom: number, oldTo: number, newFrom: number, newTo: number): LineSpan {
  return {
    oldStart: oldFrom === oldTo ? oldFrom : oldFrom + 1,
    oldLines: oldTo - oldFrom,
    newStart: newFrom === newTo ? newFrom : newFrom + 1,
    newLines: newTo - newFrom,
  };
}

/** The index, from 0, of the first line that a span removes, or before which it inserts. */
export function oldIndexOf({ oldStart, oldLines }: LineSpan): number {
  return oldLines === 0 ? oldStart : oldStart - 1;
}

/** The same in the new text: of the first line that it brings, or that stands where it removed. */
export function newIndexOf({ newStart, newLines }: LineSpan): number {
  return newLines === 0 ? newStart : newStart - 1;
}

export function countLines(spans: readonly LineSpan[]): { readonly added: number; readonly removed: number } {
  let added = 0;
  let removed = 0;
  for (const span of spans) {
    added += span.newLines;
    removed += span.oldLines;
  }
  return { added, removed };
}
