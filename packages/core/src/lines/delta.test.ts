import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { composeDeltas } from './compose.js';
import { applyDelta, type Delta, deltaBetween, invertDelta, mapRange, resultLines } from './delta.js';
import { deltaFromJson, deltaToJson } from './delta-json.js';
import { bytes, latin1, smallText, text } from './text.fixture.js';
import { equalBytes, lineCount, sliceLines, splitLines } from './text.js';

const RUNS = 1500;

function applied(delta: Delta, base: Uint8Array): string {
  const result = applyDelta(delta, base);
  return result.ok ? latin1(result.value) : `refused: ${result.error.code}`;
}

test('[COR1] applying what lies between two texts gives the second, and inverting gives the first', () => {
  fc.assert(
    fc.property(smallText, smallText, (a, b) => {
      const delta = deltaBetween(a, b);
      expect(applied(delta, a)).toBe(latin1(b));
      expect(applied(invertDelta(delta), b)).toBe(latin1(a));
      expect(invertDelta(invertDelta(delta))).toEqual(delta);
      expect(resultLines(delta)).toBe(lineCount(b));
    }),
    { numRuns: RUNS },
  );
});

test('[COR1] a delta applies to another text of as many lines only if its edits do not touch what differs', () => {
  fc.assert(
    fc.property(smallText, smallText, fc.nat(20), (a, b, at) => {
      const delta = deltaBetween(a, b);
      const lines = splitLines(a);
      if (lines.count < 2) return;
      const line = at % (lines.count - 1);
      const other = bytes(
        `${latin1(sliceLines(lines, 0, line))}other\n${latin1(sliceLines(lines, line + 1, lines.count))}`,
      );
      const touches = delta.edits.some((edit) => edit.start <= line && line < edit.end);
      expect(applyDelta(delta, other).ok).toBe(!touches);
    }),
    { numRuns: RUNS },
  );
});

test.each([
  ['a b c', 'a x c', 'a y c', 'base-differs'],
  ['a b c', 'a x c', 'a b', 'base-length'],
  ['a b c', 'a x c', 'a b c d', 'base-length'],
  ['a b c', 'a b c d', 'a b c.', 'unterminated'],
])('[COR1] %j to %j is refused on %j: %s', (a, b, other, code) => {
  expect(applied(deltaBetween(text(a), text(b)), text(other))).toBe(`refused: ${code}`);
});

test('[COR1] a text inserted without a newline does not run into the next line', () => {
  const delta: Delta = { baseLines: 1, edits: [{ start: 0, end: 0, removed: bytes(''), inserted: bytes('x') }] };
  expect(applied(delta, text('a'))).toBe('refused: unterminated');
});

test('[COR1] a delta is any bytes in plain JSON, and back', () => {
  fc.assert(
    fc.property(smallText, smallText, (a, b) => {
      const delta = deltaBetween(a, b);
      expect(deltaFromJson(JSON.parse(JSON.stringify(deltaToJson(delta))))).toEqual({ ok: true, value: delta });
    }),
    { numRuns: RUNS },
  );
  const every = deltaBetween(
    bytes(''),
    Uint8Array.from({ length: 10_000 }, (_, i) => i & 0xff),
  );
  expect(deltaFromJson(JSON.parse(JSON.stringify(deltaToJson(every))))).toEqual({ ok: true, value: every });
});

test.each([
  [null],
  [{ baseLines: -1, edits: [] }],
  [{ baseLines: 1.5, edits: [] }],
  [{ baseLines: 1 }],
  [{ baseLines: 1, edits: [{ start: 0, end: 1, removed: 'a\n', inserted: 7 }] }],
  [{ baseLines: 1, edits: [{ start: 0, end: 1, removed: 'a\n', inserted: 'Ā' }] }],
  [{ baseLines: 1, edits: [{ start: 0, end: 2, removed: 'a\nb\n', inserted: '' }] }],
  [{ baseLines: 3, edits: [{ start: 0, end: 1, removed: 'a\nb\n', inserted: '' }] }],
  [{ baseLines: 3, edits: [{ start: 0, end: 0, removed: '', inserted: '' }] }],
  [
    {
      baseLines: 3,
      edits: [
        { start: 0, end: 1, removed: 'a\n', inserted: '' },
        { start: 1, end: 2, removed: 'b\n', inserted: '' },
      ],
    },
  ],
])('[COR1] %j is not a delta', (value) => {
  expect(deltaFromJson(value)).toMatchObject({ ok: false, error: { code: 'malformed-delta' } });
});

describe('[COR2] compose and map', () => {
  test('[COR2] two deltas in a row are one delta', () => {
    fc.assert(
      fc.property(smallText, smallText, smallText, (a, b, c) => {
        const composed = composeDeltas(deltaBetween(a, b), deltaBetween(b, c));
        expect(applied(composed, a)).toBe(latin1(c));
        expect(applied(invertDelta(composed), c)).toBe(latin1(a));
        expect(deltaFromJson(deltaToJson(composed)).ok).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  test('[COR2] composing is associative in effect, and a delta with its inverse is nothing', () => {
    fc.assert(
      fc.property(smallText, smallText, smallText, smallText, (a, b, c, d) => {
        const [ab, bc, cd] = [deltaBetween(a, b), deltaBetween(b, c), deltaBetween(c, d)];
        expect(applied(composeDeltas(composeDeltas(ab, bc), cd), a)).toBe(latin1(d));
        expect(applied(composeDeltas(ab, composeDeltas(bc, cd)), a)).toBe(latin1(d));
        expect(composeDeltas(ab, invertDelta(ab)).edits).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test('[COR2] distant edits of two deltas stay apart', () => {
    const composed = composeDeltas(
      deltaBetween(text('a b c d e'), text('a b c d y')),
      deltaBetween(text('a b c d y'), text('x z b c d y')),
    );
    expect(composed.edits.map(({ start, end }) => `${start}-${end}`)).toEqual(['0-1', '4-5']);
  });

  test('[COR2] deltas that do not follow one another are a bug', () => {
    const ab = deltaBetween(text('a'), text('b'));
    expect(() => composeDeltas(ab, deltaBetween(text('a b'), text('c')))).toThrow(RangeError);
    expect(() => composeDeltas(ab, deltaBetween(text('x'), text('c')))).toThrow(RangeError);
  });

  test('[COR2] a range that was kept has its bytes at the new place; one that was deleted is empty', () => {
    fc.assert(
      fc.property(smallText, smallText, fc.nat(15), fc.nat(15), (a, b, x, y) => {
        const [oldLines, newLines] = [splitLines(a), splitLines(b)];
        const [from, to] = [Math.min(x, y, oldLines.count), Math.min(Math.max(x, y), oldLines.count)];
        const mapped = mapRange(deltaBetween(a, b), { from, to });
        expect(mapped.from).toBeLessThanOrEqual(mapped.to);
        expect(mapped.to).toBeLessThanOrEqual(newLines.count);
        const before = sliceLines(oldLines, from, to);
        const after = sliceLines(newLines, mapped.from, mapped.to);
        if (mapped.fate === 'kept') expect(equalBytes(before, after)).toBe(true);
        expect(mapped.fate === 'deleted').toBe(from < to && mapped.from === mapped.to);
      }),
      { numRuns: RUNS },
    );
  });

  test.each([
    ['a b c', 'a b c', '1-2', '1-2 kept'],
    ['a b c', 'x y a b c', '1-2', '3-4 kept'],
    ['a b c', 'a x b c', '1-2', '2-3 kept'],
    ['a b c', 'a b x c', '1-2', '1-2 kept'],
    ['a b c', 'a b x c', '1-3', '1-4 changed'],
    ['a b c', 'a x y c', '1-2', '1-3 changed'],
    ['a b c', 'a x y c', '0-2', '0-3 changed'],
    ['a b c', 'a c', '1-2', '1-1 deleted'],
    ['a b c', 'a c', '0-2', '0-1 changed'],
    ['a b c', 'a c', '2-3', '1-2 kept'],
    ['a b c', 'a x b c', '1-1', '1-1 kept'],
    ['a b c', 'x y', '1-1', '0-0 changed'],
  ])('[COR2] %j to %j: lines %s are at %s', (a, b, range, expected) => {
    const [from, to] = range.split('-').map(Number) as [number, number];
    const mapped = mapRange(deltaBetween(text(a), text(b)), { from, to });
    expect(`${mapped.from}-${mapped.to} ${mapped.fate}`).toBe(expected);
  });
});
