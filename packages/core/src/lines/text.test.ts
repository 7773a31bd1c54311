import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tallyLines } from './tally.js';
import { bytes, latin1, smallText } from './text.fixture.js';
import { differingLines, isBinary, lineCount, sliceLines, splitLines, terminatorOf } from './text.js';
import { decodeUtf8, encodeUtf8 } from './utf8.js';

function linesOf(text: string): readonly string[] {
  const lines = splitLines(bytes(text));
  return Array.from({ length: lines.count }, (_, i) => latin1(sliceLines(lines, i, i + 1)));
}

test.each([
  ['', []],
  ['a', ['a']],
  ['\n', ['\n']],
  ['a\nb', ['a\n', 'b']],
  ['a\r\nb\n', ['a\r\n', 'b\n']],
  ['a\rb\n', ['a\rb\n']],
  ['\r', ['\r']],
  ['\0\n\xff\n\n', ['\0\n', '\xff\n', '\n']],
])('[COR1a] %j splits into lines that keep their bytes', (whole, lines) => {
  expect(linesOf(whole)).toEqual(lines);
  expect(lineCount(bytes(whole))).toBe(lines.length);
});

test('[COR1a] a line knows how it ends', () => {
  const lines = splitLines(bytes('a\r\n\n\r\nb\r'));
  expect([0, 1, 2, 3].map((i) => terminatorOf(lines, i))).toEqual(['crlf', 'lf', 'crlf', 'none']);
});

test('[COR1c] a NUL within the first 8000 bytes means binary, as in git', () => {
  expect(isBinary(bytes(`${'a'.repeat(7999)}\0`))).toBe(true);
  expect(isBinary(bytes(`${'a'.repeat(8000)}\0`))).toBe(false);
  expect(isBinary(bytes(''))).toBe(false);
});

test.each(['', 'plain', 'é', '漢字', '🪶 a', '\u{10ffff}\u0000'])('[COR3d] %j survives UTF-8', (text) => {
  expect(encodeUtf8(text)).toEqual(new Uint8Array(Buffer.from(text)));
  expect(decodeUtf8(encodeUtf8(text))).toBe(text);
});

test.each(['\xff', '\xc3', '\xc0\x80', '\xed\xa0\x80', '\xf4\x90\x80\x80', 'a\x80', '\xe2\x28\xa1'])(
  '[COR3d] %j is not UTF-8 and is not made into another text',
  (text) => {
    expect(decodeUtf8(bytes(text))).toBeNull();
  },
);

test('[COR1d] what differs has as many more and fewer of each line as the whole texts have', () => {
  const surplus = (a: Uint8Array, b: Uint8Array) => {
    const [left, right] = [tallyLines(a).counts, tallyLines(b).counts];
    const lines = new Set([...left.keys(), ...right.keys()]);
    const more = [...lines].map((line) => [line, (left.get(line) ?? 0) - (right.get(line) ?? 0)] as const);
    return new Map(more.filter(([, count]) => count !== 0));
  };
  fc.assert(
    fc.property(smallText, smallText, smallText, (head, middle, other) => {
      const [a, b] = [latin1(head) + latin1(middle) + latin1(head), latin1(head) + latin1(other) + latin1(head)];
      expect(surplus(...differingLines(bytes(a), bytes(b)))).toEqual(surplus(bytes(a), bytes(b)));
    }),
  );
});
