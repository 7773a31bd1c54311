import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runGit } from '../../../../test/git.fixture.js';
import { stage } from './stage.fixture.js';
import { inWorktree } from './worktree-stage.fixture.js';

const TEN = Array.from({ length: 10 }, (_, line) => `line ${line + 1}\n`).join('');
const FILES = { 'a.txt': TEN, 'b.txt': TEN };
const with2 = TEN.replace('line 2\n', 'agents\n');

test('[SYN2n] the agent commits, switches and rebases in its worktree: its files flow, and the repository is otherwise as it was', async () => {
  const s = await stage({ files: FILES });
  const agent = await inWorktree(s, 'one', 'auto');
  const head = s.git('rev-parse', 'HEAD');
  const branch = s.git('branch', '--show-current');
  const git = (...args: string[]) => runGit(agent.root, args);
  await agent.run((at) => {
    at.put('a.txt', with2);
    git('checkout', '-q', '-b', 'work');
    git('commit', '-qam', 'agents');
  });
  expect(s.read('a.txt')).toBe(with2);
  await agent.run((at) => {
    git('checkout', '-q', '--detach', 'HEAD~1');
    at.put('c.txt', 'c\n');
    git('add', 'c.txt');
    git('commit', '-qm', 'c');
    git('rebase', '-q', 'work');
  });
  expect([s.read('a.txt'), s.read('b.txt'), s.read('c.txt')]).toEqual([with2, TEN, 'c\n']);
  expect([agent.read('a.txt'), agent.read('c.txt')]).toEqual([with2, 'c\n']);
  expect([s.git('rev-parse', 'HEAD'), s.git('branch', '--show-current')]).toEqual([head, branch]);
  expect(s.workspace.worktrees.conflicts()).toEqual([]);
});

test('[SYN3b] the human commits, stashes and switches meanwhile: what they have comes to the worktree, and nothing of the agent’s goes', async () => {
  const s = await stage({ files: FILES });
  const agent = await inWorktree(s, 'one', 'review');
  await agent.readFile('a.txt');
  await agent.edit('a.txt', 'line 2\n', 'agents\n');
  s.write('b.txt', TEN.replace('line 5\n', 'mine\n'));
  s.git('commit', '-qam', 'mine');
  await s.workspace.look();
  expect(agent.read('b.txt')).toBe(TEN.replace('line 5\n', 'mine\n'));
  s.write('b.txt', TEN);
  s.git('stash');
  await s.workspace.look();
  expect([s.read('b.txt'), agent.read('b.txt')].map((text) => text?.includes('mine'))).toEqual([true, true]);
  s.git('checkout', '-q', '-b', 'other', 'HEAD~1');
  await s.workspace.look();
  expect([agent.read('b.txt'), agent.read('a.txt'), s.read('a.txt')]).toEqual([TEN, with2, TEN]);
  const [change] = await agent.pending();
  expect((await s.workspace.accept({ changes: [change!] })).ok).toBe(true);
  expect([s.read('a.txt'), agent.read('a.txt')]).toEqual([with2, with2]);
});

test('[SYN2o] two sessions edit one file from the same commit; accepted one after the other, both arrive', async () => {
  const s = await stage({ files: FILES });
  const [one, other] = [await inWorktree(s, 'one', 'review'), await inWorktree(s, 'other', 'review')];
  await one.readFile('a.txt');
  await other.readFile('a.txt');
  await one.edit('a.txt', 'line 2\n', 'first\n');
  await other.edit('a.txt', 'line 9\n', 'second\n');
  for (const agent of [other, one]) {
    const [change] = await agent.pending();
    expect((await s.workspace.accept({ changes: [change!] })).ok).toBe(true);
  }
  await s.workspace.look();
  const both = TEN.replace('line 2\n', 'first\n').replace('line 9\n', 'second\n');
  expect([s.read('a.txt'), one.read('a.txt'), other.read('a.txt')]).toEqual([both, both, both]);
});

test('[SYN4c] a worktree that is gone takes nothing along, and its session goes on in the workspace', async () => {
  const s = await stage({ files: FILES });
  const agent = await inWorktree(s, 'one', 'auto');
  await agent.readFile('a.txt');
  await agent.edit('a.txt', 'line 2\n', 'agents\n');
  await s.close();
  rmSync(agent.root, { recursive: true });
  await s.open();
  expect(s.read('a.txt')).toBe(with2);
  expect(await s.workspace.worktrees.list()).toEqual([]);
  expect((await s.workspace.status()).remarks.join()).toContain(
    'is gone; its session works in the workspace itself now',
  );
  expect(await agent.pending()).toHaveLength(1);
});

test('[SYN2p] a call in a worktree that is reported after it ran is recorded once, and flows', async () => {
  const s = await stage({ files: FILES });
  const agent = await inWorktree(s, 'one', 'auto');
  await agent.readFile('a.txt');
  agent.put('a.txt', with2);
  await s.workspace.look();
  const input = { file_path: agent.path('a.txt'), old_string: 'line 2\n', new_string: 'agents\n' };
  await s.workspace.begin({ session: 'one', callId: 'late', tool: 'Edit', input, observe: true, cwd: agent.root });
  await s.workspace.end({ session: 'one', callId: 'late' });
  await s.workspace.look();
  expect([s.read('a.txt'), agent.read('a.txt')]).toEqual([with2, with2]);
  const all = await s.workspace.changes({ status: 'all', path: 'a.txt' });
  expect(all.ok && all.value.map(({ author }) => author.kind)).toEqual(['agent']);
});
