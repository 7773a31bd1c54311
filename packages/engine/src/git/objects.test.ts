import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { TEMP_AGE_LIMIT_MS } from '../files/durable.js';
import { hashObject } from './object-id.js';
import { type NewObject, type ObjectStore, openObjects, PACK_FROM_OBJECTS } from './objects.js';
import { fsck, tempFolder, testGit, userGit } from './repository.fixture.js';

const folder = tempFolder();
const opened: ObjectStore[] = [];
let count = 0;
afterEach(async () => {
  for (const objects of opened.splice(0)) await objects.close();
});

async function open(gitDir = join(folder, `o${count++}.git`)): Promise<ObjectStore> {
  const objects = await openObjects(gitDir, { git: testGit, durability: 'full' });
  opened.push(objects);
  return objects;
}
const looseOf = (objects: ObjectStore, id: string) => join(objects.gitDir, 'objects', id.slice(0, 2), id.slice(2));
const blobs = (many: number): NewObject[] =>
  Array.from({ length: many }, (_, n) => ({ type: 'blob', bytes: Buffer.from(`content ${n}\n`.repeat((n % 50) + 1)) }));
const packsOf = (objects: ObjectStore) =>
  readdirSync(join(objects.gitDir, 'objects/pack')).filter((name) => name.endsWith('.pack'));
function overwrite(path: string, bytes: Uint8Array) {
  chmodSync(path, 0o644);
  writeFileSync(path, bytes);
}

test('[CHK2c] git accepts a repository that was made without it, and reads what is in it', async () => {
  const objects = await open();
  const id = await objects.write('blob', Buffer.from('hello\n'));
  expect(id).toBe('ce013625030ba8dba906f756967f9e9ca394464a');
  expect(userGit(folder, '--git-dir', objects.gitDir, 'cat-file', 'blob', id)).toBe('hello');
  expect(existsSync(join(objects.gitDir, 'hooks'))).toBe(false);
  expect(statSync(looseOf(objects, id)).mode & 0o777).toBe(0o444);
  expect(fsck(objects.gitDir)).toBe('');
});

test('[CHK2c] many objects become one pack, few become files, and git accepts both', async () => {
  const objects = await open();
  const few = await objects.writeMany(blobs(PACK_FROM_OBJECTS - 1));
  expect(packsOf(objects)).toEqual([]);
  const many = await objects.writeMany(blobs(300));
  expect(packsOf(objects)).toHaveLength(1);
  expect(many.slice(0, few.length)).toEqual(few);
  expect(fsck(objects.gitDir)).toBe('');
  const bytes = userGit(folder, '--git-dir', objects.gitDir, 'count-objects', '-v');
  expect(bytes).toContain(`in-pack: ${300 - few.length}`);
  expect(
    userGit(folder, '--git-dir', objects.gitDir, 'cat-file', '--batch-all-objects', '--batch-check').split('\n'),
  ).toHaveLength(300);
  for (const [n, id] of many.entries()) {
    const read = await objects.read(id);
    expect(read.ok && read.value?.bytes.equals(blobs(n + 1)[n]?.bytes ?? Buffer.alloc(0))).toBe(true);
  }
});

test('[REC4a] bytes are stored once, loose or packed', async () => {
  const objects = await open();
  await objects.write('blob', Buffer.from('one'));
  const before = statSync(looseOf(objects, hashObject('blob', Buffer.from('one'))));
  await objects.write('blob', Buffer.from('one'));
  expect(statSync(looseOf(objects, hashObject('blob', Buffer.from('one')))).ino).toBe(before.ino);
  await objects.writeMany(blobs(100));
  await objects.writeMany([...blobs(100), ...blobs(100)]);
  expect(packsOf(objects)).toHaveLength(1);
  const id = await objects.write('blob', Buffer.from('content 0\n'));
  expect(existsSync(looseOf(objects, id))).toBe(false);
});

test('[CAP9b] empty, binary and large objects come back byte for byte', async () => {
  const objects = await open();
  const large = Buffer.alloc(3 * 1024 * 1024, 'abc\0\xff\n', 'latin1');
  for (const bytes of [Buffer.alloc(0), Buffer.from([0, 255, 10, 13, 0]), large]) {
    const id = await objects.write('blob', bytes);
    const loose = await objects.read(id);
    expect(loose.ok && loose.value?.bytes.equals(bytes)).toBe(true);
  }
  userGit(folder, '--git-dir', objects.gitDir, 'repack', '-q', '-a', '-d', '--keep-unreachable');
  const packed = await objects.read(hashObject('blob', large));
  expect(packed.ok && packed.value?.bytes.equals(large)).toBe(true);
});

test.runIf(process.platform === 'linux')(
  '[CHK8i] a killed cat-file is started again, and no answer is lost or swapped',
  async () => {
    const objects = await open();
    const ids = await objects.writeMany(blobs(200));
    const reads = ids.map((id) => objects.read(id));
    await reads[0];
    killChildren();
    for (const [n, read] of reads.entries())
      expect(await read).toMatchObject({ ok: true, value: { bytes: blobs(n + 1)[n]?.bytes } });
    expect(killChildren()).toBe(1);
    expect(await objects.read(ids[7] ?? '')).toMatchObject({ ok: true, value: { type: 'blob' } });
  },
);

test('[SEC4a] ids that are not ids are refused before they reach a path or git', async () => {
  const objects = await open();
  for (const id of ['HEAD', '../../x', `${'0'.repeat(39)}\n`, '0'.repeat(41), ''])
    await expect(objects.read(id)).rejects.toThrow('not an object id');
});

test.each([
  ['empty', () => Buffer.alloc(0)],
  ['cut short', (whole: Buffer) => whole.subarray(0, whole.length - 5)],
  ['overwritten', () => Buffer.from('garbage')],
  ['another object', () => deflateSync('blob 5\0other')],
  ['without a header', () => deflateSync('no header here and rather long so that it is clear')],
])('[CHK8b] a loose object that is %s is damaged, and is mended when its content comes again', async (_, damage) => {
  const gitDir = join(folder, `damaged${count++}.git`);
  const id = await (await open(gitDir)).write('blob', Buffer.from('precious bytes'));
  const objects = await open(gitDir);
  const path = looseOf(objects, id);
  overwrite(path, damage(readFileSync(path)));
  expect(await objects.read(id)).toMatchObject({ ok: false, error: { code: 'damaged', id } });
  expect(await objects.write('blob', Buffer.from('precious bytes'))).toBe(id);
  expect(await objects.read(id)).toMatchObject({ ok: true, value: { bytes: Buffer.from('precious bytes') } });
  expect(readdirSync(join(gitDir, 'damaged'))).toEqual([expect.stringContaining(id)]);
  expect(fsck(gitDir)).toBe('');
});

test('[CHK8b] damage is also mended without having been read first', async () => {
  const gitDir = join(folder, 'unread.git');
  const id = await (await open(gitDir)).write('blob', Buffer.from('x'.repeat(1000)));
  const objects = await open(gitDir);
  chmodSync(looseOf(objects, id), 0o644);
  truncateSync(looseOf(objects, id), 3);
  await objects.write('blob', Buffer.from('x'.repeat(1000)));
  expect(await objects.read(id)).toMatchObject({ ok: true });
});

test('[CHK8b] a damaged pack is reported, the rest of it stays readable, and a new copy mends it', async () => {
  const objects = await open();
  const random = Array.from({ length: 20 }, (_, n): NewObject => ({ type: 'blob', bytes: noise(n) }));
  const ids = await objects.writeMany(random);
  const pack = join(objects.gitDir, 'objects/pack', packsOf(objects)[0] ?? '');
  const bytes = readFileSync(pack);
  bytes.fill(0x55, 12 + 100, 12 + 200);
  overwrite(pack, bytes);
  expect(await objects.read(ids[0] ?? '')).toMatchObject({ ok: false, error: { code: 'damaged', id: ids[0] } });
  expect(await objects.read(ids[19] ?? '')).toMatchObject({ ok: true, value: { bytes: noise(19) } });
  await objects.write('blob', noise(0));
  expect(await objects.read(ids[0] ?? '')).toMatchObject({ ok: true, value: { bytes: noise(0) } });
});

test('[CHK8f] leftovers of killed writers are removed when old, and young ones are left alone', async () => {
  const gitDir = join(folder, 'leftovers.git');
  await open(gitDir);
  mkdirSync(join(gitDir, 'objects/ab'));
  const old = new Date(Date.now() - TEMP_AGE_LIMIT_MS - 1000);
  const stale = [
    'objects/ab/tmp_obj_1_x',
    'objects/pack/tmp_pack_x',
    `objects/pack/pack-${'0'.repeat(40)}.pack`,
    'tmp_obj_1_y',
  ];
  for (const name of [...stale, 'objects/ab/tmp_obj_2_young']) writeFileSync(join(gitDir, name), 'half');
  for (const name of stale) utimesSync(join(gitDir, name), old, old);
  await open(gitDir);
  expect(stale.filter((name) => existsSync(join(gitDir, name)))).toEqual([]);
  expect(existsSync(join(gitDir, 'objects/ab/tmp_obj_2_young'))).toBe(true);
});

test('[SEC6a] removed objects are in no loose file and no pack, and all others stay', async () => {
  const objects = await open();
  const ids = await objects.writeMany(blobs(50));
  const loose = await objects.write('blob', Buffer.from('a secret'));
  const gone = [ids[3] ?? '', ids[40] ?? '', loose];
  await objects.read(ids[3] ?? '');
  await objects.remove(gone);
  for (const id of gone) {
    expect(await objects.read(id)).toEqual({ ok: true, value: null });
    expect(await objects.has(id)).toBe(false);
  }
  const kept = userGit(
    folder,
    '--git-dir',
    objects.gitDir,
    'cat-file',
    '--batch-all-objects',
    '--batch-check=%(objectname)',
  );
  expect(kept.split('\n').sort()).toEqual(ids.filter((id) => !gone.includes(id)).sort());
  expect(packsOf(objects)).toHaveLength(1);
  expect(fsck(objects.gitDir)).toBe('');
  await objects.writeMany([{ type: 'blob', bytes: Buffer.from('a secret') }]);
  expect(await objects.has(loose)).toBe(true);
});

test('[SEC6a] when every object of a pack goes, the pack goes', async () => {
  const objects = await open();
  await objects.remove(await objects.writeMany(blobs(30)));
  expect(readdirSync(join(objects.gitDir, 'objects/pack'))).toEqual([]);
});

test('[CHK8g] what another process packed or pruned is noticed', async () => {
  const objects = await open();
  const ids = await objects.writeMany(blobs(40));
  expect(await objects.owns(ids[0] ?? '')).toBe(true);
  userGit(folder, '--git-dir', objects.gitDir, 'repack', '-q', '-a', '-d');
  userGit(folder, '--git-dir', objects.gitDir, 'prune', '--expire=now');
  const [again] = await objects.writeMany(blobs(1));
  objects.refresh();
  expect(await objects.read(again ?? '')).toMatchObject({ ok: true, value: { type: 'blob' } });
});

function noise(seed: number): Buffer {
  return Buffer.from(Array.from({ length: 2000 }, (_, n) => (Math.imul(n + 1, 2654435761 + seed * 977) >>> 13) & 255));
}

/** Ends the git children of this test process, and only those. */
function killChildren(): number {
  const own = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  const readers = own.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('cat-file'));
  for (const pid of readers) process.kill(pid, 'SIGKILL');
  return readers.length;
}
