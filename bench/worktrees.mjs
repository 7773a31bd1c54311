// Making a worktree of a workspace with uncommitted work beside `git worktree add` of its last commit, on the same disk, in
// one run: both by turns, each in a process of its own, so that their CPU can be told. Ours does more: it also goes through
// the folders for what is not in the tree, and leaves an index that knows every file.
// Usage, after `npm run build`: node bench/worktrees.mjs [sizes] [rounds]
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEFAULT_SETTINGS } from '../packages/engine/dist/basis/settings.js';
import { borrowFrom } from '../packages/engine/dist/content/borrow.js';
import { openObjects } from '../packages/engine/dist/git/objects.js';
import { sealGit } from '../packages/engine/dist/git/run.js';
import { findRepository, objectDirectories } from '../packages/engine/dist/git/user-repository.js';
import { makeWorktree } from '../packages/engine/dist/worktree/make-worktree.js';
import { GIT_ENV, makeTree, median, ms, pathOf } from './trees.mjs';

const EDITED = 20;

if (process.argv[2] === '--make') await make(process.argv[3], process.argv[4], process.argv[5], process.argv[6]);
else for (const size of (process.argv[2] ?? '1000,10000,100000').split(',').map(Number)) measure(size);

function measure(size) {
  const rounds = Number(process.argv[3] ?? 5);
  const root = makeTree(size);
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-bench-'));
  const rows = { git: [], ours: [] };
  try {
    git(root, 'repack', '-a', '-d', '-q');
    for (let n = 0; n < EDITED; n++) writeFileSync(join(root, pathOf((n * 47) % size)), `edited ${n}\n`);
    const tree = dirtyTree(root, folder);
    for (let round = 0; round < rounds; round++) {
      const turns = [
        () => rows.git.push(theirs(root, join(folder, `git-${round}`))),
        () => rows.ours.push(ours(root, join(folder, 'data'), tree, `round-${round}`)),
      ];
      for (const turn of round % 2 === 0 ? turns : turns.reverse()) turn();
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  }
  report(size, rows);
}

function theirs(root, place) {
  const made = timed(root, ['git', 'worktree', 'add', '-q', '--detach', place, 'HEAD']);
  const status = timed(place, ['git', 'status', '--porcelain']);
  rmSync(place, { recursive: true, force: true });
  git(root, 'worktree', 'prune');
  return { ...made, status };
}

function ours(root, data, tree, name) {
  const made = timed(root, [process.execPath, fileURLToPath(import.meta.url), '--make', root, data, tree, name]);
  const place = join(data, 'worktrees', name, made.said.trim());
  const status = timed(place, ['git', 'status', '--porcelain']);
  const shown = status.said.split('\n').filter(Boolean).length;
  if (shown !== EDITED) throw new Error(`git shows ${shown} files, not ${EDITED}`);
  rmSync(join(data, 'worktrees', name), { recursive: true, force: true });
  git(root, 'worktree', 'unlock', place);
  git(root, 'worktree', 'prune');
  return { ...made, status };
}

/** Wall and CPU of a command and all that it started. */
function timed(cwd, words) {
  const script = 'TIMEFORMAT="%R %U %S"; time "$@" 2>&3';
  const run = spawnSync('bash', ['-c', `exec 3>&2; ${script}`, 'bash', ...words], {
    cwd,
    env: GIT_ENV,
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(`${words.join(' ')}: ${run.stderr}`);
  const [wall, user, system] = run.stderr
    .trim()
    .split('\n')
    .at(-1)
    .split(' ')
    .map((text) => Number(text) * 1000);
  return { wall, cpu: user + system, user, said: run.stdout };
}

function git(cwd, ...args) {
  return execFileSync('git', args, { cwd, env: GIT_ENV, encoding: 'utf8' }).trim();
}

/** What a checkpoint would hold: a tree with the uncommitted work in it. */
function dirtyTree(root, folder) {
  const env = { ...GIT_ENV, GIT_INDEX_FILE: join(folder, 'index') };
  const run = (...args) => execFileSync('git', args, { cwd: root, env, encoding: 'utf8' }).trim();
  run('read-tree', 'HEAD');
  run('add', '-A');
  return run('write-tree');
}

async function make(root, data, tree, name) {
  const objects = await openObjects(join(data, 'content.git'), { git: sealGit(process.env), durability: 'lazy' });
  const repository = (await findRepository(root)).value;
  await borrowFrom(objects, await objectDirectories(repository));
  const began = performance.now();
  const made = await makeWorktree({
    ...{ root, repository, objects, tree, name },
    home: join(data, 'worktrees'),
    settings: DEFAULT_SETTINGS.worktree,
    environment: process.env,
  });
  if (!made.ok) throw new Error(JSON.stringify(made.error));
  if (process.env.BENCH_STEPS) process.stderr.write(`${ms(performance.now() - began)}\n`);
  await objects.close();
  process.stdout.write(`${made.value.path.slice(made.value.path.lastIndexOf('/') + 1)}\n`);
}

function report(size, { git: theirs, ours }) {
  const line = (label, key, pick = (row) => row[key]) => {
    const [a, b] = [median(theirs.map(pick)), median(ours.map(pick))];
    const each = ours.map((row, n) => pick(row) / pick(theirs[n]));
    process.stdout.write(
      `${label.padEnd(34)} ${ms(a).padStart(10)} ${ms(b).padStart(10)}   ${(b / a).toFixed(2)}×  (by round ${each.map((x) => x.toFixed(2)).join(' ')})\n`,
    );
  };
  process.stdout.write(`${`${size} files, ${EDITED} of them edited`.padEnd(35)}       git       ours   ratio\n`);
  line('worktree, wall', 'wall');
  line('worktree, CPU', 'cpu');
  line('first git status in it, wall', '', (row) => row.status.wall);
  line('first git status in it, CPU', '', (row) => row.status.cpu);
}
