import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder, userGit, writeFiles } from '../git/repository.fixture.js';
import { findWorktrees, sweepWorktrees } from './found.js';
import { readMark, writeMark } from './mark.js';
import { occupantsOf } from './occupants.js';
import { dirtyRepository, photograph, plainFolder, site } from './worktree.fixture.js';

test.each([dirtyRepository, plainFolder])(
  '[SYN6a] made ones are found again by their marks, and nothing else is',
  async (make) => {
    const at = await site(make());
    const one = await at.make('one');
    mkdirSync(join(at.home, 'stranger', 'project'), { recursive: true });
    writeFileSync(join(at.home, 'file'), '');
    writeFiles(at.home, {
      'broken/mark.json': '{',
      'outside/mark.json': mark({ folder: '../..' }),
      'old/mark.json': '{}',
    });
    expect(await findWorktrees(at.home)).toEqual([
      {
        name: 'one',
        kind: one.kind,
        root: at.root,
        path: one.path,
        top: one.top,
        head: one.head,
        portBase: one.portBase,
      },
    ]);
    for (const name of ['stranger', 'file', 'broken', 'outside', 'old', 'none', '..', '.'])
      expect(await at.remove(name)).toEqual({ ok: false, error: { code: 'not-ours', name } });
    expect(readdirSync(at.home).sort()).toEqual(['broken', 'file', 'old', 'one', 'outside', 'stranger']);
  },
);

const mark = (fields: object) =>
  JSON.stringify({ version: 1, state: 'made', root: '/', prefix: '', links: [], ...fields });

test('[SYN6b] removal follows no link and leaves other worktrees alone', async () => {
  const at = await site(dirtyRepository());
  userGit(at.root, 'worktree', 'add', '-q', '--detach', join(at.root, '../theirs'));
  const outside = writeFiles(tempFolder(), { precious: 'precious\n' });
  const made = await at.make();
  symlinkSync(outside, join(made.path, 'linked-folder'));
  symlinkSync(at.root, join(made.path, 'node_modules/back'));
  mkdirSync(join(made.path, 'locked/deep'), { recursive: true });
  writeFiles(made.path, { 'locked/deep/file': 'x' });
  chmodSync(join(made.path, 'locked/deep'), 0o500);
  chmodSync(join(made.path, 'locked'), 0o000);
  const before = photograph(at.root);
  expect(await at.remove()).toEqual({ ok: true, value: null });
  expect([photograph(at.root), photograph(outside), readdirSync(at.home)]).toEqual([
    before,
    ['precious precious\n'],
    [],
  ]);
  expect(userGit(at.root, 'worktree', 'list', '--porcelain')).toContain('/theirs');
  expect(userGit(join(at.root, '../theirs'), 'status', '--porcelain')).toBe('');
});

test('[SYN6c] a worktree in which a process works is not removed', async () => {
  const at = await site(plainFolder());
  const made = await at.make();
  const child = spawn('sleep', ['600'], { cwd: join(made.path, 'untracked'), stdio: 'ignore' });
  try {
    expect(await occupantsOf(made.path)).toEqual([
      { pid: child.pid, command: 'sleep', cwd: join(made.path, 'untracked') },
    ]);
    expect(await at.remove()).toMatchObject({ ok: false, error: { code: 'busy', processes: [{ pid: child.pid }] } });
    expect(existsSync(made.path)).toBe(true);
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }
  expect(await at.remove()).toMatchObject({ ok: true });
});

test('[SYN6d] commits that no branch has keep a worktree from being removed, unless they are to be left', async () => {
  const at = await site(dirtyRepository());
  const made = await at.make();
  userGit(made.path, 'commit', '-qam', 'detached');
  const head = userGit(made.path, 'rev-parse', 'HEAD');
  expect(await at.remove()).toEqual({ ok: false, error: { code: 'commits', head, count: 1 } });
  userGit(made.path, 'branch', 'kept');
  expect(await at.remove()).toMatchObject({ ok: true });
  expect(userGit(at.root, 'rev-parse', 'kept')).toBe(head);
  const again = await at.make('again');
  userGit(again.path, 'commit', '-qam', 'detached too');
  expect(await at.remove('again', 'leave')).toMatchObject({ ok: true });
});

test('[SYN6e] an entry of git that leads elsewhere by now is not removed', async () => {
  const at = await site(dirtyRepository());
  const made = await at.make();
  const moved = join(tempFolder(), 'moved');
  userGit(at.root, 'worktree', 'unlock', made.top);
  userGit(at.root, 'worktree', 'move', made.top, moved);
  expect(await at.remove()).toMatchObject({ ok: true });
  expect(userGit(moved, 'rev-parse', 'HEAD')).toBe(made.head);
});

test('[SYN6e] a repository that is gone, or a tree that is gone, does not keep the rest from going', async () => {
  const at = await site(dirtyRepository());
  await at.make('one');
  const two = await at.make('two');
  renameSync(two.top, join(tempFolder(), 'away'));
  expect(await at.remove('two')).toMatchObject({ ok: true });
  renameSync(join(at.root, '.git'), join(at.root, 'git-away'));
  expect(await at.remove('one')).toMatchObject({ ok: true });
  expect(readdirSync(at.home)).toEqual([]);
  expect(readdirSync(join(at.root, 'git-away/worktrees'))).toHaveLength(1);
});

test('[SYN6f] what a process left behind that died while it made one is swept', async () => {
  const at = await site(dirtyRepository());
  const kept = await at.make('kept');
  await at.make('half');
  const half = readMark(at.home, 'half')!;
  // As it stands right after git made its entry: the mark says that it was about to.
  await writeMark(at.home, 'half', {
    ...half,
    state: 'making',
    links: half.links.map((link) => ({ ...link, entry: null })),
  });
  expect((await findWorktrees(at.home)).map(({ name }) => name)).toEqual(['kept']);
  await sweepWorktrees(at.home);
  expect(readdirSync(at.home)).toEqual(['kept']);
  const entries = readdirSync(join(at.root, '.git/worktrees'));
  expect(entries).toHaveLength(1);
  expect(readFileSync(join(at.root, '.git/worktrees', entries[0]!, 'gitdir'), 'utf8')).toBe(`${kept.top}/.git\n`);
});

test('[SYN6f] one that is being removed is not listed any more, and goes', async () => {
  const at = await site(dirtyRepository());
  await at.make('one');
  await writeMark(at.home, 'one', { ...readMark(at.home, 'one')!, state: 'removing' });
  expect(await findWorktrees(at.home)).toEqual([]);
  await sweepWorktrees(at.home);
  expect([readdirSync(at.home), existsSync(join(at.root, '.git/worktrees'))]).toEqual([[], false]);
});
