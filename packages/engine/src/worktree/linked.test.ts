import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { committed, fingerprint, tempFolder, userGit, writeFiles } from '../git/repository.fixture.js';
import { dirtyRepository, photograph, site, status } from './worktree.fixture.js';

const head = (folder: string) => userGit(folder, 'rev-parse', 'HEAD');

test('[SYN1i] git shows there what it shows the human: what is staged, edited, deleted, renamed and new', async () => {
  const at = await site(dirtyRepository());
  const theirs = status(at.root);
  const made = await at.make();
  expect(theirs).toContain('MM both.txt');
  expect(status(made.path)).toBe(theirs);
  expect(userGit(made.path, 'diff')).toBe(userGit(at.root, 'diff'));
  expect(userGit(made.path, 'diff', '--cached')).toBe(userGit(at.root, 'diff', '--cached'));
  expect([head(made.path), made.head]).toEqual([head(at.root), head(at.root)]);
  expect(userGit(made.path, 'branch', '--show-current')).toBe('');
  expect(userGit(made.path, 'fsck', '--no-dangling')).toBe('');
});

test('[SYN1i] nothing of the repository is changed but for the entry of the worktree', async () => {
  const at = await site(dirtyRepository());
  userGit(at.root, 'stash', 'create');
  const photo = () => [
    fingerprint(join(at.root, '.git')).filter((line) => !line.startsWith('worktrees')),
    readFileSync(join(at.root, '.git/index')).toString('hex'),
    userGit(at.root, 'for-each-ref'),
  ];
  const before = photo();
  const made = await at.make();
  expect(photo()).toEqual(before);
  expect(existsSync(join(at.root, '.git/worktrees', basename(made.top)))).toBe(true);
  expect(await at.remove()).toMatchObject({ ok: true });
  expect([photo(), existsSync(join(at.root, '.git/worktrees'))]).toEqual([before, false]);
});

test('[SYN1i] git need not read the files that are as they are staged', async () => {
  const root = committed(join(tempFolder(), 'project'), {
    ...Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`f${n}`, `${n}\n`])),
  });
  writeFiles(root, { f3: 'edited\n' });
  const at = await site(root);
  const made = await at.make();
  const entries = userGit(made.path, 'ls-files', '--debug').split(/\n(?=f)/);
  const known = entries.filter((entry) => !entry.includes('ino: 0'));
  expect([entries.length, known.length]).toEqual([40, 39]);
  for (const entry of known) {
    const name = entry.split('\n')[0]!;
    const { ino, size } = statSync(join(made.path, name));
    expect(entry).toContain(`ino: ${ino % 2 ** 32}`);
    expect(entry).toContain(`size: ${size}`);
  }
});

test('[SYN1j] no hook, filter, monitor or configuration of the repository runs', async () => {
  const root = dirtyRepository();
  const trace = join(tempFolder(), 'trace');
  const run = join(tempFolder(), 'run.sh');
  writeFileSync(run, `#!/bin/sh\necho "$0 $*" >> ${trace}\ncat\n`);
  chmodSync(run, 0o755);
  for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change', 'pre-auto-gc', 'post-update']) {
    mkdirSync(join(root, '.git/hooks'), { recursive: true });
    writeFileSync(join(root, '.git/hooks', hook), `#!/bin/sh\n${run} ${hook}\n`, { mode: 0o755 });
  }
  for (const [key, value] of [
    ['filter.evil.clean', run],
    ['filter.evil.smudge', run],
    ['filter.evil.process', run],
    ['filter.evil.required', 'true'],
    ['core.fsmonitor', run],
    ['core.sshCommand', run],
    ['core.hooksPath', join(root, '.git/hooks')],
    ['core.attributesFile', join(root, 'attributes')],
    ['diff.external', run],
    ['core.alternateRefsCommand', run],
  ] as const)
    userGit(root, 'config', key, value);
  writeFiles(root, { '.gitattributes': '* filter=evil\n*.txt text eol=crlf ident\n', 'keyword.txt': '$Id$\n' });
  const at = await site(root);
  const made = await at.make();
  expect(existsSync(trace)).toBe(false);
  expect(photograph(made.path)).toContain('keyword.txt $Id$\n');
  expect(await at.remove()).toMatchObject({ ok: true });
  expect(existsSync(trace)).toBe(false);
});

describe('what git keeps in other forms', () => {
  test('[SYN1k] files that a filter or a line ending converts come as they are on disk, and are clean', async () => {
    const root = committed(join(tempFolder(), 'project'), { 'a.txt': 'one\ntwo\n', 'big.bin': 'pointer\n' });
    userGit(root, 'config', 'filter.lfs.clean', "sed 's/.*/pointer/'");
    userGit(root, 'config', 'filter.lfs.smudge', 'echo contents');
    writeFiles(root, { '.gitattributes': '*.txt text eol=crlf\n*.bin filter=lfs\n' });
    userGit(root, 'add', '.gitattributes');
    userGit(root, 'commit', '-qm', 'attributes');
    execFileSync('rm', [join(root, 'a.txt'), join(root, 'big.bin')]);
    userGit(root, 'checkout', '.');
    expect([readFileSync(join(root, 'a.txt'), 'utf8'), status(root)]).toEqual(['one\r\ntwo\r\n', '']);
    const made = await (await site(root)).make();
    expect(readFileSync(join(made.path, 'a.txt'), 'utf8')).toBe('one\r\ntwo\r\n');
    expect(readFileSync(join(made.path, 'big.bin'), 'utf8')).toBe('contents\n');
    expect(status(made.path)).toBe('');
  });

  test('[SYN1k] a sparse checkout stays sparse, with the sparse index too', async () => {
    for (const form of ['--no-sparse-index', '--sparse-index']) {
      const root = committed(join(tempFolder(), 'project'), { 'in/a': 'a', 'out/b': 'b', 'out/deep/c': 'c', top: 't' });
      userGit(root, 'sparse-checkout', 'set', '--cone', form, 'in');
      writeFiles(root, { 'in/a': 'edited', 'in/new': 'new' });
      const made = await (await site(root)).make();
      expect(photograph(made.path).map((line) => line.split(' ')[0])).toEqual(['in/a', 'in/new', 'top']);
      expect(status(made.path)).toBe(status(root));
    }
  });

  test('[SYN1k] a split index, version 4, an untracked cache, ids of 64 digits', async () => {
    const forms: ((root: string) => void)[] = [
      (root) => userGit(root, 'update-index', '--split-index'),
      (root) => userGit(root, 'update-index', '--index-version=4', '--force-write-index'),
      (root) => userGit(root, 'update-index', '--untracked-cache', '--force-write-index'),
      (root) => userGit(root, 'config', 'index.skipHash', 'true'),
    ];
    for (const form of forms) {
      const root = dirtyRepository();
      form(root);
      const theirs = status(root);
      const made = await (await site(root)).make();
      expect(status(made.path)).toBe(theirs);
    }
    const root = join(tempFolder(), 'sha256');
    mkdirSync(root);
    userGit(root, 'init', '-q', '--object-format=sha256');
    writeFiles(root, { a: 'a\n', b: 'b\n', '.gitignore': '*.log\n', 'kept.log': 'k\n' });
    userGit(root, 'add', '-f', '.');
    userGit(root, 'commit', '-qm', 'first');
    writeFiles(root, { b: 'edited\n', c: 'new\n' });
    const made = await (await site(root)).make();
    expect([status(made.path), made.kind]).toEqual([status(root), 'linked']);
  });

  test('[SYN1k] a merge that is not finished comes with its conflicts', async () => {
    const root = committed(join(tempFolder(), 'project'), { a: 'base\n' });
    userGit(root, 'checkout', '-qb', 'other');
    writeFiles(root, { a: 'other\n' });
    userGit(root, 'commit', '-qam', 'other');
    userGit(root, 'checkout', '-q', 'main');
    writeFiles(root, { a: 'main\n' });
    userGit(root, 'commit', '-qam', 'main');
    expect(() => userGit(root, 'merge', '-q', 'other')).toThrow();
    const made = await (await site(root)).make();
    expect(status(made.path)).toBe('UU a');
    expect(readFileSync(join(made.path, 'a'), 'utf8')).toBe(readFileSync(join(root, 'a'), 'utf8'));
  });
});

test('[SYN1l] submodules and repositories inside of the workspace are linked too', async () => {
  const library = committed(join(tempFolder(), 'library'), { 'lib.c': 'int x;\n' });
  const root = dirtyRepository();
  userGit(root, 'submodule', '--quiet', 'add', library, 'vendor/lib');
  userGit(root, 'commit', '-qm', 'submodule');
  writeFiles(root, { 'vendor/lib/lib.c': 'int y;\n', 'vendor/lib/new.c': 'new\n' });
  committed(join(root, 'nested'), { n: 'n\n', 'n.log': 'tracked there\n' });
  writeFiles(root, { 'nested/n': 'edited\n' });
  const at = await site(root);
  const made = await at.make();
  for (const folder of ['', 'vendor/lib', 'nested']) {
    expect(status(join(made.path, folder))).toBe(status(join(root, folder)));
    expect(head(join(made.path, folder))).toBe(head(join(root, folder)));
  }
  userGit(join(made.path, 'nested'), 'checkout', '-q', '-b', 'there');
  userGit(join(made.path, 'nested'), 'commit', '-qam', 'in the worktree');
  expect(userGit(join(root, 'nested'), 'log', '-1', '--format=%s', 'there')).toBe('in the worktree');
  expect(await at.remove()).toMatchObject({ ok: true });
  expect(existsSync(join(root, '.git/modules/vendor/lib/worktrees'))).toBe(false);
  expect(existsSync(join(root, 'nested/.git/worktrees'))).toBe(false);
});

test('[SYN1l] of a repository without commits inside of the workspace the files come along, and it is listed', async () => {
  const root = dirtyRepository();
  mkdirSync(join(root, 'unborn'));
  userGit(join(root, 'unborn'), 'init', '-q');
  writeFiles(root, { 'unborn/u': 'u\n', 'odd/.git': 'gitdir: nowhere\n', 'odd/o': 'o\n' });
  const made = await (await site(root)).make();
  for (const path of ['unborn/', 'odd/']) expect(made.notCarried).toContainEqual({ path, reason: 'nested-repository' });
  expect(photograph(made.path)).toEqual(expect.arrayContaining(['unborn/u u\n', 'odd/o o\n']));
});

test('[SYN1l] a workspace that is a submodule, and one that is a folder inside a repository', async () => {
  const library = committed(join(tempFolder(), 'library'), { 'lib.c': 'int x;\n' });
  const outer = dirtyRepository();
  userGit(outer, 'submodule', '--quiet', 'add', library, 'lib');
  writeFiles(outer, { 'lib/lib.c': 'edited\n' });
  const submodule = await (await site(join(outer, 'lib'))).make();
  expect(status(submodule.path)).toBe(status(join(outer, 'lib')));

  const repository = committed(join(tempFolder(), 'project'), { 'app/a': 'a\n', 'other/b': 'b\n', top: 't\n' });
  writeFiles(repository, { 'app/a': 'edited\n', 'app/new': 'new\n', 'other/b': 'edited too\n' });
  const made = await (await site(join(repository, 'app'))).make();
  expect([basename(made.path), made.top]).toEqual(['app', join(made.path, '..')]);
  expect(status(made.top)).toBe(status(repository));
  expect(made.carried).toContainEqual({ path: '../', what: 'outside', by: 'copy' });
});

test('[SYN1e] a virtual environment of Python installs into itself', async () => {
  const root = dirtyRepository();
  writeFiles(root, {
    '.venv/pyvenv.cfg': 'home = /usr/bin\n',
    '.venv/bin/pip': `#!${root}/.venv/bin/python\nimport pip\n`,
    '.venv/bin/activate': `VIRTUAL_ENV=${root}/.venv\nOTHER=${root}-two/.venv\n`,
    '.venv/lib/python3/site-packages/app.pth': `${root}/src\n`,
    '.venv/lib/python3/site-packages/data.txt': `${root}/src\n`,
  });
  const made = await (await site(root)).make();
  const read = (path: string) => readFileSync(join(made.path, '.venv', path), 'utf8');
  expect(read('bin/pip')).toBe(`#!${made.path}/.venv/bin/python\nimport pip\n`);
  expect(read('bin/activate')).toBe(`VIRTUAL_ENV=${made.path}/.venv\nOTHER=${root}-two/.venv\n`);
  expect(read('lib/python3/site-packages/app.pth')).toBe(`${made.path}/src\n`);
  expect(read('lib/python3/site-packages/data.txt')).toBe(`${root}/src\n`);
});
