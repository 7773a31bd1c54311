import type { Seq } from '@palimpsest/core';
import { expect, test } from 'vitest';
import { MemoryWorld } from './memory-world.fixture.js';

const text = (lines: string) =>
  lines
    .split('')
    .map((line) => `line ${line}\n`)
    .join('');

/** As one verdict is told: how much was rejected and is in conflict. */
async function rejecting(world: MemoryWorld, selection: { readonly changes?: string[]; readonly session?: string }) {
  const done = await world.verbs.reject(selection);
  return done.ok ? [done.value.rejected.length, done.value.conflicts.length] : done.error;
}

test('[REV3j] a line of a person that an agent brought back stays once a person has brought it back as well', async () => {
  const world = new MemoryWorld();
  await world.human('a', text('xy'));
  await world.human('a', text('xz'));
  await world.agent('S', 'a', text('xy'));
  await world.human('a', text('xz'));
  await world.human('a', text('xy'));
  expect(await rejecting(world, { session: 'S' })).toEqual([0, 1]);
  expect(world.text('a')).toBe(text('xy'));
});

test('[REV11d] a line that an agent wrote first goes with its change, though a person put it away and brought it back', async () => {
  const world = new MemoryWorld();
  await world.human('a', text('xz'));
  await world.agent('S', 'a', text('xy'));
  await world.human('a', text('xz'));
  await world.human('a', text('xy'));
  expect(await rejecting(world, { session: 'S' })).toEqual([1, 0]);
  expect(world.text('a')).toBe(text('xz'));
});

test('[CHK3i] three files of which one ends where another goes back to are all there again after an undo', async () => {
  const world = new MemoryWorld();
  await world.human('d', text('abcd'));
  await world.human('b', text('efgh'));
  const since = world.last as Seq;
  await world.act('S', () => world.rename('d', 'e'));
  await world.act('S', () => world.rename('b', 'd'));
  await world.agent('S', 'b', text('xy'));
  const texts = () => world.paths().map((path) => [path, world.text(path)]);
  const before = texts();
  expect((await world.keepMine(since)).conflicts).toEqual([]);
  expect(texts()).toEqual([
    ['b', text('efgh')],
    ['d', text('abcd')],
  ]);
  expect((await world.verbs.undo()).ok).toBe(true);
  expect(texts()).toEqual(before);
});

test('[REV3l] nothing is called rejected while its lines stand at a former name of the file', async () => {
  const world = new MemoryWorld();
  await world.human('d', text('abcdef'));
  await world.agent('T', 'd', text('xabcdef'));
  await world.act(null, () => world.rename('d', 'f'));
  await world.agent('S', 'd', text('xabcdef'));
  expect(await rejecting(world, { changes: ['c2.1'] })).toEqual([0, 1]);
  expect(await rejecting(world, { changes: ['c4.1'] })).toEqual([1, 0]);
  expect(await rejecting(world, { changes: ['c2.1'] })).toEqual([1, 0]);
  expect([world.text('d'), world.text('f')]).toEqual([null, text('abcdef')]);
});

test('[REV9b] a rejected file that was made anew and then removed by a person does not come back with an undo', async () => {
  const world = new MemoryWorld();
  await world.agent('S', 'a', text('ab'));
  expect(await rejecting(world, { session: 'S' })).toEqual([1, 0]);
  await world.agent('S', 'a', text('cd'));
  await world.human('a', null);
  expect(await world.verbs.undo()).toMatchObject({ ok: false, error: { code: 'conflict', paths: ['a'] } });
  expect(world.text('a')).toBe(null);
});
