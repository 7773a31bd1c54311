import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { trustPath } from '@palimpsest/core';
import { expect, test } from 'vitest';
import { moveAside } from './aside.js';
import { be, bytes, code, hash, KEPT, shown, was, write } from './disk.fixture.js';
import type { Rescue } from './disk.js';
import { newFolder, put } from './folder.fixture.js';
import { HeldFolders } from './held-folder.js';
import { openDisk } from './real-disk.js';
import { STAT_STEP_MS } from './stat.js';
import { SYNC_ALONE, type Syncing } from './sync-group.js';

test('[I4] the stat of a write is that of what was written, however long the disk takes and whoever saves meanwhile', async () => {
  const root = put(newFolder(), { a: 'one' });
  const slow: Syncing = {
    ...SYNC_ALONE,
    folder: async () => {
      writeFileSync(join(root, 'a'), 'mine');
      await sleep(STAT_STEP_MS * 3);
    },
  };
  const written = await write(root, 'a', was('one'), be('two'), { syncing: slow });
  expect(shown(root)).toEqual(['a=mine']);
  if (!written.ok || written.value.stat === null) throw new Error('not written');
  expect(written.value.stat).toMatchObject({ size: 3 });
});

test('[CHK5f] what somebody writes into a file that was moved aside already gets its name back', async () => {
  for (const next of [be('new'), null]) {
    const root = put(newFolder(), { a: 'one' });
    const fd = openSync(join(root, 'a'), 'r+');
    const syncing: Syncing = { ...SYNC_ALONE, othersDone: async () => void writeSync(fd, 'two', 0) };
    expect(await write(root, 'a', was('one'), next, { syncing })).toMatchObject({
      error: { code: 'conflict', found: was('two') },
    });
    writeSync(fd, 'six', 0);
    closeSync(fd);
    expect(shown(root)).toEqual(['a=six']);
  }
});

test('[CHK5f] of two saves meanwhile the later has the name, and the earlier is rescued, or left beside it', async () => {
  for (const [next, keeps] of [be('new'), null].flatMap((each) => [[each, true] as const, [each, false] as const])) {
    const root = put(newFolder(), { a: 'one' });
    const fd = openSync(join(root, 'a'), 'r+');
    const othersDone = async () => {
      writeSync(fd, 'two', 0);
      writeFileSync(join(root, 'draft'), 'three');
      renameSync(join(root, 'draft'), join(root, 'a'));
    };
    const told: string[] = [];
    const rescue: Rescue = {
      keep: async (path, version, found) => {
        told.push(`${path} ${Buffer.from(found).toString()} ${version.content === hash(found)}`);
        return keeps;
      },
      left: (path, place) => told.push(`${path} ${readFileSync(join(root, place), 'utf8')}`),
    };
    expect(await write(root, 'a', was('one'), next, { syncing: { ...SYNC_ALONE, othersDone }, rescue })).toMatchObject({
      error: { code: 'conflict', found: was('three') },
    });
    closeSync(fd);
    expect(told).toEqual(keeps ? ['a two true'] : ['a two true', 'a two']);
    expect(shown(root).filter((line) => !line.startsWith('.tmp'))).toEqual(['a=three']);
    expect(readdirSync(root)).toHaveLength(keeps ? 1 : 2);
  }
});

test('[CHK5f] a save that lands in the moment without the file stays, whatever we were about to write', async () => {
  // Every other file is saved by a new file that takes the name, as fast as it goes, while we write all of them.
  const root = newFolder();
  const names = Array.from({ length: 60 }, (_, n) => `f${n}`);
  put(root, Object.fromEntries(names.map((name) => [name, 'old'])));
  const outcomes = await Promise.all(
    names.map(async (name, n) => {
      const syncing: Syncing = {
        ...SYNC_ALONE,
        file: async (fd) => {
          await SYNC_ALONE.file(fd);
          if (n % 2 === 0) put(root, { [name]: 'mine' });
        },
      };
      return code(write(root, name, was('old'), be('new'), { syncing }));
    }),
  );
  expect(outcomes).toEqual(names.map((_, n) => (n % 2 === 0 ? 'conflict' : 'ok')));
  expect(shown(root).sort()).toEqual(names.map((name, n) => `${name}=${n % 2 === 0 ? 'mine' : 'new'}`).sort());
});

test('[CHK5g] after a kill what was moved aside has its name again, unless another has it: then it is kept', async () => {
  const root = put(newFolder(), { a: 'only copy', b: 'in no store', c: 'stored', d: 'of no interest' });
  const folder = new HeldFolders(root).hold(root);
  const asides = ['a', 'b', 'c', 'd'].map((name) => moveAside(folder, name));
  folder.release();
  put(root, { b: 'taken', c: 'taken' });
  const told: string[] = [];
  const rescue: Rescue = {
    ...KEPT,
    keep: async (path, _, found) => {
      told.push(`${path}=${Buffer.from(found).toString()}`);
      return true;
    },
  };
  await openDisk(root).clearLeftovers(['a', 'b', 'c'].map(trustPath), {
    ...{ hash, rescue },
    isKept: async (id) => id === hash(bytes('stored')),
  });
  expect(told).toEqual(['b=in no store']);
  expect(shown(root)).toEqual([`${asides[3]}=of no interest`, 'a=only copy', 'b=taken', 'c=taken'].sort());
});

test('[I5] folders that are old enough to have been there stay; the rest goes in one pass, whoever else tidies up', () => {
  const root = put(newFolder(), { 'x/y/z/a': '', 'x/y/w/b': '', 'x/c': '', 'kept/d': '' });
  mkdirSync(join(root, 'refilled/e'), { recursive: true });
  put(root, { 'refilled/e/mine': '1' });
  symlinkSync(newFolder(), join(root, 'link'));
  mkdirSync(join(root, 'empty'));
  symlinkSync('empty', join(root, 'inside'));
  for (const path of ['x/y/z/a', 'x/y/w/b', 'x/c', 'kept/d']) rmSync(join(root, path));
  rmdirSync(join(root, 'x/y/w'));
  const soon = Date.now() + 60_000;
  const gone = ['x/y/z/a', 'x/y/w/b', 'x/c', 'refilled/e/f', 'link/g', 'inside/h', 'gone/at/all'].map(trustPath);
  const removed = openDisk(root).removeEmptyFolders([
    ...gone.map((path) => ({ path })),
    { path: trustPath('kept/d'), foldersSinceMs: soon },
  ]);
  expect(removed).toEqual(['x/y/z', 'x/y', 'x']);
  expect(shown(root)).toEqual([
    'empty/',
    'inside>empty',
    'kept/',
    `link>${readlinkSync(join(root, 'link'))}`,
    'refilled/',
    'refilled/e/',
    'refilled/e/mine=1',
  ]);
});
