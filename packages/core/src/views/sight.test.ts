import { expect, test } from 'vitest';
import { asSessionId } from '../ids.js';
import { asPath } from '../path.js';
import type { LineRange } from '../ranges.js';
import { LAST_LINE } from '../ranges.js';
import { freshnessOf, freshnessView, type Seen } from './freshness.js';
import { contentNamed, story } from './story.fixture.js';
import { foldAll } from './view.js';

function seen(text: string): Seen {
  const { state } = foldAll(freshnessView, story(text));
  const found = state.sessions.get(asSessionId('S'))?.seen.get(asPath('a'));
  if (found === undefined) throw new Error('not seen');
  return found;
}

function spoken(ranges: readonly LineRange[]): string {
  return ranges.map(({ from, to }) => (to === LAST_LINE ? `${from}-` : `${from}-${to}`)).join(' ');
}

/** `content: lines seen as they are there | missed | cuts`, of the latest text that what was seen could be followed to. */
function now(text: string): string {
  const { now: sight } = seen(text);
  const name = ['v1', 'v2', 'v3', 'v4'].find((each) => contentNamed(each) === sight.content);
  const cuts = sight.cuts.map(({ after, kind }) => (kind === 'gap' ? `${after}` : `(${after})`));
  return `${name}: ${spoken(sight.lines)} | ${spoken(sight.missed)} | ${cuts.join(' ')}`;
}

function state(text: string, content: string): string {
  return freshnessOf(seen(text), { content: contentNamed(content) });
}

const CHANGED = 'show S a v1 · human a v1 v2 @50-1+1';
test('[FRE3c] a line that another hand changed is no longer seen', () =>
  expect(now(CHANGED)).toBe('v2: 1-49 51- | 50-50 | '));
test('[FRE3c] a part shown again does not make the rest fresh', () => {
  expect(now(`${CHANGED} · show S a v2 1-5`)).toBe('v2: 1-49 51- | 50-50 | ');
  expect(state(`${CHANGED} · show S a v2 1-5`, 'v2')).toBe('stale');
});
test('[FRE3c] showing what changed makes it fresh', () => {
  expect(now(`${CHANGED} · show S a v2 45-55`)).toBe('v2: 1- |  | ');
  expect(state(`${CHANGED} · show S a v2 50-50`, 'v2')).toBe('fresh');
});
test('[FRE3c] showing all of it makes it fresh', () => expect(state(`${CHANGED} · show S a v2`, 'v2')).toBe('fresh'));
test('[FRE3c] ranges one after the other make it whole', () =>
  expect(now('show S a v1 1-9 · human a v1 v2 @5-1+2 · show S a v2 1-6 · show S a v2 7-12')).toBe('v2: 1-12 |  | '));
test('[FRE3c] lines that were taken away leave a place to be shown', () => {
  const gone = 'show S a v1 · human a v1 v2 @50-3';
  expect(now(gone)).toBe('v2: 1- |  | 49');
  expect(state(`${gone} · show S a v2 1-49`, 'v2')).toBe('stale');
  expect(state(`${gone} · show S a v2 1-49 · show S a v2 50-60`, 'v2')).toBe('fresh');
});
test('[FRE3c] lines that were put in move the ones below', () =>
  expect(now('show S a v1 1-20 · human a v1 v2 @5+3')).toBe('v2: 1-4 8-23 | 5-7 | '));
test('[FRE3c] lines that took the place of more or fewer are seen together with those around them', () => {
  const fewer = 'show S a v1 · human a v1 v2 @50-3+1';
  expect(now(fewer)).toBe('v2: 1-49 51- | 50-50 | (49) (50)');
  expect(now(`${fewer} · show S a v2 50-50`)).toBe('v2: 1- |  | (49) (50)');
  expect(now(`${fewer} · show S a v2 49-51`)).toBe('v2: 1- |  | ');
});
test('[FRE2a] changed and changed back is seen as before', () =>
  expect(now('show S a v1 3-9 · human a v1 v2 @5-1+1 · human a v2 v1 @5-1+1')).toBe('v1: 3-9 |  | '));
test('[FRE3c] what cannot be followed stays with the text that was seen', () => {
  expect(now('show S a v1 1-9 · human a v1 v2 · human a v2 v3 @1+1')).toBe('v1: 1-9 |  | ');
  expect(now('show S a v1 1-9 · human a v1 v2 · show S a v2 3-4')).toBe('v2: 3-4 | 1-2 5- | ');
});
test('[FRE3c] what a rejection, a restore or an undo wrote is not seen', () =>
  expect(now('show S a v1 · rewrite a v1 v2 @2-1+1')).toBe('v2: 1-1 3- | 2-2 | '));
test('[FRE3e] one’s own words are seen, also in a file that was never read', () => {
  expect(now('show S a v1 1-9 · edit S a v1 v2 @5-1+3')).toBe('v2: 1-11 |  | ');
  expect(now('edit S a v1 v2 @5-1+3')).toBe('v2: 5-7 |  | ');
});
test('[FRE3d] what one’s own command made is not seen, and nothing is stale for it', () => {
  expect(now('shell S a - v1 @1+3')).toBe('v1:  |  | ');
  expect(now('show S a v1 · shell S a v1 v2 @5-1+3')).toBe('v2: 1-4 8- |  | ');
  expect(now('show S a v1 · shell S a v1 v2 @5+3')).toBe('v2: 1-4 8- |  | ');
  expect(now('show S a v1 · shell S a v1 v2')).toBe('v2:  |  | ');
  expect(state('show S a v1 · shell S a v1 v2 @5+3', 'v2')).toBe('fresh');
});
test('[FRE2a] what one’s own commands changed and changed back is seen as before', () => {
  const back = 'show S a v1 2-9 · shell S a v1 v2 @5-1+3 · shell S a v2 v3 @1+1';
  expect(now(`${back} · shell S a v3 v1`)).toBe('v1: 2-9 |  | ');
  expect(now(`${back} · human a v3 v1`)).toBe('v1: 2-9 |  | ');
  expect(state(`${back} · human a v3 v1`, 'v1')).toBe('fresh');
  expect(now(`${back} · show S a v3 1-1 · shell S a v3 v1`)).toBe('v1:  |  | ');
});
test('[FRE3c] one’s own write shows nothing of what others did elsewhere', () =>
  expect(now(`${CHANGED} · show S a v2 1-5 · edit S a v2 v3 @2-1+2`)).toBe('v3: 1-50 52- | 51-51 | '));
test('[FRE3b] what is out of the model’s sight does not count along with a part that is shown', () =>
  expect(now(`${CHANGED} · cut S · show S a v2 1-5`)).toBe('v2: 1-5 | 50-50 | '));
test('[FRE5a] a notice stands until what changed was shown', () => {
  expect(seen(`${CHANGED} · show S a v2 1-5`).outsideSeq).toBe(2);
  expect(seen(`${CHANGED} · show S a v2 40-60`).outsideSeq).toBeNull();
});
test('[FRE3c] the view is the same after being stored', () => {
  const { state: folded } = foldAll(freshnessView, story(`${CHANGED} · show S a v2 1-5 · human a v2 v3 @9+1`));
  expect(freshnessView.decode(JSON.parse(JSON.stringify(freshnessView.encode(folded))))).toEqual(folded);
});
