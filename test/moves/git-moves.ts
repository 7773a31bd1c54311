import type { Chance } from './chance.js';
import { quoted } from './shell.js';
import type { Tokens, Writer } from './token.js';

export type GitScene = {
  readonly chance: Chance;
  readonly tokens: Tokens;
  readonly writer: Writer;
  readonly names: () => number;
};
export type GitMove = { readonly name: string; readonly weight: number; readonly command: (scene: GitScene) => string };

/**
 * What people and agents do with git. Each leaves the repository in a state that the next one can start from: nothing is
 * left half merged or half rebased.
 */
export const GIT_MOVES: readonly GitMove[] = [
  { name: 'git commit', weight: 6, command: () => 'git add -A . && git commit -q --allow-empty -m work' },
  {
    name: 'git commit --amend',
    weight: 2,
    command: () => 'git add -A . && git commit -q --amend --allow-empty -m amended',
  },
  {
    name: 'git checkout',
    weight: 3,
    command: ({ chance, names }) =>
      chance.in(0.5)
        ? `git add -A . && git commit -q --allow-empty -m before && git checkout -q -b side${names()}`
        : 'git add -A . && git commit -q --allow-empty -m before && git checkout -q "$(git branch --format="%(refname:short)" | grep -v "(" | head -1)"',
  },
  { name: 'git stash', weight: 2, command: () => 'git stash -q -u' },
  {
    name: 'git stash pop',
    weight: 2,
    command: () => 'git stash -q -u && git stash pop -q || git checkout -q -f HEAD -- .',
  },
  {
    name: 'git reset',
    weight: 1,
    command: ({ chance }) => chance.pick(['git reset -q --hard', 'git reset -q', 'git reset -q --hard HEAD~1']),
  },
  { name: 'git clean', weight: 0.5, command: () => 'git clean -q -f -d' },
  {
    name: 'git merge',
    weight: 1,
    command: ({ tokens, writer, names }) =>
      [
        'git add -A .',
        'git commit -q --allow-empty -m ours',
        `git checkout -q -b other${names()} HEAD~1`,
        `echo ${quoted(tokens.line(writer))} > merged${names()}.txt`,
        'git add -A .',
        'git commit -q -m theirs',
        'git merge -q -m merged "@{-1}" || git merge --abort',
      ].join(' && '),
  },
  {
    name: 'git rebase',
    weight: 1,
    command: ({ tokens, writer, names }) =>
      [
        'git add -A .',
        'git commit -q --allow-empty -m onto',
        `git checkout -q -b moved${names()} HEAD~1`,
        `echo ${quoted(tokens.line(writer))} > rebased${names()}.txt`,
        'git add -A .',
        'git commit -q -m mine',
        'git rebase -q "@{-1}" || git rebase --abort',
      ].join(' && '),
  },
  {
    name: 'git worktree add',
    weight: 0.3,
    command: ({ names }) => `git worktree add -q -b tree${names()} ../trees${names()}`,
  },
];
