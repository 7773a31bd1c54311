import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openObjects } from './objects.js';
import { committed, tempFolder, testGit, userGit } from './repository.fixture.js';
import { sealedEnvironment, sealGit } from './run.js';

const folder = tempFolder();

/** A program that leaves a mark when it runs, and then does nothing useful. */
function trap(name: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\necho "$0 $*" >> ${folder}/sprung\nexit 1\n`);
  chmodSync(path, 0o755);
  return path;
}

test('[SEC4e] no GIT_ variable of the caller, and no HOME, reaches git', () => {
  const environment = sealedEnvironment(
    {
      PATH: '/bin',
      HOME: '/home/x',
      GIT_DIR: '/evil',
      GIT_SSH_COMMAND: 'evil',
      GIT_CONFIG_COUNT: '1',
      XDG_CONFIG_HOME: '/x',
    },
    '/ours',
  );
  expect(environment.GIT_DIR).toBe('/ours');
  expect(Object.keys(environment)).not.toContain('GIT_SSH_COMMAND');
  expect(Object.keys(environment)).not.toContain('GIT_CONFIG_COUNT');
  expect(Object.keys(environment)).not.toContain('HOME');
  expect(Object.keys(environment)).not.toContain('XDG_CONFIG_HOME');
});

test('[SEC4e] a repository with a hostile configuration runs nothing of its own', async () => {
  const hooks = join(folder, 'hooks');
  mkdirSync(hooks);
  const spring = trap('spring');
  for (const hook of [
    'reference-transaction',
    'post-checkout',
    'pre-auto-gc',
    'post-index-change',
    'fsmonitor-watchman',
  ])
    writeFileSync(join(hooks, hook), readFileSync(spring), { mode: 0o755 });
  const repository = committed(join(folder, 'hostile'), {
    a: 'a\n',
    '.gitattributes': '* filter=evil diff=evil merge=evil\n',
  });
  const gitDir = join(repository, '.git');
  writeFileSync(join(folder, 'included'), `[core]\n\tsshCommand = ${spring}\n\tfsmonitor = ${spring}\n`);
  writeFileSync(
    join(gitDir, 'config'),
    `[core]
	repositoryformatversion = 0
	bare = false
	worktree = /
	hooksPath = ${hooks}
	fsmonitor = ${spring}
	sshCommand = ${spring}
	pager = ${spring}
	editor = ${spring}
	askPass = ${spring}
	alternateRefsCommand = ${spring}
	autocrlf = true
[include]
	path = ${folder}/included
[filter "evil"]
	clean = ${spring}
	smudge = ${spring}
	process = ${spring}
	required = true
[diff]
	external = ${spring}
[diff "evil"]
	textconv = ${spring}
	command = ${spring}
[commit]
	gpgSign = true
[gpg]
	program = ${spring}
[credential]
	helper = ${spring}
[alias]
	cat-file = !${spring}
	pack-objects = !${spring}
	rev-list = !${spring}
[remote "origin"]
	url = ext::${spring}
	promisor = true
	partialclonefilter = blob:none
[extensions]
	partialClone = origin
`,
  );
  const id = '78981922613b2afb6025042ff6bd878ac1994e85';
  const absent = '0123456789012345678901234567890123456789';
  const stdin = Buffer.from(`${id}\n${absent}\n`);
  const batch = await testGit.run({ gitDir, args: ['cat-file', '--batch'], stdin });
  // Git either calls the absent object missing, or fails to fetch it from the remote that is not allowed.
  if (batch.ok) expect(batch.value.toString()).toBe(`${id} blob 2\na\n\n${absent} missing\n`);
  for (const args of [
    ['rev-list', '--objects', 'HEAD'],
    ['update-ref', 'refs/heads/x', 'HEAD'],
    ['pack-objects', '-q', join(folder, 'out')],
    ['gc', '--auto'],
  ]) {
    await testGit.run({ gitDir, args, stdin: Buffer.from(`${id}\n`) });
  }
  expect(existsSync(join(folder, 'sprung'))).toBe(false);
  // The traps are live: a git that is not sealed does run them.
  expect(() => userGit(repository, 'update-ref', 'refs/heads/y', 'HEAD')).toThrow('git');
  expect(existsSync(join(folder, 'sprung'))).toBe(true);
});

test('[SEC4e] an object that is missing is fetched from nowhere, even by a git that does not know GIT_NO_LAZY_FETCH', async () => {
  const older = join(folder, 'older-git');
  writeFileSync(older, '#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nexec git "$@"\n', { mode: 0o755 });
  const uploadPack = trap('upload-pack');
  const gitDir = join(committed(join(folder, 'partial'), { a: 'a\n' }), '.git');
  // A setting for one protocol outranks `protocol.allow`, wherever that is set.
  writeFileSync(
    join(gitDir, 'config'),
    `[core]
	repositoryformatversion = 1
[extensions]
	partialClone = origin
[remote "origin"]
	url = ${gitDir}
	promisor = true
	uploadpack = ${uploadPack}
[protocol "file"]
	allow = always
`,
  );
  const absent = '0123456789012345678901234567890123456789';
  const read = await sealGit(process.env, { executable: older }).run({ gitDir, args: ['cat-file', 'blob', absent] });
  expect(read).toMatchObject({ ok: false, error: { code: 'git-exit' } });
  const sprung = join(folder, 'sprung');
  const ran = () => (existsSync(sprung) ? readFileSync(sprung, 'utf8') : '');
  expect(ran()).not.toContain(uploadPack);
  // The trap is live: a git that is not sealed does run it.
  expect(() => userGit(gitDir, 'cat-file', 'blob', absent)).toThrow('git');
  expect(ran()).toContain(uploadPack);
});

test('[CHK8i] a git that is not there is a typed error, not a crash', async () => {
  const git = sealGit(process.env, { executable: join(folder, 'no-such-git') });
  const result = await git.run({ gitDir: folder, args: ['version'] });
  expect(result).toMatchObject({ ok: false, error: { code: 'git-missing' } });
  const objects = await openObjects(join(folder, 'gitless.git'), { git, durability: 'lazy' });
  const id = await objects.write('blob', Buffer.from('still written'));
  expect(await objects.read(id)).toMatchObject({ ok: true, value: { type: 'blob' } });
  expect(await objects.read('0'.repeat(40))).toMatchObject({ ok: false, error: { code: 'git-missing' } });
  await objects.close();
});

test('[CHK8i] exit code, time limit, output limit and cancellation are told apart', async () => {
  const run = (args: string[], more: object = {}) => testGit.run({ gitDir: folder, args, ...more });
  expect(await run(['no-such-command'])).toMatchObject({ ok: false, error: { code: 'git-exit', exitCode: 1 } });
  const slow = join(folder, 'slow-git');
  writeFileSync(slow, '#!/bin/sh\nexec sleep 30\n', { mode: 0o755 });
  const sleepy = sealGit(process.env, { executable: slow });
  expect(await sleepy.run({ gitDir: folder, args: ['x'], timeoutMs: 50 })).toMatchObject({
    ok: false,
    error: { code: 'git-killed', why: 'timeout' },
  });
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 50);
  expect(await sleepy.run({ gitDir: folder, args: ['x'], signal: abort.signal })).toMatchObject({
    ok: false,
    error: { code: 'git-killed', why: 'cancelled' },
  });
  const loud = join(folder, 'loud-git');
  writeFileSync(loud, '#!/bin/sh\nexec yes\n', { mode: 0o755 });
  expect(
    await sealGit(process.env, { executable: loud }).run({ gitDir: folder, args: ['x'], outputLimitBytes: 1000 }),
  ).toMatchObject({ ok: false, error: { code: 'git-killed', why: 'output-limit' } });
});
