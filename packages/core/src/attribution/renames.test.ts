import { expect, test } from 'vitest';
import { tallyLines } from '../lines/tally.js';
import { asPath } from '../path.js';
import { contentNamed } from '../views/story.fixture.js';
import { likeness, pairRenames, renameCandidates, withSimilar } from './renames.js';

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

test('[CAP2b] a file that vanished and appeared elsewhere was renamed', () => expect(paired('-a:x +b:x')).toBe('a>b'));
test('[CAP2b] other content is another file', () => expect(paired('-a:x +b:y')).toBe(''));
test('[CAP2b] the same name in another folder is preferred', () =>
  expect(paired('-d/a:x -d/b:x +e/b:x +e/a:x')).toBe('d/b>e/b d/a>e/a'));
test('[CAP2b] one source is used once', () => expect(paired('-a:x +b:x +c:x')).toBe('a>b'));
test('[CAP2b] empty files are not told apart by content', () => {
  expect(paired('-a:0 +b:0')).toBe('');
  expect(paired('-d/a:0 +e/a:0')).toBe('d/a>e/a');
});

const move = (path: string, side: 'gone' | 'made', name: string, inode: number, size = 10) => {
  const version = { content: contentNamed(name), mode: '100644' as const, size };
  return side === 'gone'
    ? { path: asPath(path), before: version, after: null, inodes: { before: inode, after: 0 } }
    : { path: asPath(path), before: null, after: version, inodes: { before: 0, after: inode } };
};

test('[CAP17a] of equal files the one that is still the same file of the disk was renamed, whatever the order', () => {
  const f4 = move('f4', 'gone', 'same', 4);
  const f5 = move('f5', 'gone', 'same', 5);
  const g = move('g', 'made', 'same', 4);
  for (const moves of [
    [f4, f5, g],
    [f5, f4, g],
    [g, f5, f4],
  ])
    expect([...pairRenames(moves)]).toEqual([['g', 'f4']]);
});

test('[CAP17b] the same file of the disk needs to be less alike, and comes first', () => {
  const moves = [move('a', 'gone', 'a', 1), move('b', 'gone', 'b', 2), move('c', 'made', 'c', 1)];
  const [inPlace, other] = renameCandidates(moves, new Map());
  expect([inPlace?.from.path, other?.from.path]).toEqual(['a', 'b']);
  const compared = [
    { candidate: other!, likeness: 0.9 },
    { candidate: inPlace!, likeness: 0.3 },
  ];
  expect([...withSimilar(new Map(), compared)]).toEqual([['c', 'a']]);
  expect([...withSimilar(new Map(), [{ candidate: inPlace!, likeness: 0.1 }])]).toEqual([]);
});

test('[CAP17b] what is compared is bounded, in number and in bytes', () => {
  const many = (side: 'gone' | 'made') => Array.from({ length: 100 }, (_, at) => move(`${side}${at}`, side, side, 0));
  const alike = [...many('gone'), ...many('made')].map((each, at) => ({
    ...each,
    ...(each.before === null
      ? { after: { ...each.after!, content: contentNamed(`m${at}`) } }
      : { before: { ...each.before, content: contentNamed(`g${at}`) } }),
  }));
  expect(renameCandidates(alike, new Map()).length).toBe(200);
  const large = [move('a', 'gone', 'a', 1, 1e9), move('b', 'made', 'b', 1, 1e9)];
  expect(renameCandidates(large, new Map())).toEqual([]);
});

test('[CAP17b] likeness is the share of the larger text that both have', () => {
  const tally = (text: string) => tallyLines(new TextEncoder().encode(text));
  expect(likeness(tally('aa\nbb\n'), tally('bb\naa\n'))).toBe(1);
  expect(likeness(tally('aa\nbb\n'), tally('aa\ncc\n'))).toBe(0.5);
  expect(likeness(tally('aa\n'), tally('aa\naa\n'))).toBe(0.5);
  expect(likeness(tally('aa\r\n'), tally('aa'))).toBe(1);
  expect(likeness(tally(''), tally(''))).toBe(0);
});
