import { expect, test } from 'vitest';
import { lines, reviewing } from './review.fixture.js';

const GIT = { kind: 'git' } as const;

test('[REV10a] a commit by the human accepts what it holds, and only that', async () => {
  const on = await reviewing({ a: lines('abc'), b: lines('xyz'), gone: lines('g') }, GIT);
  await on.writes('S', 'a', lines('aBc'));
  await on.writes('S', 'b', lines('xYz'));
  await on.shell('S', 'rm gone; echo new > new.txt');
  on.on.git('add', 'a', 'gone', 'new.txt');
  on.on.git('commit', '-q', '-m', 'mine');
  await on.workspace.look();
  expect(await on.statuses()).toBe('accepted pending accepted accepted');
  await on.undoes();
  expect([await on.statuses(), on.text('a')]).toEqual(['pending pending pending pending', lines('aBc')]);
});

test('[REV10a] what was committed before a later edit of the same file is accepted, the edit is not', async () => {
  const on = await reviewing({ a: lines('abcdef') }, GIT);
  await on.writes('S', 'a', lines('aBcdef'));
  on.on.git('add', 'a');
  await on.writes('S', 'a', lines('aBcdeF'));
  on.on.git('commit', '-q', '-m', 'staged');
  await on.workspace.look();
  expect(await on.statuses()).toBe('accepted pending');
});

test('[REV10b] an agent’s own commit accepts nothing, nor does any when it is so configured', async () => {
  const on = await reviewing({ a: lines('abc') }, GIT);
  await on.writes('S', 'a', lines('aBc'));
  await on.agent('S').call('Bash', { command: 'make release' }, () => {
    on.on.git('commit', '-qam', 'agent');
  });
  expect(await on.statuses()).toBe('pending');
  const off = await reviewing({ a: lines('abc') }, { ...GIT, open: { settings: { commitAccepts: false } } });
  await off.writes('S', 'a', lines('aBc'));
  off.on.git('commit', '-qam', 'mine');
  await off.workspace.look();
  expect(await off.statuses()).toBe('pending');
});

test('[REV10a] a commit of other files, or a change taken back by hand, accepts nothing', async () => {
  const on = await reviewing({ a: lines('abc'), b: lines('xyz') }, GIT);
  await on.writes('S', 'a', lines('aBc'));
  await on.human('a', lines('abc'));
  await on.human('b', lines('xyz1'));
  on.on.git('commit', '-qam', 'mine');
  await on.workspace.look();
  expect(await on.statuses()).toBe('pending');
});

test('[REV10c] a commit made while nobody watched accepts what it holds, unless a session is not over', async () => {
  for (const [session, expected] of [
    ['over', 'accepted pending'],
    ['at work', 'pending pending'],
  ]) {
    const on = await reviewing({ a: lines('abc'), b: lines('xyz') }, GIT);
    await on.writes('S', 'a', lines('aBc'));
    await on.writes('S', 'b', lines('xYz'));
    if (session === 'over') await on.workspace.endSession('S');
    await on.on.close();
    on.on.git('add', 'a');
    on.on.git('commit', '-q', '-m', 'mine');
    await on.on.open();
    await on.workspace.stockTaken();
    await on.workspace.look();
    expect([session, await on.statuses()]).toEqual([session, expected]);
  }
});
