import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatAlternates, parseAlternates } from './alternates.js';
import { lastMoveOfHead } from './reflog.js';
import { committed, diverged, fingerprint, tempFolder, userGit } from './repository.fixture.js';
import { UserHead } from './user-head.js';
import { findRepository, objectDirectories, type UserRepository } from './user-repository.js';

const folder = tempFolder();
const headOf = (repository: UserRepository) => new UserHead(repository).read();
const head = (repo: string) => userGit(repo, 'rev-parse', 'HEAD');

async function found(path: string): Promise<UserRepository> {
  const result = await findRepository(path);
  if (!result.ok || result.value === null) throw new Error(`no repository: ${JSON.stringify(result)}`);
  return result.value;
}

test('[CAP8a] a folder without git has no repository', async () => {
  mkdirSync(join(folder, 'none'));
  expect(await findRepository(join(folder, 'none'))).toEqual({ ok: true, value: null });
  mkdirSync(join(folder, 'empty/.git'), { recursive: true });
  expect(await findRepository(join(folder, 'empty'))).toEqual({ ok: true, value: null });
});

test('[CAP8a] a repository without commits is on an unborn branch', async () => {
  mkdirSync(join(folder, 'unborn'));
  userGit(join(folder, 'unborn'), 'init', '-q');
  expect(headOf(await found(join(folder, 'unborn')))).toEqual({ kind: 'branch', branch: 'main', commit: null });
});

test('[CAP8a] a sub-directory belongs to the repository above it, also through a link', async () => {
  const repo = committed(join(folder, 'above'), { 'x/y/z': '1' });
  symlinkSync(join(repo, 'x/y'), join(folder, 'shortcut'));
  for (const path of [join(repo, 'x/y'), join(folder, 'shortcut')])
    expect(await found(path)).toMatchObject({ topLevel: repo, prefix: 'x/y', gitDir: join(repo, '.git') });
  expect((await found(repo)).prefix).toBe('');
});

test('[CAP8a] a linked worktree has a HEAD of its own and shares the rest', async () => {
  const repo = committed(join(folder, 'main-tree'), { a: '1' });
  userGit(repo, 'worktree', 'add', '-q', '-b', 'side/branch', join(folder, 'side'));
  const side = await found(join(folder, 'side'));
  expect(side.commonDir).toBe(join(repo, '.git'));
  expect(side.gitDir).toBe(join(repo, '.git/worktrees/side'));
  expect(headOf(side)).toEqual({ kind: 'branch', branch: 'side/branch', commit: head(repo) });
  expect(await objectDirectories(side)).toEqual([join(repo, '.git/objects')]);
});

test('[CAP8b] a submodule is found through its .git file, and a nested repository is its own', async () => {
  const inner = committed(join(folder, 'inner'), { i: '1' });
  const outer = committed(join(folder, 'outer'), { o: '1' });
  userGit(outer, 'submodule', '--quiet', 'add', inner, 'sub');
  expect(await found(join(outer, 'sub'))).toMatchObject({
    topLevel: join(outer, 'sub'),
    gitDir: join(outer, '.git/modules/sub'),
  });
  expect(headOf(await found(join(outer, 'sub')))).toMatchObject({ commit: head(inner) });
  const nested = committed(join(outer, 'nested'), { n: '1' });
  expect((await found(nested)).topLevel).toBe(nested);
});

test('[CAP8c] a .git file that leads nowhere is reported', async () => {
  mkdirSync(join(folder, 'lost'));
  writeFileSync(join(folder, 'lost/.git'), 'gitdir: ../gone\n');
  expect(await findRepository(join(folder, 'lost'))).toMatchObject({ ok: false, error: { code: 'unreadable' } });
});

test('[CAP10a] HEAD is read loose, packed and detached', async () => {
  const repo = committed(join(folder, 'heads'), { a: '1' });
  const commit = head(repo);
  expect(headOf(await found(repo))).toEqual({ kind: 'branch', branch: 'main', commit });
  userGit(repo, 'pack-refs', '--all');
  expect(headOf(await found(repo))).toEqual({ kind: 'branch', branch: 'main', commit });
  userGit(repo, 'checkout', '-q', '--detach');
  expect(headOf(await found(repo))).toEqual({ kind: 'detached', commit });
});

test('[CAP8c] a sha256 repository is recognised, so that nothing is borrowed from it', async () => {
  mkdirSync(join(folder, 'sha256'));
  userGit(join(folder, 'sha256'), 'init', '-q', '--object-format=sha256');
  expect((await found(join(folder, 'sha256'))).objectFormat).toBe('sha256');
  expect((await found(committed(join(folder, 'sha1'), { a: '1' }))).objectFormat).toBe('sha1');
});

test('[CAP10a] the reflog names what moved HEAD', async () => {
  const repo = diverged(join(folder, 'reflog'));
  expect(await lastMoveOfHead(await found(repo))).toBe('commit');
  const seen: (string | null)[] = [];
  const steps = [
    ['checkout', '-q', 'other'],
    ['reset', '-q', '--hard', 'HEAD~1'],
    ['merge', '-q', 'main'],
    ['commit', '-q', '--amend', '-m', 'again'],
    ['cherry-pick', '--allow-empty', '--keep-redundant-commits', 'HEAD'],
    ['rebase', '-q', '--force-rebase', 'HEAD~1'],
    ['pull', '-q', '.', 'main', '--rebase'],
  ];
  for (const step of steps) {
    userGit(repo, ...step);
    seen.push(await lastMoveOfHead(await found(repo)));
  }
  expect(seen.slice(0, 6)).toEqual(['checkout', 'reset', 'merge', 'commit', 'cherry-pick', 'rebase']);
  expect(['pull', 'rebase']).toContain(seen[6]);
});

test('[CAP8a] a repository without a reflog has no last entry', async () => {
  const repo = join(folder, 'unlogged');
  mkdirSync(repo);
  userGit(repo, 'init', '-q');
  expect(await lastMoveOfHead(await found(repo))).toBeNull();
});

test('[SEC4f] pipes, folders and nonsense in the place of files neither hang nor crash', async () => {
  const repo = committed(join(folder, 'strange'), { a: '1' });
  execFileSync('rm', [join(repo, '.git/HEAD')]);
  execFileSync('mkfifo', [join(repo, '.git/HEAD')]);
  expect(headOf(await found(repo))).toMatchObject({ kind: 'unreadable' });
  execFileSync('rm', [join(repo, '.git/HEAD')]);
  writeFileSync(join(repo, '.git/HEAD'), 'ref: refs/../../../../etc/passwd\n');
  expect(headOf(await found(repo))).toMatchObject({ kind: 'unreadable' });
});

test('[CHK5d] [I6] reading changes nothing in the repository of the user', async () => {
  const repo = diverged(join(folder, 'untouched'));
  const before = fingerprint(repo);
  const repository = await found(repo);
  headOf(repository);
  await lastMoveOfHead(repository);
  await objectDirectories(repository);
  expect(fingerprint(repo)).toEqual(before);
});

test('[CHK6a] what the objects borrow from is followed, in circles too', async () => {
  const lender = committed(join(folder, 'lender'), { a: '1' });
  userGit(folder, 'clone', '-q', '--shared', lender, 'borrower');
  const borrower = await found(join(folder, 'borrower'));
  writeFileSync(join(lender, '.git/objects/info/alternates'), '# a circle\n../../../borrower/.git/objects\n');
  expect(await objectDirectories(borrower)).toEqual([
    join(folder, 'borrower/.git/objects'),
    join(lender, '.git/objects'),
  ]);
});

test('[CAP9a] alternates with strange names survive being written and read', () => {
  const paths = ['/a b', '/a\nb', '/"q"', '/back\\slash', '/é'];
  expect(parseAlternates(formatAlternates(paths), '/')).toEqual(paths);
  expect(parseAlternates('"/\\303\\251\\tx"\n\n#no\nrel\n', '/o')).toEqual(['/é\tx', '/o/rel']);
});
