import { expect, test } from 'vitest';
import type { Located } from '../apart-file.js';
import { contentNamed, story } from './story.fixture.js';
import { foldAll } from './view.js';
import { worktreesView } from './worktrees.js';

const NAMES = ['v1', 'v2', 'v3'];
const words = (file: Located | null) =>
  file === null ? '-' : `${file.path}=${NAMES.find((name) => contentNamed(name) === file.version.content)}`;

/** What the first worktree and the workspace hold differently, each as `base here there`. */
function apart(text: string): readonly string[] {
  const { live } = foldAll(worktreesView, story(`worktree S · ${text}`)).state;
  const files = live.get('w1' as never)?.apart.files ?? [];
  return files.map(({ base, here, there }) => [base, here, there].map(words).join(' '));
}

test.each([
  ['edit S a v1 v2', ['a=v1 a=v2 a=v1']],
  ['in w1 a v1 v2', ['a=v1 a=v1 a=v2']],
  ['in w1 a v1 v2 · human a v1 v3', ['a=v1 a=v3 a=v2']],
  ['in w1 a v1 v2 · human a v1 v2', []],
  ['human a v1 v2 · flow w1 a v1 v2', []],
  ['human a v1 v2 · human a v2 v1', []],
  ['in w1 a - v1', ['- - a=v1']],
  ['in w1 a - v1 · human a - v2', ['- a=v2 a=v1']],
  ['in w1 a v1 - · human a v1 v2', ['a=v1 a=v2 -']],
  ['in w1 a v1 - · in w1 a - v1', []],
  ['move S a b v1 · in w1 a v1 v2', ['a=v1 b=v1 a=v2']],
  ['move S a b v1 · human a - v2', ['a=v1 b=v1 a=v1', '- a=v2 -']],
  ['worktree T · in w2 a v1 v2', []],
  ['human a v1 v2 · unworktree w1', []],
])('[SYN2a] what both sides last agreed on follows from the log: %s', (log, expected) => {
  expect(apart(log)).toEqual(expected);
});
