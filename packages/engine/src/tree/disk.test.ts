import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { asPath, trustPath } from '@palimpsest/core';
import { expect, test } from 'vitest';
import { be, code, hash, KEPT, shown, was, write } from './disk.fixture.js';
import type { ContentHash } from './disk.js';
import { newFolder, put } from './folder.fixture.js';
import { openDisk } from './real-disk.js';
import { DEFAULT_SCRATCH, OWN_TEMPORARY_PREFIX, scratchMatcher } from './scratch.js';

test('[I4] create, modify and delete, each naming what it replaces', async () => {
  const root = newFolder();
  const created = await write(root, 'd/e/a', null, be('one'));
  expect(created).toMatchObject({ ok: true, value: { madeFolders: ['d', 'd/e'], stat: { size: 3, mode: '100644' } } });
  if (created.ok) expect(openDisk(root).stat(asPath('d/e/a'))).toEqual(created.value.stat);
  expect(await code(write(root, 'd/e/a', was('one'), be('two')))).toBe('ok');
  expect(shown(root)).toEqual(['d/', 'd/e/', 'd/e/a=two']);
  expect(await code(write(root, 'd/e/a', was('two'), null))).toBe('ok');
  expect(shown(root)).toEqual(['d/', 'd/e/']);
});

test('[I4] a base that moved is a conflict with what was found, and nothing is written', async () => {
  const root = put(newFolder(), { a: 'now' });
  for (const next of [be('new'), null]) {
    expect(await write(root, 'a', was('then'), next)).toEqual({
      ok: false,
      error: { code: 'conflict', path: 'a', found: was('now'), stat: openDisk(root).stat(asPath('a')) },
    });
  }
  expect(await code(write(root, 'a', null, be('new')))).toBe('conflict');
  expect(await code(write(root, 'a', was('now', '100755'), be('new')))).toBe('conflict');
  expect(await write(root, 'x/y', was('now'), be('new'))).toMatchObject({ error: { code: 'conflict', found: null } });
  expect(shown(root)).toEqual(['a=now']);
});

test('[I4] mode bits beyond the exec bit stay, the exec bit follows', async () => {
  const root = put(newFolder(), { a: '1', s: '1' });
  chmodSync(join(root, 'a'), 0o640);
  chmodSync(join(root, 's'), 0o711);
  const bits = (path: string) => (lstatSync(join(root, path)).mode & 0o7777).toString(8);
  await write(root, 'a', was('1'), be('2'));
  expect(bits('a')).toBe('640');
  await write(root, 'a', was('2'), be('2', '100755'));
  expect(bits('a')).toBe('750');
  await write(root, 'a', was('2', '100755'), be('3'));
  expect(bits('a')).toBe('640');
  await write(root, 's', was('1', '100755'), be('2', '100755'));
  expect(bits('s')).toBe('711');
});

test('[I4] links are made, replaced, exchanged for files and removed, never followed', async () => {
  const root = put(newFolder(), { target: 'kept' });
  expect(await code(write(root, 'l', null, be('target', '120000')))).toBe('ok');
  expect(await code(write(root, 'l', was('target', '120000'), be('/etc/passwd', '120000')))).toBe('ok');
  expect(await openDisk(root).read(asPath('l'))).toMatchObject({
    ok: true,
    value: { mode: '120000', bytes: Buffer.from('/etc/passwd') },
  });
  expect(await code(write(root, 'l', was('/etc/passwd', '120000'), be('file')))).toBe('ok');
  expect(await code(write(root, 'l', was('file'), be('target', '120000')))).toBe('ok');
  expect(await code(write(root, 'l', null, be('other', '120000')))).toBe('conflict');
  expect(await code(write(root, 'l', was('target', '120000'), null))).toBe('ok');
  expect(shown(root)).toEqual(['target=kept']);
});

test('[SEC4c] [I4] no link is written or removed through, wherever it leads', async () => {
  const outside = put(newFolder(), { victim: 'safe' });
  const root = put(newFolder(), { 'd/a': '1' });
  symlinkSync(outside, join(root, 'out'));
  symlinkSync('d', join(root, 'in'));
  symlinkSync('loop', join(root, 'loop'));
  expect(await code(write(root, 'out/victim', was('safe'), be('x')))).toBe('outside');
  expect(await code(write(root, 'out/victim', was('safe'), null))).toBe('outside');
  expect(await code(write(root, 'out/new/deep', null, be('x')))).toBe('outside');
  expect(await code(write(root, 'loop/x', null, be('x')))).toBe('loop');
  expect(await code(write(root, 'in/a', was('1'), be('2')))).toBe('conflict');
  expect(await code(write(root, 'in/a', was('1'), null))).toBe('conflict');
  expect(await code(write(root, 'in/new', null, be('2')))).toBe('not-a-folder');
  expect(shown(join(root, 'd'))).toEqual(['a=1']);
  expect(shown(outside)).toEqual(['victim=safe']);
});

test('[I6] git data is never written, by name, in other letters, or through a link', async () => {
  const root = put(newFolder(), { '.git/config': 'c', 'n/.git/HEAD': 'h' });
  symlinkSync('.git', join(root, 'g'));
  for (const path of ['.git/config', '.GIT/x', 'n/.git/HEAD', 'g/hooks/pre-commit', '.git']) {
    expect([path, await code(write(root, path, null, be('x')))]).toEqual([path, 'git-internal']);
  }
  expect(shown(root)).toEqual(['.git/', '.git/config=c', 'g>.git', 'n/', 'n/.git/', 'n/.git/HEAD=h']);
});

test('[I4] what stands in the way is an error, with no temporary file and no new folder left', async () => {
  const root = put(newFolder(), { file: 'f', 'folder/x': '1' });
  execFileSync('mkfifo', [join(root, 'pipe')]);
  expect(await code(write(root, 'folder', null, be('x')))).toBe('is-folder');
  expect(await code(write(root, 'file/below', null, be('x')))).toBe('not-a-folder');
  expect(await code(write(root, 'pipe', null, be('x')))).toBe('special');
  expect(await code(write(root, `new/${'n'.repeat(300)}`, null, be('x')))).toBe('name-too-long');
  expect(readdirSync(root).sort()).toEqual(['file', 'folder', 'pipe']);
  expect(await code(write(root, 'folder/x', was('1'), be('bad\0target', '120000')))).not.toBe('ok');
  expect(readdirSync(join(root, 'folder'))).toEqual(['x']);
});

test('[I4] [SRV5e] a full disk is an error, the file is as it was', async (context) => {
  const root = newFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', root], { stdio: 'ignore' });
  } catch {
    return context.skip('needs the right to mount');
  }
  try {
    put(root, { a: 'old' });
    expect(await code(write(root, 'a', was('old'), be('x'.repeat(200_000))))).toBe('no-space');
    expect(await code(write(root, 'd/b', null, be('x'.repeat(200_000))))).toBe('no-space');
    expect(shown(root)).toEqual(['a=old']);
  } finally {
    execFileSync('umount', [root]);
  }
});

test.skipIf(process.getuid?.() === 0)('[I4] a folder that may not be written is an error', async () => {
  const root = put(newFolder(), { 'd/a': '1' });
  chmodSync(join(root, 'd'), 0o500);
  expect(await code(write(root, 'd/a', was('1'), be('2')))).toBe('denied');
  expect(shown(root)).toEqual(['d/', 'd/a=1']);
  chmodSync(join(root, 'd'), 0o700);
});

test('[I5] empty folders stay, unless it is asked for, and then only empty ones go', async () => {
  const root = put(newFolder(), { 'a/b/c/x': '1', 'a/y': '', 'p/q': '1' });
  await write(root, 'p/q', was('1'), null);
  expect(existsSync(join(root, 'p'))).toBe(true);
  await write(root, 'a/b/c/x', was('1'), null);
  expect(openDisk(root).removeEmptyFolders([{ path: asPath('a/b/c/x') }])).toEqual(['a/b/c', 'a/b']);
  expect(shown(root)).toEqual(['a/', 'a/y=', 'p/']);
});

test('[CAP9b] bytes and names come back exactly', async () => {
  const root = newFolder();
  const disk = openDisk(root);
  const content = Uint8Array.from([0xef, 0xbb, 0xbf, 0x0d, 0x0a, 0, 0xff, 0xfe, 0x0a]);
  for (const name of ['a b', 'new\nline', 'back\\slash', '-x', 'caf\u00e9', 'cafe\u0301', 'x -> y']) {
    await disk.write(trustPath(name), null, { bytes: content, mode: '100644' }, hash);
    const read = await disk.read(trustPath(name));
    const identified = await disk.identify(trustPath(name));
    expect(read.ok && Buffer.from(read.value.bytes).equals(content)).toBe(true);
    expect(identified).toMatchObject({ value: { content: hash(content) } });
  }
  expect(readdirSync(root)).toHaveLength(7);
});

test('[CAP12f] a large file is identified in pieces, as git would', async () => {
  const root = put(newFolder(), { big: new Uint8Array(3_500_000).fill(7), empty: '' });
  for (const path of ['big', 'empty']) {
    const identified = await openDisk(root).identify(asPath(path));
    expect(identified).toMatchObject({ value: { content: hash(readFileSync(join(root, path))) } });
  }
});

test('reading what is not a file says what it is', async () => {
  const root = put(newFolder(), { 'd/a': '' });
  symlinkSync('d', join(root, 'l'));
  execFileSync('mkfifo', [join(root, 'p')]);
  const codes = [];
  for (const path of ['gone', 'd', 'p', 'l/a']) {
    const read = await openDisk(root).read(asPath(path));
    codes.push(read.ok ? 'ok' : read.error.code);
  }
  expect(codes).toEqual(['missing', 'is-folder', 'special', 'missing']);
});

test('[CAP9b] a file that is written all the time is read whole or not at all', async () => {
  const root = put(newFolder(), { a: 'A'.repeat(500_000) });
  const script = `const fs=require('fs');const end=Date.now()+1200;let n=0;while(Date.now()<end){fs.writeFileSync(${JSON.stringify(join(root, 'a'))},String.fromCharCode(65+n++%26).repeat(500000));Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,n%3*6)}`;
  const writer = spawn(process.execPath, ['-e', script]);
  const ended = new Promise((resolve) => writer.on('exit', resolve));
  let whole = 0;
  while (writer.exitCode === null) {
    // Reading a file of this size waits for nobody, and the end of the writer must be heard.
    await new Promise((resolve) => setImmediate(resolve));
    const read = await openDisk(root).read(asPath('a'));
    if (!read.ok) {
      expect(read.error.code).toBe('unstable');
      continue;
    }
    const first = read.value.bytes[0];
    expect(read.value.bytes.length).toBe(read.value.stat.size);
    expect(read.value.bytes.every((byte) => byte === first)).toBe(true);
    whole++;
  }
  await ended;
  expect(whole).toBeGreaterThan(0);
});

test('[I4] of two writers with the same base one wins and the other gets a conflict', async () => {
  const root = newFolder();
  for (let round = 0; round < 20; round++) {
    const path = `f${round}`;
    const outcomes = await Promise.all(['x', 'y', 'z'].map((text) => code(write(root, path, null, be(text)))));
    expect(outcomes.sort()).toEqual(['conflict', 'conflict', 'ok']);
  }
  expect(readdirSync(root)).toHaveLength(20);
});

test('[CAP11b] our temporary files are scratch under any configuration', () => {
  expect(scratchMatcher(DEFAULT_SCRATCH).matches(`d/${OWN_TEMPORARY_PREFIX}1`)).toBe(true);
  expect(scratchMatcher({ segments: [], names: [] }).matches(`d/${OWN_TEMPORARY_PREFIX}1`)).toBe(true);
});

test('[I4] a save between the comparison and the write is a conflict, also of the same size at the same moment', async () => {
  for (const next of [be('new'), null, be('target', '120000')]) {
    const root = put(newFolder(), { a: 'one' });
    let saves = 0;
    // The disk asks for the hash of what it found; right then somebody saves.
    const saving: ContentHash = (found) => {
      if (saves++ === 0) writeFileSync(join(root, 'a'), 'two');
      return hash(found);
    };
    const written = await openDisk(root).write(asPath('a'), was('one'), next, saving);
    expect(written).toMatchObject({ ok: false, error: { code: 'conflict', path: 'a', found: was('two') } });
    expect(shown(root)).toEqual(['a=two']);
  }
});

test('[SEC4d] a folder that becomes a link out of the workspace during a write is not followed', async () => {
  const outside = put(newFolder(), { a: 'one' });
  const root = put(newFolder(), { 'd/a': 'one' });
  const swapping: ContentHash = (found) => {
    renameSync(join(root, 'd'), join(root, 'moved'));
    symlinkSync(outside, join(root, 'd'));
    return hash(found);
  };
  const written = await openDisk(root).write(asPath('d/a'), was('one'), be('two'), swapping);
  expect(written).toMatchObject({ ok: false, error: { code: 'outside' } });
  expect(shown(outside)).toEqual(['a=one']);
});

test('[I5] clearing what a killed write left takes our own files only, and stumbles over nothing', async () => {
  const root = put(newFolder(), { '.tmp-pal-fedcba9876543210': 'ours', '.tmp-pal-notes': 'not ours' });
  mkdirSync(join(root, '.tmp-pal-0123456789abcdef'));
  await openDisk(root).clearLeftovers([trustPath('a.txt')], { hash, isKept: async () => true, rescue: KEPT });
  expect(shown(root)).toEqual(['.tmp-pal-0123456789abcdef/', '.tmp-pal-notes=not ours']);
});
