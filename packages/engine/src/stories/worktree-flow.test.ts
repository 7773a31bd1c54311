import { expect, test } from 'vitest';
import { stage } from './stage.fixture.js';
import { inWorktree, recorded } from './worktree-stage.fixture.js';

const TEN = Array.from({ length: 10 }, (_, line) => `line ${line + 1}\n`).join('');

test('[SYN2e] auto: what a call changed is in the workspace when it has ended, and is recorded once', async () => {
  const s = await stage({ files: { 'a.txt': TEN } });
  s.write('mine.txt', 'uncommitted\n');
  const agent = await inWorktree(s, 'one', 'auto');
  expect(agent.read('mine.txt')).toBe('uncommitted\n');
  await agent.readFile('a.txt');
  expect(await agent.edit('a.txt', 'line 2\n', 'line two\n')).toEqual(['modify a.txt one/Edit exact']);
  expect(s.read('a.txt')).toBe(TEN.replace('line 2\n', 'line two\n'));
  await s.workspace.look();
  expect((await recorded(s)).filter((line) => line.includes('a.txt'))).toEqual(['modify a.txt one/Edit exact']);
});

test('[SYN3a] what the human saves comes to the worktree before the next call, and makes what its agent saw stale', async () => {
  const s = await stage({ files: { 'a.txt': TEN } });
  const agent = await inWorktree(s, 'one', 'auto');
  await agent.readFile('a.txt');
  s.write('a.txt', TEN.replace('line 2\n', 'mine\n'));
  const denied = await agent.begin('Edit', {
    file_path: agent.path('a.txt'),
    old_string: 'line 2\n',
    new_string: 'x\n',
  });
  expect(denied.decision).toBe('deny');
  expect(agent.read('a.txt')).toBe(TEN.replace('line 2\n', 'mine\n'));
  expect(s.workspace.notices('one').map(({ kind, path }) => `${kind} ${path}`)).toEqual(['changed-outside a.txt']);
});

test('[SYN2f] both at once: each has both, around each other', async () => {
  const s = await stage({ files: { 'a.txt': TEN } });
  const agent = await inWorktree(s, 'one', 'auto');
  await agent.readFile('a.txt');
  await agent.run((at) => {
    s.write('a.txt', TEN.replace('line 9\n', 'mine\n'));
    at.put('a.txt', TEN.replace('line 2\n', 'agents\n'));
  });
  await s.workspace.look();
  const both = TEN.replace('line 2\n', 'agents\n').replace('line 9\n', 'mine\n');
  expect([s.read('a.txt'), agent.read('a.txt')]).toEqual([both, both]);
  expect(await recorded(s)).toEqual(
    expect.arrayContaining(['modify a.txt one/Bash window', 'modify a.txt human inferred']),
  );
});

test('[SYN2g] review: nothing comes before it is accepted, then that alone; reject takes it out of the worktree', async () => {
  const s = await stage({ files: { 'a.txt': TEN } });
  const agent = await inWorktree(s, 'one', 'review');
  await agent.readFile('a.txt');
  await agent.edit('a.txt', 'line 2\n', 'two\n');
  await agent.edit('a.txt', 'line 9\n', 'nine\n');
  await agent.writeFile('new.txt', 'new\n');
  expect([s.read('a.txt'), s.read('new.txt')]).toEqual([TEN, null]);
  const [two, nine, made] = await agent.pending();
  const accepted = await s.workspace.accept({ changes: [nine!] });
  expect(accepted.ok && accepted.value.written).toEqual(['a.txt']);
  expect(s.read('a.txt')).toBe(TEN.replace('line 9\n', 'nine\n'));
  s.write('a.txt', TEN.replace('line 9\n', 'nine\n').replace('line 5\n', 'five\n'));
  await s.workspace.look();
  expect(agent.read('a.txt')).toBe(
    TEN.replace('line 9\n', 'nine\n').replace('line 5\n', 'five\n').replace('line 2\n', 'two\n'),
  );
  await s.workspace.reject({ changes: [two!] });
  expect(agent.read('a.txt')).toBe(s.read('a.txt'));
  expect(s.read('a.txt')).toBe(TEN.replace('line 9\n', 'nine\n').replace('line 5\n', 'five\n'));
  await s.workspace.accept({ changes: [made!] });
  expect(s.read('new.txt')).toBe('new\n');
  await s.workspace.undo();
  expect([s.read('new.txt'), agent.read('new.txt')]).toEqual([null, 'new\n']);
});
