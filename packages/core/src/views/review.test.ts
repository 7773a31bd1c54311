import { expect, test } from 'vitest';
import type { ChangeId } from '../ids.js';
import { asPath } from '../path.js';
import { changesAt, reviewView } from './review.js';
import { story } from './story.fixture.js';
import { foldAll } from './view.js';

const review = (text: string) => foldAll(reviewView, story(text)).state;
const statuses = (text: string) =>
  Object.fromEntries([...review(text).entries.values()].map((entry) => [entry.id, entry.status]));
const entry = (text: string, id: string) => review(text).entries.get(id as ChangeId);

test('[REV1a] an agent’s change is pending', () =>
  expect(statuses('edit S a v1 v2 @1-1+1')).toEqual({ 'c1.1': 'pending' }));
test('[REV1a] a human’s change is not up for review', () => expect(statuses('human a v1 v2 @1-1+1')).toEqual({}));
test('[REV2b] accepting twice is the same as once', () =>
  expect(statuses('edit S a v1 v2 @1-1+1 · accept c1.1 · accept c1.1')).toEqual({ 'c1.1': 'accepted' }));
test('[REV1b] a change is settled when its last hunk is', () => {
  expect(statuses('edit S a v1 v2 @1-1+1,@9-1+1 · acceptHunk c1.1.1')).toEqual({ 'c1.1': 'pending' });
  expect(statuses('edit S a v1 v2 @1-1+1,@9-1+1 · acceptHunk c1.1.1 · rejectHunk c1.1.2')).toEqual({
    'c1.1': 'accepted',
  });
  expect(statuses('edit S a v1 v2 @1-1+1,@9-1+1 · rejectHunk c1.1.1 · rejectHunk c1.1.2')).toEqual({
    'c1.1': 'rejected',
  });
});
test('[REV9a] a verdict can be undone, and that too', () => {
  expect(statuses('edit S a v1 v2 @1-1+1 · reject c1.1 · undo 2')).toEqual({ 'c1.1': 'pending' });
  expect(statuses('edit S a v1 v2 @1-1+1 · reject c1.1 · undo 2 · undo 3')).toEqual({ 'c1.1': 'rejected' });
});
test('[REC3b] a hunk’s lines move with what is written above it', () =>
  expect(entry('edit S a v1 v2 @10+2 · human a v2 v3 @1+5', 'c1.1')?.hunks[0]).toMatchObject({
    now: [{ from: 15, to: 16 }],
    stale: false,
    span: { newStart: 10 },
  }));
test('[REC3c] a hunk that was written over is marked', () =>
  expect(entry('edit S a v1 v2 @10+2 · human a v2 v3 @10-1+1', 'c1.1')?.hunks[0]).toMatchObject({
    now: [{ from: 11, to: 11 }],
    stale: true,
  }));
test('[REC3b] hunks follow a renamed file', () => {
  const folded = review('edit S a v1 v2 @3+2 · move S a b v2');
  expect(changesAt(folded, asPath('b'))).toEqual(['c1.1', 'c2.1']);
  expect(changesAt(folded, asPath('a'))).toEqual([]);
});
test('[REV9a] undo takes the newest decision, redo the newest undo, and a new decision ends redoing', () => {
  const stacks = (text: string) => {
    const { undoable, redoable } = review(text);
    return [undoable, redoable];
  };
  const decided = 'edit S a v1 v2 @1-1+1 · edit S a v2 v3 @9-1+1 · reject c1.1 · reject c2.1';
  expect(stacks(decided)).toEqual([[3, 4], []]);
  expect(stacks(`${decided} · undo 4`)).toEqual([[3], [5]]);
  expect(stacks(`${decided} · undo 4 · undo 3`)).toEqual([[], [5, 6]]);
  expect(stacks(`${decided} · undo 4 · undo 5`)).toEqual([[3, 6], []]);
  expect(stacks(`${decided} · undo 4 · accept c2.1`)).toEqual([[3, 6], []]);
});
