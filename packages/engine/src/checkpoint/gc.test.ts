import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '../basis/settings.js';
import { REF_LOCK_STALE_MS } from '../git/refs.js';
import { fsck } from '../git/repository.fixture.js';
import { type Stage, stage } from '../stories/stage.fixture.js';
import { photograph, reasons, refusal, save, storeGit, truncateObject, value } from './checkpoint.fixture.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const keeping = (checkpoints: Partial<typeof DEFAULT_SETTINGS.checkpoints>, now?: () => number) => ({
  settings: { checkpoints: { ...DEFAULT_SETTINGS.checkpoints, ...checkpoints } },
  ...(now === undefined ? {} : { now }),
});
const noise = (seed: number) =>
  Buffer.concat(Array.from({ length: 2_000 }, (_, n) => createHash('sha256').update(`${seed} ${n}`).digest()));
const objectsIn = (at: Stage) => storeGit(at, 'cat-file', '--batch-all-objects', '--batch-check').split('\n');

test('[CHK7b] what was deleted is really removed, what is kept restores byte for byte', async () => {
  const at = await stage({ kind: 'plain', files: { 'a.txt': '1' }, open: keeping({ historyAgeMs: 0 }) });
  const kept = await save(at, 'kept');
  const before = photograph(at.root);
  at.write('secret.bin', noise(1));
  const dropped = await save(at, 'dropped');
  const id = storeGit(at, 'rev-parse', `${dropped.commit}:secret.bin`);
  at.remove('secret.bin');
  at.write('a.txt', '2');
  await save(at);
  value(await at.workspace.deleteCheckpoint(dropped.id));
  const foreseen = value(await at.workspace.gc({ dryRun: true }));
  expect(objectsIn(at).join()).toContain(id);
  const done = value(await at.workspace.gc());
  expect(done.objects).toBe(foreseen.objects);
  expect(done.bytes).toBeGreaterThan(40_000);
  expect(objectsIn(at).join()).not.toContain(id);
  expect(storeGit(at, 'for-each-ref').includes(dropped.id)).toBe(false);
  expect(fsck(join(at.data, 'content.git'))).toBe('');
  value(await at.workspace.restore(kept.id));
  expect(photograph(at.root)).toEqual(before);
});

test('[CHK7b] gc keeps what pending changes, undo, known files and running calls need', async () => {
  const at = await stage({
    kind: 'plain',
    files: { 'a.txt': 'before\n', 'b.txt': 'b0\n' },
    open: keeping({ historyAgeMs: 0, automatic: false }),
  });
  const agent = at.agent('s');
  await agent.readFile('a.txt');
  await agent.edit('a.txt', 'before', 'between');
  await agent.edit('a.txt', 'between', 'after');
  const { callId } = await agent.begin('Bash', { command: 'make' });
  at.write('b.txt', 'b1\n');
  await at.workspace.look();
  value(await at.workspace.gc());
  at.write('b.txt', 'b2\n');
  await agent.end(callId);
  for (const entry of value(await at.workspace.changes({ status: 'all' }))) {
    value(await at.workspace.patch(entry.id));
    if (entry.path === 'b.txt') expect(entry.file.before?.size).toBe(3);
  }
  value(await at.workspace.gc());
  for (const entry of value(await at.workspace.changes({}))) value(await at.workspace.patch(entry.id));
});

test('[CHK7a] retention by count and age; pinned ones stay; the newest always stays', async () => {
  let days = 0;
  const now = () => 1_800_000_000_000 + days * DAY_MS;
  const at = await stage({
    kind: 'plain',
    files: { a: '0' },
    open: keeping({ keptCount: 4, keptAgeMs: 10 * DAY_MS }, now),
  });
  const pinned = await save(at, 'pinned');
  value(await at.workspace.pinCheckpoint(pinned.id));
  const old = await save(at, 'old');
  days = 5;
  for (let n = 0; n < 4; n++) await at.agent('s').writeFile('a.txt', `${n}`);
  days = 11;
  const foreseen = value(await at.workspace.gc({ dryRun: true })).checkpoints;
  expect(value(await at.workspace.gc()).checkpoints).toEqual(foreseen);
  const left = await at.workspace.checkpoints();
  expect(left.map(({ id }) => id)).toContain(pinned.id);
  expect(left.map(({ id }) => id)).not.toContain(old.id);
  expect(left.filter(({ reason }) => reason !== 'manual').length).toBe(4);
  days = 100;
  value(await at.workspace.gc());
  expect((await reasons(at)).slice(-1)).toEqual(['after-tool(call-4)']);
  value(await at.workspace.pinCheckpoint(pinned.id, 'unpinned'));
  value(await at.workspace.gc());
  expect(await at.workspace.checkpoints()).toHaveLength(1);
});

test('[CHK7c] a store is tended by itself when it is opened', async () => {
  let days = 0;
  const now = () => 1_800_000_000_000 + days * DAY_MS;
  const at = await stage({
    kind: 'plain',
    files: { a: '0' },
    open: keeping({ keptAgeMs: 10 * DAY_MS, historyAgeMs: 0 }, now),
  });
  const old = await save(at, 'old');
  at.write('a', '1');
  await at.workspace.look();
  const newest = await save(at, 'newest');
  await at.workspace.close();
  days = 11;
  await at.open();
  while ((await at.workspace.checkpoints()).length > 1) await sleep(20);
  expect((await at.workspace.checkpoints()).map(({ id }) => id)).toEqual([newest.id]);
  while (objectsIn(at).some((line) => line.startsWith(old.commit))) await sleep(20);
});

test('[CHK7a] retention by bytes removes the oldest until the store fits', async () => {
  const at = await stage({ kind: 'plain', files: { a: '0' }, open: keeping({ storeBytes: 250_000, historyAgeMs: 0 }) });
  for (let n = 0; n < 8; n++) {
    at.write('big.bin', noise(n));
    await save(at, `${n}`);
  }
  const { store } = await at.workspace.status();
  expect(store.bytes).toBeGreaterThan(400_000);
  const { left, checkpoints } = value(await at.workspace.gc());
  expect(left).toBeLessThan(250_000);
  expect(checkpoints.length).toBeGreaterThan(3);
  const status = await at.workspace.status();
  expect(status.store.bytes).toBe(left);
  expect(status.store.checkpoints).toBe(8 - checkpoints.length);
  expect((await at.workspace.checkpoints()).at(-1)?.message).toBe('7');
});

test('[CHK7d] one store for all sessions: a hundred of them cost one baseline', async () => {
  const files = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`d${n % 10}/f${n}`, `${n} `.repeat(300)]));
  const at = await stage({ kind: 'plain', files });
  await save(at);
  // Collected each time: the store packs itself when it has been opened, and for a moment has things twice.
  const { left } = value(await at.workspace.gc());
  for (let n = 0; n < 100; n++) value(await at.workspace.startSession({ id: `s${n}` }));
  expect((await at.workspace.checkpoints()).length).toBe(101);
  for (let n = 0; n < 3; n++) {
    const now = value(await at.workspace.gc()).left;
    const refs = storeGit(at, 'for-each-ref', '--format=%(objectname) %(refname)').length;
    expect(now).toBeLessThanOrEqual(left + refs);
  }
});

test('[CHK8a] a truncated object: said, nothing lost, the rest works', async () => {
  const at = await stage({ kind: 'plain', files: { 'a.txt': '1', 'b.txt': 'one' } });
  const saved = await save(at);
  at.write('a.txt', '2');
  at.write('b.txt', '2');
  await at.workspace.look();
  truncateObject(at, saved.commit, 'a.txt');
  await at.reopen();
  const { written, conflicts } = value(await at.workspace.restore(saved.id));
  expect([written, conflicts]).toEqual([['b.txt'], [{ path: 'a.txt', reason: 'bytes-gone' }]]);
  expect([at.read('a.txt'), at.read('b.txt')]).toEqual(['2', 'one']);
});

test('[CHK8a] a checkpoint whose tree is gone is reported, the others restore', async () => {
  const at = await stage({ kind: 'plain', files: { 'a.txt': '1' } });
  const good = await save(at, 'good');
  at.write('a.txt', '2');
  const bad = await save(at, 'bad');
  at.write('a.txt', '3');
  await save(at);
  await at.close();
  const { tree } = bad;
  rmSync(join(at.data, 'content.git', 'objects', tree.slice(0, 2), tree.slice(2)));
  await at.open();
  expect(refusal(await at.workspace.planRestore(bad.id))).toMatchObject({ code: 'damaged' });
  value(await at.workspace.gc());
  expect((await at.workspace.status()).remarks.join()).toMatch(new RegExp(`${bad.id}`));
  value(await at.workspace.restore(good.id));
  expect(at.read('a.txt')).toBe('1');
});

test('[CHK8b] contents that are gone from the store are taken from the disk again', async () => {
  const at = await stage({ kind: 'plain', files: { 'a.txt': 'precious' } });
  await at.close();
  const objects = join(at.data, 'content.git', 'objects');
  for (const name of readdirSync(objects))
    if (/^[0-9a-f]{2}$/.test(name)) rmSync(join(objects, name), { recursive: true });
  await at.open();
  const saved = await save(at);
  while (!(await at.workspace.status()).remarks.join().includes('taken from the disk again'))
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(storeGit(at, 'show', `${saved.commit}:a.txt`)).toBe('precious');
});

test('[CHK8f] stale locks in the store do not stop anything', async () => {
  const at = await stage({ kind: 'plain', files: { 'a.txt': '1' } });
  await save(at);
  await at.close();
  const gitDir = join(at.data, 'content.git');
  const old = new Date(Date.now() - REF_LOCK_STALE_MS - 1000);
  for (const lock of ['index.lock', 'HEAD.lock', 'packed-refs.lock', 'config.lock', 'refs/palimpsest.lock']) {
    writeFileSync(join(gitDir, lock), '');
    utimesSync(join(gitDir, lock), old, old);
  }
  writeFileSync(join(at.data, 'workspace.lock.pid'), '1');
  await at.open();
  at.write('a.txt', '2');
  const second = await save(at, 'second');
  value(await at.workspace.gc());
  expect(storeGit(at, 'for-each-ref')).toContain(second.id);
});

test('[CHK8f] refs follow once a lock that was left behind is old enough, and nothing waits for them', async () => {
  const at = await stage({ kind: 'plain', files: { 'a.txt': '1' } });
  const lock = join(at.data, 'content.git', 'packed-refs.lock');
  writeFileSync(lock, '');
  const saved = await save(at, 'locked');
  expect(storeGit(at, 'for-each-ref')).not.toContain(saved.id);
  await sleep(200);
  const old = new Date(Date.now() - REF_LOCK_STALE_MS - 1000);
  utimesSync(lock, old, old);
  while (!storeGit(at, 'for-each-ref').includes(saved.id)) await sleep(50);
  expect(existsSync(lock)).toBe(false);
});
