import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ok } from '@palimpsest/core';
import { expect, test } from 'vitest';
import { loosePath } from './loose.js';
import { openObjects, PACK_FROM_OBJECTS } from './objects.js';
import { fsck, tempFolder, testGit } from './repository.fixture.js';
import { consolidate, PACKS_LIMIT } from './sweep.js';

const folder = tempFolder();
let count = 0;
const never = new AbortController().signal;

async function crowded() {
  const objects = await openObjects(join(folder, `c${count++}.git`), { git: testGit, durability: 'lazy' });
  const ids: string[] = [];
  for (let lot = 0; lot <= PACKS_LIMIT; lot++) {
    const lines = Array.from({ length: PACK_FROM_OBJECTS }, (_, n) => Buffer.from(`lot ${lot} number ${n}\n`));
    ids.push(...(await objects.writeMany(lines.map((bytes) => ({ type: 'blob', bytes })))));
  }
  const loose = await objects.write('blob', Buffer.from('loose'));
  return { objects, ids: [...ids, loose], loose };
}
const packsIn = (gitDir: string) => readdirSync(join(gitDir, 'objects/pack')).filter((name) => name.endsWith('.pack'));

test('[CHK7b] many packs and loose objects become one pack, with nothing lost', async () => {
  const { objects, ids, loose } = await crowded();
  await objects.read(ids[0] ?? '');
  expect(packsIn(objects.gitDir)).toHaveLength(PACKS_LIMIT + 1);
  expect(await consolidate(objects, never)).toEqual(ok(null));
  const [pack] = packsIn(objects.gitDir);
  expect(packsIn(objects.gitDir)).toEqual([pack]);
  expect(existsSync(loosePath(join(objects.gitDir, 'objects'), loose))).toBe(false);
  for (const id of ids) expect(await objects.owns(id)).toBe(true);
  expect(await objects.read(ids[0] ?? '')).toMatchObject({
    ok: true,
    value: { bytes: Buffer.from('lot 0 number 0\n') },
  });
  expect(fsck(objects.gitDir)).toBe('');
  expect(await consolidate(objects, never)).toEqual(ok(null));
  expect(packsIn(objects.gitDir)).toEqual([pack]);
  await objects.close();
});

test('[CHK8e] one unreadable object stops it, and nothing is removed', async () => {
  const { objects, ids, loose } = await crowded();
  const path = loosePath(join(objects.gitDir, 'objects'), loose);
  chmodSync(path, 0o644);
  writeFileSync(path, 'garbage');
  expect(await consolidate(objects, never)).toMatchObject({ ok: false, error: { code: 'git-exit' } });
  expect(packsIn(objects.gitDir)).toHaveLength(PACKS_LIMIT + 1);
  expect(await objects.read(ids[5] ?? '')).toMatchObject({ ok: true, value: { type: 'blob' } });
  await objects.close();
});
