import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytes, counted } from './amount.js';
import { diffText } from './diff.js';
import { harmless, harmlessJson, harmlessJsonLine, harmlessLines } from './harmless.js';
import { paintFor, wantsColour } from './paint.js';
import { plainStyle } from './plain.js';
import { type Column, table } from './table.js';
import { ago } from './time.js';
import { padEnd, shorten, widthOf } from './width.js';

const { paint } = plainStyle();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** What a terminal could obey: any control character, in one byte or two, and direction marks. */
const OBEYED = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

describe('harmless', () => {
  test.each([
    ['a\u001b[31mb', 'a␛[31mb'],
    ['a\nb', 'a␊b'],
    ['a\tb', 'a␉b'],
    ['\u0007', '␇'],
    ['\u007f', '␡'],
    ['\u009b31m', '<U+009B>31m'],
    ['evil\u202etxt.exe', 'evil<U+202E>txt.exe'],
    ['\ud800x', '\ufffdx'],
    ['naïve 日本 👩‍💻', 'naïve 日本 👩‍💻'],
  ])('[SEC4g] %j is shown as %s', (text, shown) => expect(harmless(text)).toBe(shown));

  test('[SEC4g] in text of several lines only line ends and tabs stay', () => {
    expect(harmlessLines('a\tb\r\n\u001b]0;x\u0007c')).toBe('a\tb␍\n␛]0;x␇c');
  });

  test('[SEC4g] no text whatever gets a control character through', () => {
    const wild = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(
        wild,
        (text) => !/[\n\t]/.test(harmless(text)) && !OBEYED.test(harmless(text)) && !OBEYED.test(harmlessLines(text)),
      ),
    );
    fc.assert(fc.property(wild, (text) => !OBEYED.test(diffText(`+${text}\n-${text}`, paint))));
  });

  test('[SEC4g] JSON keeps its meaning and holds no control character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const [document, line] = [harmlessJson({ text }), harmlessJsonLine({ text })];
        expect(JSON.parse(document)).toEqual({ text });
        expect(JSON.parse(line)).toEqual({ text });
        return !OBEYED.test(document) && !OBEYED.test(line) && !line.includes('\n');
      }),
    );
  });
});

describe('width', () => {
  test.each([
    ['abc', 3],
    ['日本', 4],
    ['é', 1],
    ['e\u0301', 1],
    ['👩‍💻', 2],
    ['한글', 4],
    ['', 0],
  ])('[INT3a] %s takes %d columns', (text, columns) => expect(widthOf(text)).toBe(columns));

  test('[INT3a] what is shortened fits, and what fits is not shortened', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }).map(harmless), fc.nat(30), (text, width) => {
        const short = shorten(text, width);
        return widthOf(short) <= Math.max(width, 0) && (widthOf(text) > width || short === text);
      }),
    );
  });

  test('[INT3a] padding reaches the width', () => expect(widthOf(padEnd('日本', 7))).toBe(7));
});

describe('table', () => {
  const columnsOf = (paint?: (text: string) => string): readonly Column<readonly string[]>[] => [
    { title: 'NAME', yields: true, text: ([name]) => name!, paint: () => paint },
    { title: 'SIZE', align: 'right', text: ([, size]) => size! },
    { title: 'END', text: ([, , end]) => end! },
  ];

  test('[INT3a] columns are aligned by what is seen, not by code units', () => {
    const rows = ['日本 5 x', 'a 12 y'].map((row) => row.split(' '));
    const text = table(columnsOf(), rows, { width: null, paint });
    expect(text).toBe(['NAME  SIZE  END', '日本     5  x', 'a       12  y'].join('\n'));
  });

  test('[INT3a] on a narrow terminal the long column gives way', () => {
    const lines = table(columnsOf(), [['x'.repeat(80), '1', 'end']], { width: 40, paint }).split('\n');
    expect(lines.map(widthOf).every((width) => width <= 40)).toBe(true);
    expect(lines[1]).toContain('…');
  });

  test('[INT3a] colours do not disturb the columns', () => {
    const loud = (text: string) => `\u001b[1m${text}\u001b[0m`;
    const [plain, painted] = [undefined, loud].map((how) =>
      table(columnsOf(how), [['a', '1', 'z']], { width: null, paint }),
    );
    expect(painted).toContain(loud('a   '));
    expect(stripVTControlCharacters(painted!)).toBe(plain);
  });
});

describe('times, amounts and colours', () => {
  const now = Date.parse('2026-11-15T12:00:00Z');

  test.each([
    [1000, 'just now'],
    [30_000, '30 s ago'],
    [5 * MINUTE, '5 min ago'],
    [3 * HOUR, '3 h ago'],
    [30 * HOUR, 'yesterday'],
    [72 * HOUR, '3 days ago'],
    [24 * 40 * HOUR, '2026-10-06'],
    [-HOUR, '2026-11-15 13:00 UTC (ahead of this clock)'],
  ])('[INT3b] %d ms is %s', (passed, words) => expect(ago(now - passed, now)).toBe(words));

  test('[INT3b] amounts are said as people say them', () => {
    expect([bytes(0), bytes(1536), bytes(200 * 1024 * 1024)]).toEqual(['0 B', '1.5 KiB', '200 MiB']);
    expect([counted(0, 'change'), counted(1, 'change'), counted(2, 'change')]).toEqual([
      'no changes',
      '1 change',
      '2 changes',
    ]);
  });

  test('[INT3c] colour only on a terminal, and never with NO_COLOR', () => {
    expect(wantsColour({ isTerminal: true, environment: {} })).toBe(true);
    expect(wantsColour({ isTerminal: false, environment: {} })).toBe(false);
    expect(wantsColour({ isTerminal: true, environment: { NO_COLOR: '1' } })).toBe(false);
    expect(wantsColour({ isTerminal: true, environment: { NO_COLOR: '' } })).toBe(true);
    expect(wantsColour({ isTerminal: true, environment: { TERM: 'dumb' } })).toBe(false);
    expect(paintFor({ isTerminal: false, environment: {} }).bad('x')).toBe('x');
    expect(paintFor({ isTerminal: true, environment: {} }).bad('x')).toContain('\u001b[');
  });

  test('[INT3c] an uncoloured diff is the patch itself', () => {
    const patch = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n';
    expect(diffText(patch, paint)).toBe(patch);
    expect(stripVTControlCharacters(diffText(patch, paintFor({ isTerminal: true, environment: {} })))).toBe(patch);
  });
});
