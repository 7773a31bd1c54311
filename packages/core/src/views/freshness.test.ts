import { expect, test } from 'vitest';
import { asSessionId } from '../ids.js';
import { asPath } from '../path.js';
import { freshnessOf, freshnessView, type Present, type Seen } from './freshness.js';
import { ALL_LINES } from './sight.js';
import { contentNamed, story } from './story.fixture.js';
import { foldAll } from './view.js';

function seen(text: string, path = 'a', session = 'S'): Seen | undefined {
  const { state } = foldAll(freshnessView, story(text));
  return state.sessions.get(asSessionId(session))?.seen.get(asPath(path));
}

/** `now` names the content on disk, `-` for an absent file and `?` for one that cannot be read. */
function state(text: string, now: string, path = 'a'): string {
  const present: Present = now === '-' ? 'absent' : now === '?' ? 'unreadable' : { content: contentNamed(now) };
  return freshnessOf(seen(text, path), present);
}

test('[FRE3a] a file that was shown and is the same is fresh', () => expect(state('show S a v1', 'v1')).toBe('fresh'));
test('[FRE3a] other content than what was shown is stale', () => expect(state('show S a v1', 'v2')).toBe('stale'));
test('[FRE3a] a file that is gone is missing', () => expect(state('show S a v1', '-')).toBe('missing'));
test('[FRE3a] what was never shown is never-seen', () => expect(state('show S b v1', 'v1')).toBe('never-seen'));
test('[FRE3a] what cannot be read is unverifiable', () => expect(state('show S a v1', '?')).toBe('unverifiable'));
test('[FRE2a] changed and changed back is fresh', () =>
  expect(state('show S a v1 · human a v1 v2 · human a v2 v1', 'v1')).toBe('fresh'));
test('[FRE2b] an own write refreshes', () => expect(state('show S a v1 · edit S a v1 v2 @1-1+1', 'v2')).toBe('fresh'));
test('[FRE2b] another agent’s write does not', () =>
  expect(state('show S a v1 · edit T a v1 v2 @1-1+1', 'v2')).toBe('stale'));
test('[FRE1a] a new interaction takes the place of the one before', () =>
  expect(state('show S a v1 · human a v1 v2 · show S a v2', 'v2')).toBe('fresh'));
test('[FRE1a] one’s own new file is known whole', () =>
  expect(seen('edit S a - v1 @1+3')).toMatchObject({ last: { lines: ALL_LINES }, source: 'edit' }));
test('[FRE1a] an own rename is known under the new name only', () => {
  expect(state('show S a v1 · move S a b v1', 'v1', 'b')).toBe('fresh');
  expect(state('show S a v1 · move S a b v1', '-', 'a')).toBe('never-seen');
});
test('[FRE1a] a deleted file of one’s own is not known', () =>
  expect(seen('show S a v1 · edit S a v1 -')).toBeUndefined());

test('[FRE1b] dates of reading, own and outside edits are inherited', () =>
  expect(seen('show S a v1 · edit S a v1 v2 @1-1+1 · human a v2 v3 · mention S a v3')).toMatchObject({
    source: 'mention',
    readAt: 4000,
    editedAt: 2000,
    outsideAt: 3000,
    outsideSeq: null,
  }));
test('[FRE5a] an outside change is remembered until the file is seen again', () =>
  expect(seen('show S a v1 · human a v1 v2 @1-1+1')).toMatchObject({ outsideSeq: 2 }));

test('[FRE1a] ranges of the same text add up', () =>
  expect(seen('show S a v1 1-10 · show S a v1 11-20')?.last.lines).toEqual([{ from: 1, to: 20 }]));
test('[FRE1a] a range of another text stands alone', () =>
  expect(seen('show S a v1 1-10 · show S a v2 11-20')?.last.lines).toEqual([{ from: 11, to: 20 }]));
test('[FRE1a] shown lines move with one’s own edits', () =>
  expect(seen('show S a v1 10-12 · edit S a v1 v2 @2+5')?.last.lines).toEqual([
    { from: 2, to: 6 },
    { from: 15, to: 17 },
  ]));

test('[FRE3b] compaction takes what was seen out of sight, not out of knowledge', () => {
  expect(seen('show S a v1 · cut S')).toMatchObject({ visible: false });
  expect(state('show S a v1 · cut S', 'v1')).toBe('fresh');
  expect(seen('show S a v1 1-5 · cut S · show S a v1 8-9')).toMatchObject({
    visible: true,
    last: { lines: [{ from: 8, to: 9 }] },
  });
});
test('[FRE7a] a change asks only the sessions that saw the file', () => {
  const { state } = foldAll(freshnessView, story('show S a v1 · show T b v1 · delete T'));
  expect([...(state.viewers.get(asPath('a')) ?? [])]).toEqual(['S']);
  expect([...(state.viewers.get(asPath('b')) ?? [])]).toEqual([]);
});
