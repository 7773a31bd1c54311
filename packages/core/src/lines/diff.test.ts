import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countLines, type LineSpan, newIndexOf, oldIndexOf } from '../span.js';
import { diffLines, NumberedDiff } from './diff.js';
import { DEFAULT_EFFORT, roughRoot } from './effort.js';
import { LineTable } from './intern.js';
import { bytes, smallText, text } from './text.fixture.js';
import { concatBytes, sliceLines, splitLines } from './text.js';
import { hunksOf } from './unified.js';

/** The difference, or its hunks, as in a unified diff's headers. */
function spans(a: string, b: string): string {
  return headers(diffLines(text(a), text(b)));
}

function hunks(a: string, b: string, context: number): string {
  return headers(
    hunksOf(diffLines(text(a), text(b)), splitLines(text(a)).count, context).map(({ covered }) => covered),
  );
}

function headers(found: readonly LineSpan[]): string {
  return found.map((span) => `-${span.oldStart},${span.oldLines} +${span.newStart},${span.newLines}`).join(' ');
}

function rebuild(a: Uint8Array, b: Uint8Array, found: readonly LineSpan[]): Uint8Array {
  const [oldLines, newLines] = [splitLines(a), splitLines(b)];
  const parts: Uint8Array[] = [];
  let done = 0;
  for (const span of found) {
    const [from, added] = [oldIndexOf(span), newIndexOf(span)];
    parts.push(sliceLines(oldLines, done, from), sliceLines(newLines, added, added + span.newLines));
    done = from + span.oldLines;
  }
  return concatBytes([...parts, sliceLines(oldLines, done, oldLines.count)]);
}

describe('[REC3a] spans are no larger than they need be', () => {
  test.each([
    ['equal texts have no span', 'a b c', 'a b c', ''],
    ['one inserted line is one added line', 'a b c', 'a x b c', '-1,0 +2,1'],
    ['one inserted line among its likes is one added line', 'a a a', 'a a a a', '-3,0 +4,1'],
    ['one removed line is one removed line', 'a b c', 'a c', '-2,1 +1,0'],
    ['two distant edits are two spans', 'a b c d e', 'x b c d y', '-1,1 +1,1 -5,1 +5,1'],
    ['edits on neighbouring lines are one', 'a b c d', 'a x y d', '-2,2 +2,2'],
    ['a text that begins', '', 'a b', '-0,0 +1,2'],
    ['a text that ends', 'a b', '', '-1,2 +0,0'],
    ['a lost final newline is a change of the last line', 'a b', 'a b.', '-2,1 +2,1'],
    ['a changed terminator is a change of the line', 'a b c', 'a b| c', '-2,1 +2,1'],
    ['a moved block is removed once and added once', 'a b c d e f', 'c d e f a b', '-1,2 +0,0 -6,0 +5,2'],
  ])('[REC3a] %s', (_, a, b, expected) => {
    expect(spans(a, b)).toBe(expected);
  });

  test.each([
    ['two distant edits are two hunks', 'a b c d e', 'x b c d y', 0, '-1,1 +1,1 -5,1 +5,1'],
    ['an insertion starts at the line before', 'a b', 'a x b', 0, '-1,0 +2,1'],
    ['an insertion at the top starts at line 0', 'a', 'x a', 0, '-0,0 +1,1'],
    ['a removal starts at the line before on the new side', 'a b c', 'a c', 0, '-2,1 +1,0'],
    ['a created text', '', 'a b', 3, '-0,0 +1,2'],
    ['contexts that touch share a hunk', 'a b c d e f', 'x b c d e y', 2, '-1,6 +1,6'],
    ['contexts that do not touch do not', 'a b c d e f g', 'x b c d e f y', 2, '-1,3 +1,3 -5,3 +5,3'],
  ])('[REC3a] %s', (_, a, b, context, expected) => {
    expect(hunks(a, b, context)).toBe(expected);
  });
});

test('[COR1b] spans turn one text into the other, ascending and apart', () => {
  fc.assert(
    fc.property(smallText, smallText, (a, b) => {
      const found = diffLines(a, b);
      expect(rebuild(a, b, found)).toEqual(b);
      let free = { old: -1, new: -1 };
      for (const span of found) {
        expect(oldIndexOf(span)).toBeGreaterThan(free.old);
        expect(newIndexOf(span)).toBeGreaterThan(free.new);
        expect(span.oldLines + span.newLines).toBeGreaterThan(0);
        free = { old: oldIndexOf(span) + span.oldLines, new: newIndexOf(span) + span.newLines };
      }
    }),
    { numRuns: 2000 },
  );
});

test('[COR1b] lines with equal hashes in a crowded table stay apart', () => {
  const whole = Array.from({ length: 20_000 }, (_, i) => `${(i * 7919) % 15_000}\n`);
  const table = new LineTable(0);
  const ids = table.intern(splitLines(bytes(whole.join(''))));
  expect(table.size).toBe(15_000);
  const lineOf = new Map<number, string>();
  for (const [i, id] of ids.entries()) {
    expect(lineOf.get(id) ?? whole[i]).toBe(whole[i]);
    lineOf.set(id, whole[i]!);
  }
  expect(lineOf.size).toBe(15_000);
});

describe('effort is bounded', () => {
  const LINES = 6_000;
  const shuffled = (seed: number) =>
    fc.sample(fc.shuffledSubarray([...Array(LINES).keys()], { minLength: LINES }), { seed, numRuns: 1 })[0]!;
  const cases: readonly (readonly [string, (i: number) => number, readonly number[]])[] = [
    ['a shuffle', (i) => i, shuffled(1)],
    ['a reversal', (i) => i, Array.from({ length: LINES }, (_, i) => LINES - 1 - i)],
    ['two unlike mixtures of the same few lines', (i) => (i * i) % 7, shuffled(2).map((i) => i % 5)],
    ['nothing in common', (i) => i, Array.from({ length: LINES }, (_, i) => i + LINES)],
  ];
  test.each(cases)('[COR6a] %s ends within the bound and is correct', (_, lineAt, shape) => {
    const oldNumbers = Array.from({ length: LINES }, (_, i) => lineAt(i));
    const toBytes = (numbers: readonly number[]) => bytes(numbers.map((n) => `${n}\n`).join(''));
    const [a, b] = [toBytes(oldNumbers), toBytes(shape)];
    expect(rebuild(a, b, diffLines(a, b))).toEqual(b);

    const table = new LineTable(LINES);
    const [oldIds, newIds] = [table.intern(splitLines(a)), table.intern(splitLines(b))];
    const diff = new NumberedDiff(table.size, DEFAULT_EFFORT);
    diff.walk(oldIds, newIds);
    const costLimit = Math.max(DEFAULT_EFFORT.leastCost, roughRoot(2 * LINES + 3));
    expect(diff.steps).toBeLessThan(2 * LINES * costLimit * 4);
  });

  test('[COR6a] less effort gives a coarser difference that is still correct', () => {
    const toBytes = (numbers: readonly number[]) => bytes(numbers.map((n) => `${n}\n`).join(''));
    const [a, b] = [toBytes([...Array(LINES).keys()]), toBytes(shuffled(3))];
    const hurried = diffLines(a, b, { leastCost: 4, shortcutCost: 2, shortcutRun: 2 });
    expect(rebuild(a, b, hurried)).toEqual(b);
    expect(countLines(hurried).added).toBeGreaterThanOrEqual(countLines(diffLines(a, b)).added);
  });
});
