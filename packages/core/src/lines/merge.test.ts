import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MergeResult, mergeLines, renderConflict } from './merge.js';
import { latin1, smallText, text } from './text.fixture.js';

const RUNS = 2000;

/** A clean text as its lines; a conflict as `[base/ours/theirs]` among them. */
function show(result: MergeResult): string {
  const words = (part: Uint8Array) => latin1(part).replaceAll('\r\n', '| ').replaceAll('\n', ' ').trim();
  if (result.kind === 'clean') return words(result.bytes);
  return result.chunks
    .map((chunk) =>
      chunk.kind === 'same' ? words(chunk.bytes) : `[${words(chunk.base)}/${words(chunk.ours)}/${words(chunk.theirs)}]`,
    )
    .join(' ');
}

/** Where the first `part` at or after `from` ends, or -1. */
function endOfFirst(whole: string, part: string, from: number): number {
  const at = whole.indexOf(part, from);
  return at < 0 ? -1 : at + part.length;
}

describe('merge laws', () => {
  test('[COR4a] a side that changed nothing gives way, and equal sides are kept', () => {
    fc.assert(
      fc.property(smallText, smallText, (a, b) => {
        for (const triple of [
          [a, a, b],
          [a, b, a],
          [a, b, b],
        ] as const) {
          const merged = mergeLines(...triple);
          expect(merged.kind === 'clean' && latin1(merged.bytes)).toBe(latin1(b));
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('[COR4b] exchanging the sides changes neither the verdict nor a clean result', () => {
    fc.assert(
      fc.property(smallText, smallText, smallText, (base, ours, theirs) => {
        const [one, other] = [mergeLines(base, ours, theirs), mergeLines(base, theirs, ours)];
        expect(other.kind).toBe(one.kind);
        if (one.kind === 'clean') expect(other).toEqual(one);
      }),
      { numRuns: RUNS },
    );
  });

  test('[COR4c] a conflict is a real difference, and base lines stand in it at most once', () => {
    fc.assert(
      fc.property(smallText, smallText, smallText, (base, ours, theirs) => {
        const merged = mergeLines(base, ours, theirs);
        if (merged.kind === 'clean') return;
        const conflicts = merged.chunks.filter((chunk) => chunk.kind === 'conflict');
        expect(conflicts.length).toBeGreaterThan(0);
        for (const chunk of conflicts) expect(latin1(chunk.ours)).not.toBe(latin1(chunk.theirs));
        const inOrder = conflicts.reduce(
          (from, chunk) => (from < 0 ? from : endOfFirst(latin1(base), latin1(chunk.base), from)),
          0,
        );
        expect(inOrder).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: RUNS },
    );
  });

  test.each([
    ['distant edits', 'a b c d e', 'x b c d e', 'a b c d y', 'x b c d y'],
    ['one line between edits is enough', 'a b c', 'x b c', 'a b y', 'x b y'],
    ['adjacent edits conflict', 'a b c d', 'a x c d', 'a b y d', 'a [b c/x c/b y] d'],
    ['two insertions at one place conflict', 'a b', 'a x b', 'a y b', 'a [/x/y] b'],
    ['equal insertions are one', 'a b', 'a x b', 'a x b', 'a x b'],
    ['equal edits beside another edit', 'a b c d e', 'x b c d y', 'x b c d e', 'x b c d y'],
    ['an edit against a deletion', 'a b c', 'a x c', 'a c', 'a [b/x/] c'],
    ['both delete', 'a b c d', 'a d', 'a d', 'a d'],
    ['what both added stays out of the conflict', 'q', 'a b c', 'a x c', 'a [q/b/x] c'],
    ['conflicts three lines apart are one', 'a 1 2 3 b', 'x 1 2 3 y', 'u 1 2 3 v', '[a 1 2 3 b/x 1 2 3 y/u 1 2 3 v]'],
    ['conflicts four lines apart are two', 'a 1 2 3 4 b', 'x 1 2 3 4 y', 'u 1 2 3 4 v', '[a/x/u] 1 2 3 4 [b/y/v]'],
    [
      'conflicts with only signs between are one',
      'a { } ( ) b',
      'x { } ( ) y',
      'u { } ( ) v',
      '[a { } ( ) b/x { } ( ) y/u { } ( ) v]',
    ],
    ['an empty base', '', 'a b', 'a c', 'a [/b/c]'],
    ['a lost newline against an edit above', 'a b c', 'a b c.', 'x b c', 'x b c'],
    ['a lost newline against an edit of the line', 'a b', 'a b.', 'a c', 'a [b/b/c]'],
  ])('[COR4c] %s', (_, base, ours, theirs, expected) => {
    expect(show(mergeLines(text(base), text(ours), text(theirs)))).toBe(expected);
  });

  test('[COR4d] conflict markers end as the text around them does', () => {
    const render = (base: string, ours: string, theirs: string) => {
      const merged = mergeLines(text(base), text(ours), text(theirs));
      return merged.kind === 'clean' ? 'clean' : latin1(renderConflict(merged.chunks, { ours: 'é', theirs: 'T' }));
    };
    expect(render('a b c', 'a x c', 'a y c')).toBe('a\n<<<<<<< Ã©\nx\n=======\ny\n>>>>>>> T\nc\n');
    expect(render('a| b| c|', 'a| x| c|', 'a| y| c|')).toBe(
      'a\r\n<<<<<<< Ã©\r\nx\r\n=======\r\ny\r\n>>>>>>> T\r\nc\r\n',
    );
    expect(render('a b.', 'a x.', 'a y.')).toBe('a\n<<<<<<< Ã©\nx\n=======\ny\n>>>>>>> T\n');
  });
});
