import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openObjects } from './objects.js';
import { isRefName } from './packed-refs.js';
import { openRefs, REF_LOCK_STALE_MS } from './refs.js';
import { tempFolder, testGit, userGit } from './repository.fixture.js';
import { encodeCommit, encodeTree } from './trees.js';

const folder = tempFolder();
let count = 0;

async function opened() {
  const gitDir = join(folder, `r${count++}.git`);
  const objects = await openObjects(gitDir, { git: testGit, durability: 'lazy' });
  const tree = await objects.write('tree', encodeTree([]));
  const commits: string[] = [];
  for (let n = 0; n < 3; n++)
    commits.push(
      await objects.write('commit', encodeCommit({ tree, parents: [], author: 'a <b>', timeSeconds: n, message: '' })),
    );
  const [a = '', b = '', c = ''] = commits;
  return { gitDir, refs: openRefs(gitDir), a, b, c };
}

test('[CHK2c] many refs are set and removed in one write, and git sees the same', async () => {
  const { gitDir, refs, a, b, c } = await opened();
  const git = (...args: readonly string[]) => userGit(gitDir, '--git-dir', gitDir, ...args);
  git('-c', 'user.name=n', '-c', 'user.email=e', 'tag', '-a', '-m', 'theirs', 'theirs', c);
  git('pack-refs', '--all');
  expect(await refs.setMany(new Map(['refs/pal/moved', 'refs/pal/gone'].map((name) => [name, b])))).toBe('written');
  const names = ['refs/pal/moved', 'refs/pal/z', 'refs/pal/é', 'refs/pal/Z'];
  const second = [...names.map((name) => [name, a] as const), ['refs/pal/gone', null] as const];
  expect(await refs.setMany(new Map<string, string | null>(second))).toBe('written');
  for (const name of names) expect([name, git('rev-parse', name)]).toEqual([name, a]);
  expect(git('for-each-ref', '--format=%(refname)', 'refs/pal').split('\n')).toHaveLength(names.length);
  expect(git('rev-parse', 'theirs^{commit}')).toBe(c);
  expect([...(await refs.list('refs/pal/')).keys()].sort()).toEqual([...names].sort());
  expect(git('fsck', '--strict', '--no-dangling')).toBe('');
});

test('[CHK8f] a fresh lock is respected and a stale one is broken', async () => {
  const { gitDir, refs, a } = await opened();
  const lock = join(gitDir, 'packed-refs.lock');
  writeFileSync(lock, '');
  expect(await refs.setMany(new Map([['refs/heads/x', a]]))).toBe('locked');
  expect(existsSync(lock)).toBe(true);
  const old = new Date(Date.now() - REF_LOCK_STALE_MS - 1000);
  utimesSync(lock, old, old);
  expect(await refs.setMany(new Map([['refs/heads/x', a]]))).toBe('written');
  expect(existsSync(lock)).toBe(false);
});

test('[CHK8g] of many writers at once none undoes what another did', async () => {
  const { refs, a } = await opened();
  const names = Array.from({ length: 20 }, (_, n) => `refs/pal/${n}`);
  await Promise.all(
    names.map(async (name) => {
      while ((await refs.setMany(new Map([[name, a]]))) === 'locked');
    }),
  );
  expect([...(await refs.list('refs/pal/')).keys()].sort()).toEqual(names.sort());
});

test.each([
  'HEAD',
  'refs/../HEAD',
  'refs/a..b',
  'refs/a.lock',
  'refs/a b',
  'refs/a/',
  'refs//a',
  'refs/.a',
  'refs/a@{1}',
  'refs/a\n',
  '/refs/a',
])('[REC2a] %j is not a name for a ref', async (name) => {
  const { refs, a } = await opened();
  expect(isRefName(name)).toBe(false);
  await expect(refs.setMany(new Map([[name, a]]))).rejects.toThrow('not a ref');
});
