import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../../../test/folder.fixture.js';
import { runGit } from '../../../../test/git.fixture.js';
import { ownWorktreeOf } from './own-worktree.js';
import { workspaceIdOf } from './workspace-id.js';

const ID = '0123456789abcdef';

test('[SYN7a] a folder in a worktree of ours, however it is spelled, belongs to the workspace that it was made of', () => {
  const data = newFolder();
  const tree = join(data, 'workspaces', ID, 'worktrees', 'one', 'project');
  mkdirSync(join(tree, 'deep'), { recursive: true });
  runGit(tree, ['init', '-q']);
  const link = join(newFolder(), 'link');
  symlinkSync(tree, link);
  for (const folder of [tree, join(tree, 'deep'), link, join(link, 'deep')]) {
    expect(ownWorktreeOf(folder, data)).toBe(ID);
    expect(workspaceIdOf(folder, { home: '/home/ann', data })).toBe(ID);
  }
});

test('[SYN7a] nothing else does', () => {
  const data = newFolder();
  const marked = join(data, 'workspaces', ID, 'worktrees', 'one');
  mkdirSync(join(marked, 'project'), { recursive: true });
  mkdirSync(join(data, 'workspaces', ID, 'content.git', 'a', 'b'), { recursive: true });
  mkdirSync(join(data, 'workspaces-of-others', ID, 'worktrees', 'one', 'project'), { recursive: true });
  const others = [
    data,
    marked,
    join(data, 'workspaces', ID, 'content.git/a/b'),
    join(data, 'workspaces-of-others', ID, 'worktrees/one/project'),
    join(marked, 'gone'),
    '/',
  ];
  expect(others.map((folder) => ownWorktreeOf(folder, data))).toEqual(others.map(() => null));
  expect(ownWorktreeOf(join(marked, 'project'), newFolder())).toBe(null);
});
