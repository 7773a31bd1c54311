import type { HunkJson } from '@palimpsest/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SEED } from '../../../../test/search.fixture.js';
import { fileText } from './file-text.js';
import { harmless } from './harmless.js';
import { piecesOf } from './pieces.js';
import { type Row, rowsOf } from './rows.js';
import { sideBySide } from './sides.js';
import { wordMarks } from './words.js';

const text = (lines: string) => fileText(new TextEncoder().encode(lines));
const hunk = (oldStart: number, oldLines: number, newStart: number, newLines: number): HunkJson => ({
  ...{ id: 'c1.1.1', status: 'pending', oldStart, oldLines, newStart, newLines },
});
/** Each row as it would stand in a unified diff; a fold as `~` and its length. */
const SIGNS = { hunk: '@', same: ' ', removed: '-', added: '+', fold: '~', 'open-end': '\\' };
const drawn = (rows: readonly Row[]) =>
  rows.map((row) => `${SIGNS[row.kind]}${'text' in row ? row.text : row.kind === 'fold' ? row.lines : ''}`);
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`).join('');

describe('rows', () => {
  test('[UI4a] far from a hunk unchanged lines are folded, and a fold opens', () => {
    const before = text(numbered(1, 20));
    const after = text(`${numbered(1, 9)}x\n${numbered(11, 20)}`);
    const change = { hunks: [hunk(10, 1, 10, 1)] };
    expect(drawn(rowsOf(change, before, after)).join('|')).toBe('~6| 7| 8| 9|@|-10|+x| 11| 12| 13|~7');
    expect(drawn(rowsOf(change, before, after, new Set([1]))).slice(0, 7)).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((line) => ` ${line}`),
    );
  });

  test('[UI4a] a created, a removed and an emptied file', () => {
    expect(drawn(rowsOf({ hunks: [hunk(0, 0, 1, 2)] }, text(''), text('a\nb\n')))).toEqual(['@', '+a', '+b']);
    expect(drawn(rowsOf({ hunks: [hunk(1, 2, 0, 0)] }, text('a\nb\n'), text('')))).toEqual(['@', '-a', '-b']);
  });

  test('[UI4a] a line without an end says so on its side', () => {
    expect(drawn(rowsOf({ hunks: [hunk(1, 1, 1, 1)] }, text('a'), text('a\n')))).toEqual(['@', '-a', '\\', '+a']);
  });

  test('[UI4a] side by side what came stands beside what went', () => {
    const rows = rowsOf({ hunks: [hunk(2, 1, 2, 2)] }, text('a\nb\nc\n'), text('a\nB\nBB\nc\n'));
    const pairs = sideBySide(rows).map((row) =>
      row.kind === 'pair' ? `${row.left?.text ?? ''}|${row.right?.text ?? ''}` : row.kind,
    );
    expect(pairs).toEqual(['a|a', 'hunk', 'b|B', '|BB', 'c|c']);
  });
});

describe('words', () => {
  const marked = (a: string, b: string) => {
    const marks = wordMarks(a, b);
    return marks && [marks.old.map(([x, y]) => a.slice(x, y)), marks.new.map(([x, y]) => b.slice(x, y))];
  };

  test('[UI4b] what differs within a line is marked by words', () => {
    expect(marked('return price * qty;', 'return price * amount;')).toEqual([['qty'], ['amount']]);
    expect(marked('f(a, b)', 'f(a, b, c)')).toEqual([[], [', c']]);
    expect(marked('wholly other', 'nothing alike here')).toBeNull();
  });

  test('[UI4b] pieces of a line are the line, whatever its colours and marks', () => {
    const line = fc.string({ maxLength: 30 });
    const spans = fc.array(fc.tuple(fc.nat(40), fc.constantFrom('keyword', null)), { maxLength: 6 });
    fc.assert(
      fc.property(line, line, spans, (a, b, colours) => {
        const marks = wordMarks(a, b)?.old ?? [];
        const pieces = piecesOf(a, colours, marks);
        expect(pieces.map((piece) => piece.text).join('')).toBe(a);
        const inMarks = marks.reduce((sum, [from, to]) => sum + to - from, 0);
        expect(pieces.reduce((sum, piece) => sum + (piece.marked ? piece.text.length : 0), 0)).toBe(inMarks);
      }),
      { seed: SEED },
    );
  });
});

test('[UI5a] what turns the direction of writing or cannot be seen is shown as what it is', () => {
  expect(harmless('a\u202eb\u001b[31m\tc\u200b')).toBe('a⟨202e⟩b⟨1b⟩[31m\tc⟨200b⟩');
});
