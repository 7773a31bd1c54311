import { expect, test } from 'vitest';
import {
  asSeq,
  changeId,
  changeOfHunk,
  hunkId,
  indexOfChange,
  indexOfHunk,
  parseCallId,
  parseChangeId,
  parseCheckpointId,
  parseContentId,
  parseHunkId,
  seqOfChange,
} from './ids.js';

test('[REC2a] what an agent calls its calls is kept as it is', () => {
  for (const id of ['../../x', 'a:b', 'x'.repeat(300), '\u0001\u001b[31m', 'a/b', '😀']) {
    expect(parseCallId(id)).toEqual({ ok: true, value: id });
  }
  expect(parseCallId('').ok).toBe(false);
  expect(parseCallId('x'.repeat(2000)).ok).toBe(false);
});

test('[REC1c] ids of changes, hunks and checkpoints say where they come from', () => {
  const change = changeId(asSeq(12), 2);
  const hunk = hunkId(change, 4);
  expect([change, hunk]).toEqual(['c12.3', 'c12.3.5']);
  expect([seqOfChange(change), indexOfChange(change)]).toEqual([12, 2]);
  expect([changeOfHunk(hunk), indexOfHunk(hunk)]).toEqual([change, 4]);
  expect(parseChangeId(change).ok && parseHunkId(hunk).ok && parseCheckpointId('k7').ok).toBe(true);
});

test('[SEC4a] ids of our own that are not in their shape are refused', () => {
  for (const id of ['c0.1', 'c1', 'c1.1.1', 'c1.1\n', '../c1.1', 'C1.1', 'c1.01'])
    expect(parseChangeId(id).ok).toBe(false);
  for (const id of ['abc', 'g'.repeat(40), `${'a'.repeat(40)}\n`, 'A'.repeat(40)])
    expect(parseContentId(id).ok).toBe(false);
});
