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
  return { gitDir, refs: openRefs(gitDir, 'full'), a, b, c };
}

test('[CHK2] a ref is made, moved, listed and removed, and git sees the same', async () => {
  const { gitDir, refs, a, b } = await opened();
  expect(await refs.update('refs/pal/one', a, null)).toEqual({ ok: true, value: undefined });
  expect(await refs.update('refs/pal/one', b, a)).toMatchObject({ ok: true });
  expect(userGit(gitDir, '--git-dir', gitDir, 'rev-parse', 'refs/pal/one')).toBe(b);
  expect([...(await refs.list('refs/pal/'))]).toEqual([['refs/pal/one', b]]);
  expect(await refs.remove('refs/pal/one', b)).toMatchObject({ ok: true });
  expect(await refs.read('refs/pal/one')).toBeNull();
});

test('[CHK8] a ref that moved meanwhile is not overwritten', async () => {
  const { refs, a, b, c } = await opened();
  await refs.update('refs/pal/x', a, null);
  expect(await refs.update('refs/pal/x', b, c)).toEqual({
    ok: false,
    error: { code: 'moved', name: 'refs/pal/x', actual: a },
  });
  expect(await refs.update('refs/pal/x', b, null)).toMatchObject({ ok: false, error: { code: 'moved' } });
  expect(await refs.read('refs/pal/x')).toBe(a);
});

test('[CHK8] of many writers at once exactly one wins', async () => {
  const { refs, a, b, c } = await opened();
  await refs.update('refs/pal/x', a, null);
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, n) => refs.update('refs/pal/x', n % 2 === 0 ? b : c, a)),
  );
  expect(results.filter((result) => result.ok)).toHaveLength(1);
});

test('[CHK8] a fresh lock is respected and a stale one is broken', async () => {
  const { gitDir, refs, a } = await opened();
  const lock = join(gitDir, 'refs/heads/x.lock');
  writeFileSync(lock, '');
  expect(await refs.update('refs/heads/x', a, null)).toMatchObject({ ok: false, error: { code: 'locked' } });
  expect(existsSync(lock)).toBe(true);
  const old = new Date(Date.now() - REF_LOCK_STALE_MS - 1000);
  utimesSync(lock, old, old);
  expect(await refs.update('refs/heads/x', a, null)).toMatchObject({ ok: true });
  expect(existsSync(lock)).toBe(false);
});

test('[CHK8] refs that git packed are read, replaced and removed for good', async () => {
  const { gitDir, refs, a, b, c } = await opened();
  await refs.update('refs/pal/x', a, null);
  await refs.update('refs/pal/y', b, null);
  userGit(gitDir, '--git-dir', gitDir, 'pack-refs', '--all');
  expect(existsSync(join(gitDir, 'refs/pal/x'))).toBe(false);
  expect(await refs.read('refs/pal/x')).toBe(a);
  expect(await refs.update('refs/pal/x', c, a)).toMatchObject({ ok: true });
  expect(await refs.remove('refs/pal/x', c)).toMatchObject({ ok: true });
  expect(await refs.read('refs/pal/x')).toBeNull();
  expect([...(await refs.list('refs/'))]).toEqual([['refs/pal/y', b]]);
});

test('[CHK2] many refs are set and removed in one write, loose or packed, and git sees the same', async () => {
  const { gitDir, refs, a, b, c } = await opened();
  const git = (...args: readonly string[]) => userGit(gitDir, '--git-dir', gitDir, ...args);
  await refs.update('refs/pal/loose', a, null);
  await refs.update('refs/pal/gone', a, null);
  git('-c', 'user.name=n', '-c', 'user.email=e', 'tag', '-a', '-m', 'theirs', 'theirs', c);
  git('pack-refs', '--all');
  await refs.update('refs/pal/loose', b, a);
  const names = ['refs/pal/loose', 'refs/pal/z', 'refs/pal/é', 'refs/pal/Z'];
  expect(
    await refs.setMany(
      new Map<string, string | null>([...names.map((name) => [name, c] as const), ['refs/pal/gone', null]]),
    ),
  ).toMatchObject({ ok: true });
  for (const name of names) expect([name, git('rev-parse', name)]).toEqual([name, c]);
  expect(git('for-each-ref', '--format=%(refname)', 'refs/pal').split('\n')).toHaveLength(names.length);
  expect(git('rev-parse', 'theirs^{commit}')).toBe(c);
  expect(await refs.read('refs/pal/gone')).toBeNull();
  expect([...(await refs.list('refs/pal/')).keys()].sort()).toEqual([...names].sort());
  expect(await refs.setMany(new Map([['refs/../x', a]]))).toMatchObject({ ok: false, error: { code: 'bad-name' } });
  expect(git('fsck', '--strict', '--no-dangling')).toBe('');
});

test('[REC2] a and a/b cannot both be refs, and an empty folder is no obstacle', async () => {
  const { refs, a, b } = await opened();
  await refs.update('refs/pal/x', a, null);
  expect(await refs.update('refs/pal/x/y', b, null)).toMatchObject({ ok: false, error: { code: 'clash' } });
  expect(await refs.update('refs/pal', b, null)).toMatchObject({ ok: false, error: { code: 'clash' } });
  await refs.remove('refs/pal/x', a);
  expect(await refs.update('refs/pal', b, null)).toMatchObject({ ok: true });
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
])('[REC2] %j is not a name for a ref', async (name) => {
  const { refs, a } = await opened();
  expect(isRefName(name)).toBe(false);
  expect(await refs.update(name, a, null)).toEqual({ ok: false, error: { code: 'bad-name', name } });
});
