import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asSessionId } from '../ids.js';
import { FOUND_FILES_LIMIT, type OpenFiles, openFilesOf, openFilesView, RECENT_FILES_LIMIT } from './open-files.js';
import { story } from './story.fixture.js';
import { foldAll } from './view.js';

function fold(text: string): OpenFiles {
  return foldAll(openFilesView, story(text)).state;
}

/** The open files of a session in order, pins with a `!` and what was only found with a `?`. */
function opened(text: string, session = 'S'): string {
  return openFilesOf(fold(text), session === '*' ? null : asSessionId(session))
    .map(({ path, pinned, by }) => `${path}${pinned ? '!' : by === 'search' ? '?' : ''}`)
    .join(' ');
}

const many = (verb: string, count: number) => Array.from({ length: count }, (_, at) => `${verb} S f${at}`).join(' · ');

test('[OPN1a] the latest used comes first, and pins before all others', () => {
  expect(opened('open S a · open S b · open S c · open S a')).toBe('a c b');
  expect(opened('open S a · pin S b · open S c')).toBe('b! c a');
});
test('[OPN1a] closing, unpinning and clearing do what they say, and pins stay unless they are meant', () => {
  expect(opened('open S a b · close S a')).toBe('b');
  expect(opened('pin S a · open S b · unpin S a')).toBe('a b');
  expect(opened('pin S a · open S b · clear S')).toBe('a!');
  expect(opened('pin S a · open S b · clearPins S')).toBe('');
});
test('[OPN1b] beyond 25 the least recently used goes, and a pin never', () => {
  const files = opened(`pin S p · ${many('open', 30)} · open S f7`).split(' ');
  expect(files).toHaveLength(1 + RECENT_FILES_LIMIT);
  expect(files.slice(0, 3)).toEqual(['p!', 'f7', 'f29']);
  expect(files.at(-1)).toBe('f5');
});
test('[OPN1c] opened for all is open in every session, also in one that starts later', () => {
  expect(opened('pin * a · open S b', 'S')).toBe('a! b');
  expect(opened('pin * a · open S b', 'T')).toBe('a!');
});
test('[OPN1c] closed for all is closed wherever it was open', () => {
  expect(opened('open S a · open T a · open * a · close * a', 'S')).toBe('');
  expect(opened('open S a · open T a · close S a', 'T')).toBe('a');
});
test('[OPN1d] times, pins and order are the same after storing, and limits hold on loading', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('open', 'pin', 'unpin', 'close'), fc.nat(60))), (moves) => {
      const state = fold(['open S a', ...moves.map(([verb, at]) => `${verb} S f${at}`)].join(' · '));
      const loaded = openFilesView.decode(JSON.parse(JSON.stringify(openFilesView.encode(state))));
      expect(openFilesOf(loaded, asSessionId('S'))).toEqual(openFilesOf(state, asSessionId('S')));
      const recent = openFilesOf(loaded, asSessionId('S')).filter(({ pinned }) => !pinned);
      expect(recent.length).toBeLessThanOrEqual(RECENT_FILES_LIMIT);
      expect(recent.map(({ order }) => order)).toEqual(recent.map(({ order }) => order).sort((a, b) => b - a));
    }),
  );
  const encoded = openFilesView.encode(fold(many('open', 25))) as { sessions: [string, { recent: object[] }][] };
  const [, set] = encoded.sessions[0]!;
  const over = { ...set, recent: [...set.recent, ...set.recent.map((file, at) => ({ ...file, path: `g${at}` }))] };
  const loaded = openFilesView.decode({ ...encoded, sessions: [['S', over]] });
  expect(openFilesOf(loaded, asSessionId('S'))).toHaveLength(RECENT_FILES_LIMIT);
});
test('[OPN2a] what was read, mentioned or written is open', () => {
  expect(opened('show S a v1 · mention S b v1 · edit S c v1 v2')).toBe('c b a');
  expect(opened('show S a v1 · human b v1 v2 · edit T c v1 v2')).toBe('a');
});
test('[OPN2a] what a call wrote is opened when the call succeeds', () => {
  expect(opened('begin S call · edit S a v1 v2')).toBe('');
  expect(opened('begin S call · edit S a v1 v2 · finish S call ok')).toBe('a');
  expect(opened('begin S call · edit S a v1 v2 · finish S call failed')).toBe('');
  expect(opened('denied S call · finish S call ok')).toBe('');
});
test('[OPN2b] what a search found comes last, takes only free room, and never the place of a file that was used', () => {
  expect(opened('found S a b · show S c v1')).toBe('c b? a?');
  expect(opened('found S a · show S a v1')).toBe('a');
  expect(opened('show S a v1 · found S a')).toBe('a');
  expect(opened(many('found', 9)).split(' ')).toHaveLength(FOUND_FILES_LIMIT);
  expect(opened(`${many('open', 24)} · found S x y`)).toMatch(/^f23 .* f0 y\?$/);
});
test('[OPN2c] a command that changes many files opens none of them, and uses those that are open', () => {
  const files = Array.from({ length: 9 }, (_, at) => `g${at}`);
  const [changed] = story('shell S a v1 v2');
  if (changed?.kind !== 'changed') throw new Error('no change');
  const bulk = { ...changed, seq: 3, files: files.map((path) => ({ ...changed.files[0]!, path })) } as never;
  const before = story('open S g4 · open S z');
  const state = foldAll(openFilesView, [...before, bulk]).state;
  expect(openFilesOf(state, asSessionId('S')).map(({ path }) => path)).toEqual(['g4', 'z']);
});
test('[OPN2d] a file that moves stays open by its new name, with its pin', () => {
  expect(opened('pin S a · open S c · move S a b v1')).toBe('b! c');
  expect(opened('open S a · move S a b v1')).toBe('b');
});
test('[OPN2d] what a session removes it has no longer open', () => {
  expect(opened('show S a v1 · show S b v1 · edit S a v1 -')).toBe('b');
  expect(opened('show S a v1 · delete S')).toBe('');
});
