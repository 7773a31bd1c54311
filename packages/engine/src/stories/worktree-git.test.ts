import { rmSync } from 'node:fs';
import { join } from 'node:path';
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

test('[SYN4d] a worktree that somebody is removing by hand takes no file of the workspace along', async () => {
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`f${index}.txt`, TEN]));
  const s = await stage({ files: many });
  const agent = await inWorktree(s, 'one', 'auto');
  for (let index = 0; index < 10; index += 1) agent.remove(`f${index}.txt`);
  await s.workspace.look();
  await s.workspace.worktrees.sync('one');
  expect(Object.keys(many).filter((path) => s.read(path) !== TEN)).toEqual([]);
  expect((await s.workspace.status()).remarks.join()).toContain('most files of the worktree');
});

test('[SYN4e] a whole worktree that the log does not name is left alone, and the status says so', async () => {
  const s = await stage({ files: FILES });
  const agent = await inWorktree(s, 'one', 'review');
  agent.put('a.txt', with2);
  await s.close();
  rmSync(join(s.data, 'log.sqlite'));
  for (const ending of ['-wal', '-shm']) rmSync(join(s.data, `log.sqlite${ending}`), { force: true });
  await s.open();
  expect(agent.read('a.txt')).toBe(with2);
  expect((await s.workspace.status()).remarks.join()).toContain('belongs to no session that is known');
});

test('[SYN2q] settling a conflict writes over no other file that has the name', async () => {
  const s = await stage({ files: FILES });
  const agent = await inWorktree(s, 'one', 'auto');
  await agent.run((at) => {
    s.move('a.txt', 'mine.txt');
    s.write('theirs.txt', 'another file of the human\n');
    at.move('a.txt', 'theirs.txt');
  });
  await s.workspace.look();
  const moved = s.workspace.worktrees.conflicts().find(({ here }) => here === 'mine.txt');
  expect(moved?.there).toBe('theirs.txt');
  expect(await s.workspace.worktrees.resolve(moved!.id, { take: 'theirs' })).toMatchObject({ ok: false });
  expect(s.read('theirs.txt')).toBe('another file of the human\n');
});
