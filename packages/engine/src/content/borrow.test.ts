import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hashObject } from '../git/object-id.js';
import { type ObjectStore, openObjects } from '../git/objects.js';
import { committed, fingerprint, fsck, tempFolder, testGit, userGit } from '../git/repository.fixture.js';
import { sealGit } from '../git/run.js';
import { borrowFrom, copyBorrowed, endBorrowing, stillBorrows } from './borrow.js';

const folder = tempFolder();
let count = 0;

/** A lender with loose and packed objects, and a store of ours that borrows from it. */
async function borrowing() {
  const name = `b${count++}`;
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`dir/f${n}`, `content ${n}\n`.repeat(n + 1)]));
  const lender = committed(join(folder, name), files);
  userGit(lender, 'repack', '-q', '-a', '-d');
  writeFileSync(join(lender, 'loose'), 'not packed\n');
  userGit(lender, 'add', 'loose');
  const objects = await openObjects(join(folder, `${name}.git`), { git: testGit, durability: 'full' });
  await borrowFrom(objects, [join(lender, '.git/objects')]);
  const listed = userGit(lender, 'ls-files', '-s', '-z').split('\0').filter(Boolean);
  return { lender, objects, ids: listed.map((line) => line.slice(7, 47)) };
}
const nothingMissing = { ok: true, value: new Set() };
const loose = hashObject('blob', Buffer.from('not packed\n'));
const looseFile = (lender: string) => join(lender, '.git/objects', loose.slice(0, 2), loose.slice(2));
const reading = async (objects: ObjectStore, id: string) => {
  const read = await objects.read(id);
  return read.ok ? (read.value?.bytes.toString() ?? null) : read.error.code;
};

test('[CHK6a] what the user has committed or staged is readable without copying it', async () => {
  const { lender, objects, ids } = await borrowing();
  expect(stillBorrows(objects)).toBe(true);
  for (const id of ids) expect(await objects.has(id)).toBe(true);
  expect(await reading(objects, loose)).toBe('not packed\n');
  expect(await objects.owns(loose)).toBe(false);
  expect(readdirSync(join(objects.gitDir, 'objects')).sort()).toEqual(['info', 'pack']);
  expect(lender).toContain(folder);
  await objects.close();
});

test('[CHK6c] owned objects outlive the repository they were borrowed from', async () => {
  const { lender, objects, ids } = await borrowing();
  expect(await copyBorrowed(objects, ids)).toEqual(nothingMissing);
  await endBorrowing(objects);
  expect(stillBorrows(objects)).toBe(false);
  rmSync(lender, { recursive: true });
  for (const id of ids) expect(await objects.owns(id)).toBe(true);
  expect(await reading(objects, loose)).toBe('not packed\n');
  expect(fsck(objects.gitDir)).toBe('');
  expect(readdirSync(objects.gitDir).filter((name) => name.startsWith('tmp_'))).toEqual([]);
  await objects.close();
});

test('[CHK5d] [I6] borrowing and owning write nothing in the repository of the user', async () => {
  const { lender, objects, ids } = await borrowing();
  const before = fingerprint(lender);
  await objects.write('blob', Buffer.from('content 0\n'));
  await objects.writeMany(ids.map((_, n) => ({ type: 'blob', bytes: Buffer.from(`content ${n}\n`.repeat(n + 1)) })));
  await copyBorrowed(objects, ids);
  await endBorrowing(objects);
  expect(fingerprint(lender)).toEqual(before);
  await objects.close();
});

test('[CHK6c] what is put is ours at once, also when it could be borrowed', async () => {
  const { objects } = await borrowing();
  await objects.write('blob', Buffer.from('not packed\n'));
  expect(await objects.owns(loose)).toBe(true);
  await objects.close();
});

test('[CHK6d] an object that the user lost meanwhile is reported, the others are owned', async () => {
  const { lender, objects, ids } = await borrowing();
  await reading(objects, ids[0] ?? '');
  rmSync(looseFile(lender));
  expect(await copyBorrowed(objects, ids)).toEqual({ ok: true, value: new Set([loose]) });
  expect(await objects.owns(ids[0] ?? '')).toBe(true);
  userGit(lender, 'hash-object', '-w', 'loose');
  expect(await copyBorrowed(objects, ids)).toEqual(nothingMissing);
  expect(await objects.owns(loose)).toBe(true);
  await objects.close();
});

test('[CHK6d] an object that the user has but cannot be read is as good as missing, the others are owned', async () => {
  const { lender, objects, ids } = await borrowing();
  chmodSync(looseFile(lender), 0o644);
  writeFileSync(looseFile(lender), 'garbage');
  const copied = await copyBorrowed(objects, ids);
  expect(copied).toEqual({ ok: true, value: new Set([loose]) });
  await objects.close();
});

test('[CHK6c] owning can be cancelled, leaves nothing behind and can start again', async () => {
  const { objects, ids } = await borrowing();
  const abort = new AbortController();
  // A git that is slow to pack, and half-way through when it is cancelled.
  const slow = join(folder, 'slow-git');
  const half = join(objects.gitDir, 'objects/pack/tmp_pack_half');
  writeFileSync(slow, `#!/bin/sh\ncase "$*" in *pack-objects*) : > '${half}'; exec sleep 30;; esac\nexec git "$@"\n`, {
    mode: 0o755,
  });
  const slowly = await openObjects(objects.gitDir, {
    git: sealGit(process.env, { executable: slow }),
    durability: 'full',
  });
  const watched = setInterval(() => existsSync(half) && abort.abort(), 10);
  expect(await copyBorrowed(slowly, ids, { signal: abort.signal })).toEqual({
    ok: false,
    error: { code: 'cancelled' },
  });
  clearInterval(watched);
  expect(existsSync(half)).toBe(false);
  await slowly.close();
  expect(stillBorrows(objects)).toBe(true);
  expect(await copyBorrowed(objects, ids)).toEqual(nothingMissing);
  await objects.close();
});

test('[CHK6a] a lender that borrows itself is followed', async () => {
  const { lender, objects } = await borrowing();
  userGit(folder, 'clone', '-q', '--shared', lender, `${count}-clone`);
  await borrowFrom(objects, [join(folder, `${count}-clone`, '.git/objects')]);
  expect(await reading(objects, loose)).toBe('not packed\n');
  await objects.close();
});

test('[CHK6a] borrowing from a place that is not there is refused', async () => {
  const { objects } = await borrowing();
  await expect(borrowFrom(objects, [join(folder, 'nowhere')])).rejects.toThrow('ENOENT');
  await objects.close();
});
