import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withProgress } from '../print/progress.js';
import { ownData, removeOwnData } from './own-data.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pal-own-'));
  for (const digit of ['1', '2', '3']) {
    const place = join(folder, 'workspaces', digit.repeat(16), 'content.git');
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'object'), 'x'.repeat(100));
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('[PKG2f] measuring and removing say how far they are, and leave the terminal its turn', async () => {
  const steps: string[] = [];
  let turns = 0;
  const immediate = () => {
    turns += 1;
    pending = setImmediate(immediate);
  };
  let pending = setImmediate(immediate);
  const onStep = (done: number, of: number) => steps.push(`${done} of ${of}`);
  expect(await ownData(folder, [], onStep)).toMatchObject({ workspaces: 3, bytes: 300, others: [] });
  const measured = turns;
  await removeOwnData(folder, onStep);
  clearImmediate(pending);
  expect([measured > 0, turns > measured]).toEqual([true, true]);
  expect(steps).toEqual(['0 of 3', '1 of 3', '2 of 3', '0 of 3', '1 of 3', '2 of 3']);
  expect(existsSync(folder)).toBe(false);
});

test('[PKG2f] what is shown is asked for each time', async () => {
  let far = 0;
  const written: string[] = [];
  const stream = { isTTY: true, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream;
  const isShown = (text: string) => written.some((line) => line.includes(text));
  await withProgress(
    () => `step ${far}`,
    async () => {
      for (; far < 2; far++) while (!isShown(`step ${far}`)) await new Promise((next) => setTimeout(next, 5));
    },
    stream,
  );
  expect(isShown('step 1')).toBe(true);
});
