import { expect, test } from 'vitest';
import { pathGlob } from './path-glob.js';

test.each([
  ['lib/*.ts', 'lib/a.ts', true],
  ['lib/*.ts', 'lib/sub/a.ts', false],
  ['lib/**', 'lib/sub/a.ts', true],
  ['lib/**', 'library/a.ts', false],
  ['**/a.ts', 'a.ts', true],
  ['**/a.ts', 'x/y/a.ts', true],
  ['src/**/test/*.ts', 'src/a/test/b/test/c.ts', true],
  ['a?.ts', 'ab.ts', true],
  ['a?.ts', 'a.ts', false],
  ['a?.ts', 'a😀.ts', true],
  ['*.d.ts', 'x.d.d.ts', true],
])('[REV1g] %s and %s: %s', (pattern, path, fits) => {
  expect(pathGlob(pattern)?.(path)).toBe(fits);
});

test('[REV1g] a plain name is no pattern, and a hostile pattern ends', () => {
  expect(pathGlob('lib/a[1].ts')).toBeNull();
  expect(pathGlob(`${'*a'.repeat(200)}b`)?.('a'.repeat(4000))).toBe(false);
  expect(pathGlob(`${'**/a/'.repeat(200)}b`)?.('a/'.repeat(2000))).toBe(false);
});
