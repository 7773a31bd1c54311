import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asPath } from '@palimpsest/core';
import { afterEach, describe, expect, test } from 'vitest';
import { type CoverageRules, coverageRules } from '../tree/coverage-rules.js';
import { git, newFolder, put } from '../tree/folder.fixture.js';
import { openWatch } from './directory-watch.js';
import { covers } from './watch.fixture.js';
import type { Watch } from './watch.js';

const open: Watch[] = [];
afterEach(async () => {
  for (const watch of open.splice(0)) await watch.close();
});

async function watching(root: string, chosen: Partial<CoverageRules> = {}): Promise<Watch> {
  const watch = await openWatch({ rules: coverageRules(root, chosen), cookieFolder: newFolder(), style: 'folders' });
  open.push(watch);
  return watch;
}

/** What is hinted after doing something, in order, or `rescan`. */
async function hinted(watch: Watch, act: () => void): Promise<string[] | 'rescan'> {
  act();
  const { hints } = await watch.settle();
  return hints === 'rescan' ? 'rescan' : [...hints].sort();
}

describe('[CAP1b] what is hinted', () => {
  test('write, delete, rename, chmod, link, and an atomic save', async () => {
    const root = put(newFolder(), { a: '1', b: '1', 'd/c': '1' });
    const watch = await watching(root);
    expect(await hinted(watch, () => writeFileSync(join(root, 'd/c'), '2'))).toEqual(['d/c']);
    expect(await hinted(watch, () => unlinkSync(join(root, 'a')))).toEqual(['a']);
    expect(await hinted(watch, () => renameSync(join(root, 'b'), join(root, 'd/e')))).toEqual(['b', 'd/e']);
    expect(await hinted(watch, () => execFileSync('chmod', ['+x', join(root, 'd/e')]))).toEqual(['d/e']);
    expect(await hinted(watch, () => symlinkSync('/etc', join(root, 'l')))).toEqual(['l']);
    const save = () => {
      writeFileSync(join(root, '.tmp-save'), '3');
      renameSync(join(root, '.tmp-save'), join(root, 'd/c'));
    };
    expect(await hinted(watch, save)).toEqual(['d/c']);
  });
  test('[CAP9a] odd names', async () => {
    const root = newFolder();
    const watch = await watching(root);
    const names = ['a b', `q'"`, 'new\nline', 'caf\u00e9', 'cafe\u0301', 'x -> y', '-d', 'b\\s'].sort();
    expect(await hinted(watch, () => put(root, Object.fromEntries(names.map((name) => [name, '']))))).toEqual(names);
  });
  test('[CAP11a] [CAP12b] nothing of scratch, git, dependencies and ignored builds', async () => {
    const root = put(newFolder(), {
      '.gitignore': 'dist',
      'dist/a': '',
      'node_modules/m/i': '',
      '.git/HEAD': '',
      'd/.tmp1/x': '',
    });
    const watch = await watching(root);
    const noise = {
      'dist/a': '1',
      'dist/b/c': '',
      'node_modules/m/i': '1',
      '.git/index': '',
      'd/x.rej': '',
      'd/.tmp1/x': '1',
    };
    expect(await hinted(watch, () => put(root, noise))).toEqual([]);
    const made = await hinted(watch, () => put(root, { 'p/node_modules/n/i': '', 'p/dist/q': '', 'p/r': '' }));
    // The folders themselves may be hinted, what is in them may not.
    expect(made).toEqual(expect.arrayContaining(['p', 'p/r']));
    expect(made).not.toEqual(expect.arrayContaining([expect.stringMatching(/^p\/(dist|node_modules)\//)]));
  });
  test('[CAP12c] tracked files in folders that are left out', async () => {
    const root = put(newFolder(), { '.gitignore': 'dist', 'dist/deep/a': '', 'dist/other/b': '' });
    const watch = await watching(root, { tracked: new Set(['dist/deep/a']) });
    expect(await hinted(watch, () => put(root, { 'dist/deep/a': '1', 'dist/other/b': '1' }))).toEqual(['dist/deep/a']);
  });
  test('[CAP12c] added folders, there already or made later', async () => {
    const root = put(newFolder(), { 'node_modules/m/lib/i': '' });
    const watch = await watching(root);
    await watch.addFolders([asPath('node_modules/m/lib'), asPath('node_modules/n/new')]);
    expect(await hinted(watch, () => put(root, { 'node_modules/m/lib/i': '1' }))).toEqual(['node_modules/m/lib/i']);
    const later = await hinted(watch, () => put(root, { 'node_modules/n/new/j': '' }));
    expect(later).toContain('node_modules/n/new/j');
  });
  test('[CAP8b] files of nested repositories, and a new repository asks for a scan', async () => {
    const root = put(newFolder(), { 'n/.git/HEAD': '', 'n/a': '' });
    const watch = await watching(root);
    expect(await hinted(watch, () => put(root, { 'n/a': '1', 'n/.git/HEAD': '1' }))).toEqual(['n/a']);
    mkdirSync(join(root, 'fresh'));
    await watch.settle();
    expect(await hinted(watch, () => git(join(root, 'fresh'), 'init', '-q'))).toBe('rescan');
  });
  test('[CAP12d] changed ignore rules ask for a scan', async () => {
    const root = put(newFolder(), { 'd/a': '' });
    const watch = await watching(root);
    expect(await hinted(watch, () => put(root, { 'd/.gitignore': 'a' }))).toBe('rescan');
    expect(await hinted(watch, () => put(root, { 'd/.gitignore': 'b' }))).toBe('rescan');
    expect(await hinted(watch, () => put(root, { 'd/a': '1' }))).toEqual(['d/a']);
  });
});

describe('[CAP1b] folders that come, go and move', () => {
  test('50 times mkdir -p and a write at once, and later writes there', async () => {
    const root = newFolder();
    const watch = await watching(root);
    const names = Array.from({ length: 50 }, (_, n) => `n${n}/b/c/f.ts`);
    const script = names.map((name) => `mkdir -p ${name.slice(0, -5)} && echo x > ${name}`).join('\n');
    execFileSync('sh', ['-c', script], { cwd: root });
    const first = await watch.settle();
    expect(names.filter((name) => !covers(first, name))).toEqual([]);
    for (const name of names) writeFileSync(join(root, name), 'y');
    const later = await watch.settle();
    expect(names.filter((name) => !covers(later, name))).toEqual([]);
  });
  test('a moved folder: the old name, the new files, and later writes under the new name only', async () => {
    const root = put(newFolder(), { 'a/d/x': '1', 'a/d/e/y': '1' });
    const watch = await watching(root);
    const moved = await hinted(watch, () => renameSync(join(root, 'a/d'), join(root, 'b')));
    expect(moved).toEqual(['a/d', 'b', 'b/e/y', 'b/x']);
    expect(await hinted(watch, () => put(root, { 'b/e/y': '2' }))).toEqual(['b/e/y']);
  });
  test('a folder removed and made again, at once', async () => {
    const root = put(newFolder(), { 'd/e/x': '1' });
    const watch = await watching(root);
    for (let round = 0; round < 10; round++) {
      const again = () => {
        rmSync(join(root, 'd'), { recursive: true });
        put(root, { 'd/e/x': String(round) });
      };
      expect(await hinted(watch, again)).toContain('d/e/x');
      expect(await hinted(watch, () => put(root, { 'd/e/x': `${round}!` }))).toEqual(['d/e/x']);
    }
  });
  test('two folders exchanged', async () => {
    const root = put(newFolder(), { 'a/x': '1', 'b/x': '2' });
    const watch = await watching(root);
    const exchanged = await hinted(watch, () => execFileSync('sh', ['-c', 'mv a t; mv b a; mv t b'], { cwd: root }));
    expect(exchanged).toEqual(expect.arrayContaining(['a', 'a/x', 'b', 'b/x']));
    expect(await hinted(watch, () => put(root, { 'a/x': '3' }))).toEqual(['a/x']);
  });
  test('a folder exchanged for a link and back', async () => {
    const root = put(newFolder(), { 'd/x': '1', 'other/x': '2' });
    const watch = await watching(root);
    expect(await hinted(watch, () => execFileSync('sh', ['-c', 'rm -r d; ln -s other d'], { cwd: root }))).toContain(
      'd',
    );
    expect(await hinted(watch, () => put(root, { 'other/x': '3' }))).toEqual(['other/x']);
    expect(
      await hinted(watch, () => execFileSync('sh', ['-c', 'rm d; mkdir d; echo 4 > d/x'], { cwd: root })),
    ).toContain('d/x');
  });
});

describe('[I7] when it is too much', () => {
  test('a burst of 2,000 writes is hinted in full', async () => {
    const root = put(newFolder(), { 'd/x': '' });
    const watch = await watching(root);
    const all = await hinted(watch, () => {
      for (let n = 0; n < 2000; n++) writeFileSync(join(root, `d/f${n}`), 'x');
    });
    expect(all).toHaveLength(2000);
  });
  test('20,000 files at once are all hinted, or a scan is asked for', async () => {
    const root = put(newFolder(), { 'd/x': '' });
    const watch = await watching(root);
    execFileSync(process.execPath, ['-e', `for(let n=0;n<20000;n++)require('fs').writeFileSync('d/f'+n,'')`], {
      cwd: root,
    });
    const settled = await watch.settle();
    for (let n = 0; n < 20_000; n += 7) expect(covers(settled, `d/f${n}`)).toBe(true);
    expect(await hinted(watch, () => put(root, { 'd/f5': '1' }))).toEqual(['d/f5']);
  });
  test('no place for cookies: scanning, with a note', async () => {
    const watch = await openWatch({
      rules: coverageRules(newFolder()),
      cookieFolder: '/nowhere/at/all',
      style: 'folders',
    });
    expect([watch.mode, watch.note !== null, await watch.settle()]).toEqual(['scanning', true, { hints: 'rescan' }]);
    await watch.close();
  });
  test('a cookie that does not come back in time: a scan is asked for, now and the next time', async () => {
    const root = newFolder();
    const cookies = newFolder();
    const watch = await openWatch({
      rules: coverageRules(root),
      cookieFolder: cookies,
      style: 'folders',
      settleLimitMs: 50,
    });
    open.push(watch);
    rmSync(cookies, { recursive: true });
    mkdirSync(cookies);
    expect(await hinted(watch, () => put(root, { a: '' }))).toBe('rescan');
    expect(await hinted(watch, () => undefined)).toBe('rescan');
  });
  test('the workspace folder moved away: scanning, with a note', async () => {
    const base = newFolder();
    const root = put(join(base, 'ws'), { a: '' });
    const watch = await watching(root);
    renameSync(root, join(base, 'moved'));
    expect(await watch.settle()).toEqual({ hints: 'rescan' });
    expect([watch.mode, watch.note]).toEqual(['scanning', 'the workspace folder was moved or removed']);
  });
  test('no watches left in the system: scanning, with a note', (context) => {
    const root = newFolder();
    for (let n = 0; n < 40; n++) put(root, { [`d${n}/x`]: '' });
    const dist = fileURLToPath(new URL('../../dist', import.meta.url));
    const script = `
      const { openWatch } = await import('${dist}/watch/directory-watch.js');
      const { coverageRules } = await import('${dist}/tree/coverage-rules.js');
      const watch = await openWatch({ rules: coverageRules('${root}'), cookieFolder: '${newFolder()}', style: 'folders' });
      process.stdout.write(JSON.stringify([watch.mode, watch.note, (await watch.settle()).hints]));
      await watch.close();`;
    // A user namespace has a limit of its own, so that the machine's stays as it is.
    const limited = 'echo 20 > /proc/sys/user/max_inotify_watches && exec "$0" --input-type=module -e "$1"';
    if (spawnSync('unshare', ['-Ur', 'sh', '-c', 'echo 20 > /proc/sys/user/max_inotify_watches']).status !== 0)
      return context.skip('needs user namespaces');
    const output = execFileSync('unshare', ['-Ur', 'sh', '-c', limited, process.execPath, script], {
      encoding: 'utf8',
    });
    const [mode, note, hints] = JSON.parse(output);
    expect([mode, hints]).toEqual(['scanning', 'rescan']);
    expect(note).toContain('max_user_watches');
  });
});
