import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { asPath } from '@palimpsest/core';
import { afterAll, describe, expect, test } from 'vitest';
import { coverageRules } from './coverage-rules.js';
import { newFolder, put } from './folder.fixture.js';
import { DEFAULT_TREE_LIMITS } from './limits.js';
import { listFolder, openScanner } from './scan.js';
import { statIsProof, statPaths } from './stat.js';

/** Large workspaces are scanned in a thread, small ones where the scan is asked for: what comes of it is the same. */
const PLACES = { 'in a thread of its own': 0, 'in the calling thread': 500 } as const;

describe.each(Object.entries(PLACES))('a scan %s', (_, hereUpTo) => {
  const scanner = openScanner([], hereUpTo);
  afterAll(() => scanner.close());

  async function scanned(root: string) {
    const outcome = await scanner.scan(coverageRules(root));
    if (!outcome.ok) throw new Error(outcome.error.code);
    return outcome.value;
  }

  test('[CAP1b] a scan gives path, mode and stat of every covered file, and the folders', async () => {
    const root = put(newFolder(), { a: 'xyz', 'd/e/b': '', 'new\nline': '1' });
    symlinkSync('nowhere', join(root, 'link'));
    put(root, { run: '#!/bin/sh' });
    (await import('node:fs')).chmodSync(join(root, 'run'), 0o755);
    const tree = await scanned(root);
    const seen = Object.fromEntries([...tree.files()].map(({ path, stat }) => [path, `${stat.mode} ${stat.size}`]));
    expect(seen).toEqual({
      a: '100644 3',
      'd/e/b': '100644 0',
      'new\nline': '100644 1',
      link: '120000 7',
      run: '100755 9',
    });
    expect(tree.folders).toEqual(['d', 'd/e']);
    const standing = statPaths(root, [asPath('a')]).get(asPath('a'));
    expect(standing).toEqual({ kind: 'file', stat: tree.find(asPath('a')) });
    expect(tree.find(asPath('nope'))).toBeNull();
  });

  test('an empty workspace is a tree without files', async () => {
    const tree = await scanned(newFolder());
    expect([tree.count, tree.folders, [...tree.files()]]).toEqual([0, [], []]);
  });

  test('[CHK5e] the root of a disk, and a folder that holds the home folder, are refused', async () => {
    const home = newFolder();
    const wary = openScanner([home], hereUpTo);
    const codes = [];
    for (const root of ['/', home, join(home, '..')]) codes.push((await wary.scan(coverageRules(root))).ok);
    expect(codes).toEqual([false, false, false]);
    expect((await wary.scan(coverageRules(put(join(home, 'work'), { a: '' })))).ok).toBe(true);
    await wary.close();
  });

  test('[CHK5e] more entries than the limit are refused with the limit', async () => {
    const root = put(newFolder(), { a: '', b: '', c: '' });
    const outcome = await scanner.scan(coverageRules(root, { limits: { ...DEFAULT_TREE_LIMITS, entries: 3 } }));
    expect(outcome).toMatchObject({ ok: false, error: { code: 'too-many-files', limit: 3 } });
  });

  test('a root that is missing or a file is an error, not an empty tree', async () => {
    const root = put(newFolder(), { file: '' });
    for (const bad of ['gone', 'file']) {
      expect(await scanner.scan(coverageRules(join(root, bad)))).toMatchObject({
        ok: false,
        error: { code: 'no-folder' },
      });
    }
  });

  test('a scan while folders come and go never fails', async () => {
    const root = newFolder();
    for (let n = 0; n < 200; n++) put(root, { [`d${n}/e/f`]: '' });
    const scans = Promise.all(Array.from({ length: 8 }, () => scanned(root)));
    for (let n = 0; n < 200; n++) {
      if (n % 2 === 0) rmSync(join(root, `d${n}`), { recursive: true });
      else renameSync(join(root, `d${n}`), join(root, `m${n}`));
      if (n % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await scans;
    expect((await scanned(root)).count).toBe(100);
  });
});

test('a workspace that has become large is scanned in full all the same', async () => {
  const own = openScanner([], 3);
  const root = put(newFolder(), { a: '', b: '' });
  const counts = [];
  for (const more of [{}, { c: '', d: '' }, { e: '' }]) {
    const outcome = await own.scan(coverageRules(put(root, more)));
    counts.push(outcome.ok && outcome.value.count);
  }
  expect(counts).toEqual([2, 4, 5]);
  await own.close();
});

test('asked after it was closed, the scanner starts again; closed while asked, it answers', async () => {
  const own = openScanner([], 0);
  const asked = own.scan(coverageRules(newFolder()));
  await own.close();
  expect(await asked).toMatchObject({ ok: false, error: { code: 'scan-failed' } });
  expect((await own.scan(coverageRules(newFolder()))).ok).toBe(true);
  await own.close();
});

test('[CAP1b] listing one folder gives what the scan gives below it', async () => {
  const root = put(newFolder(), { '.gitignore': 'dist', 'p/a': '', 'p/dist/b': '', 'p/q/c': '', other: '' });
  const tree = listFolder(coverageRules(root), asPath('p'));
  expect([...(tree?.files() ?? [])].map((file) => file.path)).toEqual(['p/a', 'p/q/c']);
  expect(listFolder(coverageRules(root), asPath('p/dist'))?.coverage.uncovered).toEqual([
    { path: 'p/dist/', reason: 'ignored' },
  ]);
  expect(listFolder(coverageRules(root), asPath('gone'))?.count).toBe(0);
});

test('statPaths tells missing, folder and what lies behind a link', () => {
  const root = put(newFolder(), { 'd/a': 'x', f: '' });
  symlinkSync('d', join(root, 'l'));
  mkdirSync(join(root, 'e'));
  const kinds = [...statPaths(root, ['d/a', 'gone', 'e', 'l', 'l/a', 'f/x', 'gone/y'].map(asPath)).values()].map(
    (s) => s.kind,
  );
  expect(kinds).toEqual(['file', 'missing', 'folder', 'file', 'missing', 'missing', 'missing']);
});

test('[FRE2c] a stat as young as the clock step proves nothing', () => {
  const stat = { mode: '100644', size: 1, mtimeMs: 1000, ctimeMs: 1005, ino: 1 } as const;
  expect([statIsProof(stat, 1006), statIsProof(stat, 1100)]).toEqual([false, true]);
});
