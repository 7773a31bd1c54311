import { expect, test } from 'vitest';
import { isNestedTooDeeply, NESTING_LIMIT } from './json-nesting.js';

test.each([
  ['lists up to the limit', '['.repeat(NESTING_LIMIT) + ']'.repeat(NESTING_LIMIT), false],
  ['lists beyond it', '['.repeat(NESTING_LIMIT + 1), true],
  ['objects beyond it', '{"a":'.repeat(NESTING_LIMIT + 1), true],
  ['brackets in a string', JSON.stringify({ text: '['.repeat(10_000) }), false],
  ['quotes in a string', JSON.stringify({ text: '\\"['.repeat(10_000) }), false],
  ['many side by side', JSON.stringify(Array.from({ length: 10_000 }, () => [{}])), false],
  ['a string without an end', '"[[[', false],
])('[SEC4i] %s', (_, text, tooDeep) => expect(isNestedTooDeeply(text)).toBe(tooDeep));
