import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Located } from '../apart-file.js';
import type { FileMode } from '../file.js';
import { encodeUtf8 } from '../lines/utf8.js';
import { asPath } from '../path.js';
import { contentNamed } from '../views/story.fixture.js';
import { mergeTexts, planFlow } from './merge-file.js';

/** `a=v1`, `a=v1:x` (executable), `a=v1:l` (a link); `-` is no file. */
function file(text: string): Located | null {
  if (text === '-') return null;
  const [, path, content, kind] = /^(\w+)=(\w+)(?::(\w))?$/.exec(text)!;
  const mode: FileMode = kind === 'x' ? '100755' : kind === 'l' ? '120000' : '100644';
  return { path: asPath(path!), version: { content: contentNamed(content!), mode, size: 1 } };
}

function words(located: Located | null): string {
  if (located === null) return '-';
  const { path, version } = located;
  const content = ['v1', 'v2', 'v3'].find((name) => contentNamed(name) === version.content);
  return `${path}=${content}${version.mode === '100755' ? ':x' : version.mode === '120000' ? ':l' : ''}`;
}

function flow(text: string): string {
  const [base, here, there] = text.split(' ').map(file) as [Located | null, Located | null, Located | null];
  const plan = planFlow({ base, here, there });
  if (plan.kind === 'as') return words(plan.file);
  return plan.kind === 'conflict' ? plan.reason : `texts at ${plan.path} ${plan.mode}`;
}

describe('[SYN2b] what two sides of a file come to', () => {
  test.each([
    ['a=v1 a=v1 a=v2', 'a=v2'],
    ['a=v1 a=v2 a=v1', 'a=v2'],
    ['a=v1 a=v2 a=v2', 'a=v2'],
    ['- - a=v1', 'a=v1'],
    ['- a=v1 a=v1', 'a=v1'],
    ['- a=v1 a=v2', 'both sides made a file of this name'],
    ['a=v1 - a=v1', '-'],
    ['a=v1 a=v1 -', '-'],
    ['a=v1 - -', '-'],
    ['a=v1 - a=v2', 'one side removed the file and the other changed it'],
    ['a=v1 a=v1:x a=v2', 'a=v2:x'],
    ['a=v1 b=v1 a=v2', 'b=v2'],
    ['a=v1 b=v2 a=v1', 'b=v2'],
    ['a=v1 b=v2 a=v3', 'texts at b 100644'],
    ['a=v1 b=v1 c=v1', 'both sides moved the file, to different names'],
    ['a=v1 b=v1 b=v1', 'b=v1'],
    ['a=v1 a=v2:x a=v3', 'texts at a 100755'],
    ['a=v1:l a=v2:l a=v3:l', 'both sides changed where the link leads'],
    ['a=v1 a=v1:l a=v1:x', 'both sides changed what kind of file it is'],
  ])('%s comes to %s', (sides, result) => expect(flow(sides)).toBe(result));
});

test('[SYN2c] exchanging the sides changes nothing, and what came out comes out again', () => {
  const one = fc.constantFrom('-', 'a=v1', 'a=v2', 'a=v3', 'b=v1', 'b=v2', 'a=v1:x', 'a=v2:x', 'a=v2:l');
  fc.assert(
    fc.property(one, one, one, (base, here, there) => {
      const came = flow(`${base} ${here} ${there}`);
      expect(flow(`${base} ${there} ${here}`)).toBe(came);
      if (came !== '-' && !came.includes('=')) return;
      expect(flow(`${base} ${came} ${there}`)).toBe(came);
      expect(flow(`${base} ${here} ${came}`)).toBe(came);
    }),
    { numRuns: 1000 },
  );
});

const merged = (base: string, ours: string, theirs: string) => {
  const bytes = mergeTexts(encodeUtf8(base), encodeUtf8(ours), encodeUtf8(theirs));
  return bytes === null ? null : new TextDecoder().decode(bytes);
};

test('[SYN2d] texts merge by lines with the ends that their lines have; bytes do not merge', () => {
  expect(merged('1\r\n2\r\n3\r\n4\r\n', '1a\r\n2\r\n3\r\n4\r\n', '1\r\n2\r\n3\r\n4b\r\n')).toBe(
    '1a\r\n2\r\n3\r\n4b\r\n',
  );
  expect(merged('1\n2\n3', '1\n2\n3\n', '0\n2\n3')).toBe('0\n2\n3\n');
  expect(merged('1\n', '2\n', '3\n')).toBeNull();
  expect(merged('1\n2\n3\n4\0\n', '0\n2\n3\n4\0\n', '1\n2\n3\n5\0\n')).toBeNull();
});
