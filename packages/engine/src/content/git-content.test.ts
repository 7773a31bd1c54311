import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { asContentId } from '@palimpsest/core';
import { rolldown } from 'rolldown';
import { beforeAll, expect, test } from 'vitest';
import { openObjects } from '../git/objects.js';
import { fsck, tempFolder, testGit, userGit } from '../git/repository.fixture.js';
import { gitContent } from './git-content.js';

const folder = tempFolder();
const program = join(folder, 'store-process.mjs');
const open = async (gitDir: string) => gitContent(await openObjects(gitDir, { git: testGit, durability: 'full' }));

beforeAll(async () => {
  const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const bundle = await rolldown({
    input: here('./store-process.fixture.ts'),
    platform: 'node',
    resolve: { alias: { '@palimpsest/core': here('../../../core/src/index.ts') } },
  });
  await bundle.write({ file: program });
  await bundle.close();
});

function writer(
  gitDir: string,
  many: number,
  word: string,
): { readonly child: ChildProcess; readonly said: () => string[] } {
  const child = spawn(process.execPath, [program, gitDir, String(many), word], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('latin1');
  });
  return {
    child,
    said: () =>
      output
        .slice(0, output.lastIndexOf('\n') + 1)
        .split('\n')
        .filter(Boolean),
  };
}

test('[SRV5a] kill -9 while writing loses nothing acknowledged and leaves no wrong object', async () => {
  const gitDir = join(folder, 'killed.git');
  const acknowledged: string[] = [];
  for (let round = 0; round < 5; round++) {
    const { child, said } = writer(gitDir, 100_000, `round ${round}`);
    const ended = once(child, 'close');
    while (said().length < 10) await sleep(5);
    await sleep(17 * round);
    child.kill('SIGKILL');
    await ended;
    acknowledged.push(...said());
  }
  expect(fsck(gitDir)).toBe('');
  const store = await open(gitDir);
  for (const id of acknowledged) {
    const got = await store.get(asContentId(id));
    expect(got.ok && store.idOf(got.value)).toBe(id);
  }
  await store.close();
});

test('[CHK8g] two processes writing the same contents at once both succeed', async () => {
  const gitDir = join(folder, 'shared.git');
  const writers = [writer(gitDir, 100, 'same'), writer(gitDir, 100, 'same')];
  const codes = await Promise.all(writers.map(async ({ child }) => (await once(child, 'close'))[0]));
  expect(codes).toEqual([0, 0]);
  expect(writers[0]?.said()).toEqual(writers[1]?.said());
  expect(fsck(gitDir)).toBe('');
});

test('[CHK2c] contents are readable by plain git after its own gc, and then by us', async () => {
  const store = await open(join(folder, 'gc.git'));
  const ids = await store.putMany(Array.from({ length: 50 }, (_, n) => Buffer.from(`line ${n}\n`.repeat(100))));
  const gitDir = join(folder, 'gc.git');
  userGit(folder, '--git-dir', gitDir, 'repack', '-q', '-a', '-d', '-f', '--keep-unreachable');
  for (const [n, id] of ids.entries())
    expect(await store.get(id)).toMatchObject({ ok: true, value: Buffer.from(`line ${n}\n`.repeat(100)) });
  await store.close();
});

test('[CHK8a] a damaged object is damaged, not missing and not wrong', async () => {
  const gitDir = join(folder, 'damage.git');
  const writing = await open(gitDir);
  const id = await writing.put(Buffer.from('bytes'));
  await writing.close();
  const store = await open(gitDir);
  const path = join(gitDir, 'objects', id.slice(0, 2), id.slice(2));
  chmodSync(path, 0o644);
  writeFileSync(path, readFileSync(path).subarray(0, 6));
  expect(await store.get(id)).toEqual({ ok: false, error: { code: 'damaged', id } });
  await store.close();
});

test('[SEC6a] a forgotten secret is in no file of the store', async () => {
  const gitDir = join(folder, 'secret.git');
  const store = await open(gitDir);
  const secret = Buffer.from('sk-do-not-keep-this');
  const ids = await store.putMany([secret, ...Array.from({ length: 30 }, (_, n) => Buffer.from(`other ${n}`))]);
  await store.forget(ids.slice(0, 1));
  await store.close();
  const listed = userGit(folder, '--git-dir', gitDir, 'cat-file', '--batch-all-objects', '--batch');
  expect(listed).not.toContain('sk-do-not-keep-this');
  expect(listed).toContain('other 29');
  expect(readdirSync(join(gitDir, 'objects/pack')).filter((name) => name.endsWith('.pack'))).toHaveLength(1);
});

test('[CHK7b] the bytes on disk grow with what is put and shrink with what is forgotten', async () => {
  const store = await open(join(folder, 'sized.git'));
  const before = await store.bytesOnDisk();
  const id = await store.put(Buffer.from(Array.from({ length: 100_000 }, (_, n) => Math.imul(n, 2654435761) >>> 24)));
  const grown = await store.bytesOnDisk();
  expect(grown).toBeGreaterThan(before);
  await store.forget([id]);
  expect(await store.bytesOnDisk()).toBe(before);
  await store.close();
});

test('a tree is not content', async () => {
  const objects = await openObjects(join(folder, 'tree.git'), { git: testGit, durability: 'lazy' });
  const tree = asContentId(await objects.write('tree', new Uint8Array()));
  expect(await gitContent(objects).get(tree)).toEqual({ ok: false, error: { code: 'missing', id: tree } });
  await objects.close();
});
