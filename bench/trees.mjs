// Generated trees for the benchmarks: text files of a few kB in folders of thirty, in a git repository.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const FILES_PER_FOLDER = 30;
const OWNED_WITHIN_MS = 300_000;
export const GIT_ENV = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'bench',
  GIT_AUTHOR_EMAIL: 'bench@example.com',
  GIT_COMMITTER_NAME: 'bench',
  GIT_COMMITTER_EMAIL: 'bench@example.com',
};

export function pathOf(index) {
  const folder = Math.floor(index / FILES_PER_FOLDER);
  return `d${folder % 40}/e${Math.floor(folder / 40)}/f${index}.txt`;
}

export function textOf(index) {
  const lines = 40 + (index % 60);
  let text = '';
  for (let line = 0; line < lines; line++)
    text += `line ${line} of file ${index}: ${(index * 7919 + line * 104729) % 1000003}\n`;
  return text;
}

/** A committed repository of `count` files; made once and copied, so that each caller may spoil its own. */
export function makeTree(count) {
  const kept = join(tmpdir(), `palimpsest-bench-tree-${count}`);
  if (!existsSync(kept)) {
    const making = `${kept}.making`;
    rmSync(making, { recursive: true, force: true });
    for (let index = 0; index < count; index++) {
      const path = join(making, pathOf(index));
      if (index % FILES_PER_FOLDER === 0) mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, textOf(index));
    }
    execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: making, env: GIT_ENV });
    execFileSync('git', ['add', '-A'], { cwd: making, env: GIT_ENV });
    execFileSync('git', ['-c', 'gc.auto=0', 'commit', '-q', '-m', 'all'], { cwd: making, env: GIT_ENV });
    renameSync(making, kept);
  }
  const copy = join(tmpdir(), `palimpsest-bench-${count}-${process.pid}-${Date.now()}`);
  execFileSync('cp', ['-a', kept, copy]);
  // The copy has other inodes and times: git takes stock of it once, as in any repository that has been in use.
  execFileSync('git', ['status', '--porcelain'], { cwd: copy, env: GIT_ENV });
  return copy;
}

/** In the background after a first open the borrowed objects are copied; until then the list of lenders stands. */
export async function allOwned(data) {
  const lenders = join(data, 'content.git', 'objects', 'info', 'alternates');
  const began = performance.now();
  while (existsSync(lenders)) {
    if (performance.now() - began > OWNED_WITHIN_MS) throw new Error('the objects are still borrowed');
    await sleep(100);
  }
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

export const ms = (value) => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
