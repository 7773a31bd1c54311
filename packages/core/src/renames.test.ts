import { expect, test } from 'vitest';
import { asPath } from './path.js';
import { pairRenames } from './renames.js';
import { contentNamed } from './views/story.fixture.js';

/** `-a:x +b:x` says that `a` with content `x` vanished and `b` with the same appeared; `0` is the empty content. */
function paired(text: string): string {
  const moves = text.split(' ').map((word) => {
    const [path = '', name = ''] = word.slice(1).split(':');
    const version = { content: contentNamed(name), mode: '100644' as const, size: name === '0' ? 0 : 1 };
    return word.startsWith('-')
      ? { path: asPath(path), before: version, after: null }
      : { path: asPath(path), before: null, after: version };
  });
  return [...pairRenames(moves)].map(([to, from]) => `${from}>${to}`).join(' ');
}

test('[CAP2] a file that vanished and appeared elsewhere was renamed', () => expect(paired('-a:x +b:x')).toBe('a>b'));
test('[CAP2] other content is another file', () => expect(paired('-a:x +b:y')).toBe(''));
test('[CAP2] the same name in another folder is preferred', () =>
  expect(paired('-d/a:x -d/b:x +e/b:x +e/a:x')).toBe('d/b>e/b d/a>e/a'));
test('[CAP2] one source is used once', () => expect(paired('-a:x +b:x +c:x')).toBe('a>b'));
test('[CAP2] empty files are not told apart by content', () => {
  expect(paired('-a:0 +b:0')).toBe('');
  expect(paired('-d/a:0 +e/a:0')).toBe('d/a>e/a');
});
