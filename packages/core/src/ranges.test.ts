import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LineRange } from './ranges.js';
import { joinRanges, rangesOverlap, rebaseRanges } from './ranges.js';
import type { LineSpan } from './span.js';

/** Edits of a text whose lines are numbers: `[at, removed, inserted]`, in old coordinates, ascending and apart. */
const edits = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 })), {
    maxLength: 5,
  })
  .map((steps) => {
    let at = 0;
    return steps.flatMap(([gap, removed, inserted]) => {
      if (removed + inserted === 0) return [];
      at += gap + 1;
      const edit = { at, removed, inserted };
      at += removed;
      return [edit];
    });
  });

test('[REC3b] a range moved through a diff holds exactly the lines of it that are still there', () => {
  fc.assert(
    fc.property(edits, fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 10 }), (steps, from, length) => {
      const old = Array.from({ length: 60 }, (_, index) => index + 1);
      const next: number[] = [];
      const spans: LineSpan[] = [];
      let taken = 0;
      for (const { at, removed, inserted } of steps) {
        next.push(...old.slice(taken, at));
        spans.push({
          oldStart: removed === 0 ? at : at + 1,
          oldLines: removed,
          newStart: inserted === 0 ? next.length : next.length + 1,
          newLines: inserted,
        });
        for (let index = 0; index < inserted; index++) next.push(0);
        taken = at + removed;
      }
      next.push(...old.slice(taken));
      const range: LineRange = { from, to: from + length };
      const expected = next.flatMap((line, index) => (line >= range.from && line <= range.to ? [index + 1] : []));
      const moved = rebaseRanges([range], spans).flatMap((piece) =>
        Array.from({ length: piece.to - piece.from + 1 }, (_, index) => piece.from + index),
      );
      expect(moved).toEqual(expected);
    }),
    { numRuns: 2000 },
  );
});

test('[FRE1a] ranges shown one after the other become one', () => {
  expect(
    joinRanges([
      { from: 41, to: 80 },
      { from: 1, to: 40 },
    ]),
  ).toEqual([{ from: 1, to: 80 }]);
  expect(
    joinRanges([
      { from: 1, to: 2 },
      { from: 4, to: 5 },
    ]),
  ).toHaveLength(2);
  expect(rangesOverlap([{ from: 1, to: 2 }], [{ from: 2, to: 3 }])).toBe(true);
  expect(rangesOverlap([{ from: 1, to: 2 }], [{ from: 3, to: 3 }])).toBe(false);
});
