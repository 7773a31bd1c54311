import { spawn } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { until } from '../../../../test/patience.fixture.js';
import { SEED } from '../../../../test/search.fixture.js';
import { coverageRules } from '../tree/coverage-rules.js';
import { newFolder, put } from '../tree/folder.fixture.js';
import { openWatch } from './directory-watch.js';
import { contents, missed } from './watch.fixture.js';
import type { Watch } from './watch.js';

/** Runs in a process of its own: random operations on few names, so that they meet often. */
const STORM = `
const fs = require('fs');
const [, seedText, count] = process.argv;
let state = Number(seedText) >>> 0;
const below = (n) => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return Math.floor(state / 2 ** 32 * n); };
const name = () => ['a', 'b', 'c d', 'é'][below(4)];
const path = () => Array.from({ length: 1 + below(3) }, name).join('/');
const tries = [
  () => fs.writeFileSync(path(), String(below(1e9))),
  () => fs.appendFileSync(path(), 'x'),
  () => fs.unlinkSync(path()),
  () => { const p = path(); fs.mkdirSync(p, { recursive: true }); fs.writeFileSync(p + '/f' + below(3), String(below(1e9))); },
  () => { const p = path(); fs.mkdirSync(p + '/deep/er', { recursive: true }); fs.writeFileSync(p + '/deep/er/g', String(below(1e9))); },
  () => fs.renameSync(path(), path()),
  () => fs.renameSync(path() + '/deep', path()),
  () => fs.rmSync(path(), { recursive: true }),
  () => fs.symlinkSync(path(), path()),
  () => { fs.writeFileSync('.tmp-x', String(below(1e9))); fs.renameSync('.tmp-x', path()); },
];
for (let n = 0; n < Number(count); n++) { try { tries[below(tries.length)](); } catch (error) { if (!error.code) throw error; } }
`;

function storm(root: string, seed: number, count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['-e', STORM, String(seed), String(count)], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`exit ${code}`))));
  });
}

const watches: Watch[] = [];
afterAll(async () => {
  for (const watch of watches) await watch.close();
});

async function watched(): Promise<{ root: string; watch: Watch }> {
  const root = put(newFolder(), { 'a/b/x': '', 'b/y': '' });
  const open = () => openWatch({ rules: coverageRules(root), cookieFolder: newFolder(), style: 'folders' });
  let watch = await open();
  // The system has few watchers for everybody, and others may have them all for a moment.
  await until(async () => {
    if (watch.mode === 'events') return true;
    await watch.close();
    watch = await open();
    return false;
  });
  watches.push(watch);
  return { root, watch };
}

test(`[CAP1b] [I7] after random operations every difference is hinted (seed ${SEED})`, async () => {
  const { root, watch } = await watched();
  let hinted = 0;
  for (let round = 0; round < 8; round++) {
    const before = contents(root);
    await storm(root, SEED + round, 120);
    const { hints } = await watch.settle();
    expect(watch.mode).toBe('events');
    if (hints === 'rescan') continue;
    hinted += 1;
    expect({ round, missed: missed(before, contents(root), hints) }).toEqual({ round, missed: [] });
  }
  expect(hinted).toBeGreaterThan(0);
  // Whatever became of the folders, a write at the end is still seen.
  put(root, { 'last/of/all': '1' });
  const { hints } = await watch.settle();
  expect(hints === 'rescan' || hints.has('last/of/all' as never)).toBe(true);
});

test(`[CAP1b] [I7] settling in the middle of it loses nothing either (seed ${SEED})`, async () => {
  const { root, watch } = await watched();
  for (let round = 0; round < 3; round++) {
    const before = contents(root);
    const hints = new Set<string>();
    let rescans = 0;
    let over = false;
    const running = storm(root, SEED + 1000 + round, 1000).then(() => {
      over = true;
    });
    const take = async () => {
      const settled = await watch.settle();
      if (settled.hints === 'rescan') rescans++;
      else for (const path of settled.hints) hints.add(path);
    };
    // One that cannot watch any more answers at once, and the end of the storm would never be heard.
    while (!over && watch.mode === 'events') await take();
    await running;
    await take();
    if (rescans === 0) expect({ round, missed: missed(before, contents(root), hints) }).toEqual({ round, missed: [] });
  }
  expect(watch.mode).toBe('events');
});
