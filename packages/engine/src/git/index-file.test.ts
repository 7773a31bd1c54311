import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ends } from '../../../../test/patience.fixture.js';
import { parseIndex, readIndexFile } from './index-file.js';
import { committed, diverged, tempFolder, userGit, writeFiles } from './repository.fixture.js';

const folder = tempFolder();
const long = `long/${'x'.repeat(250)}/${'y'.repeat(250)}`;
const files = {
  'a b.txt': 'one\n',
  'dir/é.txt': 'two\n',
  'dir/sub/empty': '',
  '-dash': 'x',
  'new\nline': 'y',
  [long]: 'z',
};
const repository = committed(join(folder, 'plain'), files);
symlinkSync('a b.txt', join(repository, 'link'));
writeFileSync(join(repository, 'run'), '#!/bin/sh\n', { mode: 0o755 });
userGit(repository, 'add', '-A');

async function entriesOf(repo: string) {
  const read = await readIndexFile(join(repo, '.git/index'));
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

describe.each([2, 4])('version %i', (version) => {
  test('[CHK6b] the index says what git says, and its times are those of fs.stat', async () => {
    userGit(repository, 'update-index', `--index-version=${version}`, '--force-write-index');
    const { entries, mtimeMs } = await entriesOf(repository);
    const staged = userGit(repository, 'ls-files', '-s', '-z').split('\0').slice(0, -1);
    expect(entries.map((entry) => `${entry.mode} ${entry.oid} ${entry.stage}\t${entry.path}`)).toEqual(staged);
    expect(mtimeMs).toBe(statSync(join(repository, '.git/index')).mtimeMs);
    for (const entry of entries) {
      const stat = lstatSync(join(repository, entry.path));
      expect(entry).toMatchObject({
        mtimeMs: stat.mtimeMs,
        ctimeMs: stat.ctimeMs,
        size: stat.size,
        ino: stat.ino % 2 ** 32,
      });
    }
  });
});

test('[CHK6b] the flags of version 3 are read', async () => {
  const repo = committed(join(folder, 'flags'), { a: 'a', b: 'b', c: 'c' });
  userGit(repo, 'update-index', '--assume-unchanged', 'a');
  userGit(repo, 'update-index', '--skip-worktree', 'b');
  writeFiles(repo, { d: 'd' });
  userGit(repo, 'add', '-N', 'd');
  const flags = (await entriesOf(repo)).entries.map(
    (entry) =>
      `${entry.path}${entry.assumeValid ? ' valid' : ''}${entry.skipWorktree ? ' skip' : ''}${entry.intentToAdd ? ' intent' : ''}`,
  );
  expect(flags).toEqual(['a valid', 'b skip', 'c', 'd intent']);
});

test('[CHK6b] the sides of an unresolved merge keep their stages', async () => {
  const repo = diverged(join(folder, 'merge'));
  expect(() => userGit(repo, 'merge', '-q', 'other')).toThrow('merge');
  expect((await entriesOf(repo)).entries.map((entry) => entry.stage)).toEqual([1, 2, 3]);
});

test('[CHK6b] a split index and sparse directories are called unsupported', async () => {
  const split = committed(join(folder, 'split'), { a: 'a' });
  userGit(split, 'update-index', '--split-index');
  expect(await readIndexFile(join(split, '.git/index'))).toEqual({
    ok: false,
    error: { code: 'unsupported', what: 'split index' },
  });
  const sparse = committed(join(folder, 'sparse'), { 'a/x': '1', 'b/y': '2', z: '3' });
  userGit(sparse, 'sparse-checkout', 'init', '--cone', '--sparse-index');
  userGit(sparse, 'sparse-checkout', 'set', 'a');
  expect(await readIndexFile(join(sparse, '.git/index'))).toEqual({
    ok: false,
    error: { code: 'unsupported', what: 'sparse directories' },
  });
});

test('[CAP8c] a repository without an index is told apart from a damaged one', async () => {
  expect(await readIndexFile(join(folder, 'nowhere'))).toEqual({ ok: false, error: { code: 'missing' } });
  mkdirSync(join(folder, 'a-folder'));
  expect(await readIndexFile(join(folder, 'a-folder'))).toMatchObject({
    ok: false,
    error: { code: 'unsupported' },
  });
});

test('[SEC4f] [CHK6b] an index with flipped bits, or cut short, gives an answer', () => {
  const data = readFileSync(join(repository, '.git/index'));
  fc.assert(
    fc.property(fc.nat(data.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const broken = Buffer.from(data);
      broken[at] = (broken[at] ?? 0) ^ change;
      expect(typeof parseIndex(broken).ok).toBe('boolean');
      expect(typeof parseIndex(data.subarray(0, at)).ok).toBe('boolean');
    }),
  );
});

test.each(['../x', 'a/../b', '/etc/passwd', '.git/hooks/x', 'a/.git', 'a//b', '.'])(
  '[SEC4f] an index that names %j is refused',
  (path) => {
    expect(parseIndex(syntheticIndex([path]))).toMatchObject({ ok: false, error: { code: 'damaged' } });
  },
);

test('[CHK6b] a hundred thousand entries are parsed', () => {
  const data = syntheticIndex(
    Array.from({ length: 100_000 }, (_, n) => `packages/member-${n % 100}/src/file-${n}.ts`).sort(),
  );
  const parsed = ends(() => parseIndex(data));
  expect(parsed.ok && parsed.value.entries.length).toBe(100_000);
});

/** Version 2, every entry the same but for its path. */
function syntheticIndex(paths: readonly string[]): Buffer {
  const header = Buffer.from('DIRC\0\0\0\x02\0\0\0\0', 'latin1');
  header.writeUInt32BE(paths.length, 8);
  const entries = paths.map((path) => {
    const name = Buffer.from(path);
    const entry = Buffer.alloc((62 + name.length + 8) & ~7);
    entry.writeUInt32BE(0o100644, 24);
    entry.writeUInt16BE(name.length, 60);
    name.copy(entry, 62);
    return entry;
  });
  const body = Buffer.concat([header, ...entries]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}
