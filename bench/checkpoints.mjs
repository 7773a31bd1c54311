// Checkpoints beside the method that S5 describes (a shadow repository with core.worktree, `git add .`, commit, through
// simple-git where it is installed), on generated trees, in one run.
// Usage, after `npm run build`: node bench/checkpoints.mjs [sizes]; SIMPLE_GIT names a folder that has simple-git in
// node_modules, otherwise the same commands are spawned directly.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open as openFile, rename } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_SETTINGS } from '../packages/engine/dist/basis/settings.js';
import { openWorkspace } from '../packages/engine/dist/index.js';
import { allOwned, GIT_ENV, makeTree, median, ms, pathOf, textOf } from './trees.mjs';

const SIZES = (process.argv[2] ?? '1000,10000,100000').split(',').map(Number);
const ROUNDS = 25;
const MANY = 1_000;
const simpleGit = loadSimpleGit();
const rows = [];

for (const size of SIZES) {
  const root = makeTree(size);
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-bench-'));
  try {
    rows.push({ size, ...(await measure(root, folder, size)) });
  } finally {
    rmSync(root, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}
report();

async function measure(root, folder, size) {
  const shadow = await shadowRepository(root, join(folder, 'shadow'));
  const theirs = {
    baseline: await timed(() => shadow.commit('initial commit')),
    save: await theirSaves(shadow, root, size),
    restore: await theirRestores(shadow, root, size),
  };
  // What the shadow wrote goes to the disk now, not under the syncs that are measured.
  execFileSync('sync');
  await sleep(3_000);
  const began = performance.now();
  let workspace = await open(root, join(folder, 'data'));
  const guard = await timed(() => begunCall(workspace, root, 'first'));
  const longest = longestPause();
  const first = value(await workspace.saveCheckpoint({ message: 'first' }));
  const baseline = performance.now() - began;
  const pause = longest();
  await quiet(workspace, join(folder, 'data'));
  const ours = {
    save: await ourSaves(workspace, root),
    same: await ourSames(workspace),
    restore: await ourRestores(workspace, root),
    many: size >= MANY ? await manyFiles(workspace, root, folder) : null,
    diff: await timed(async () => value(await workspace.checkpointDiff(first.id, 'now'))),
    calls: await calls(workspace, root),
    growth: size <= 10_000 ? await growth(workspace, root) : null,
    gc: await timed(async () => value(await workspace.gc())),
  };
  const sessions = await sessionsCost(workspace);
  await workspace.close();
  workspace = await open(root, join(folder, 'manual'), false);
  await workspace.saveCheckpoint();
  const plain = await calls(workspace, root);
  await workspace.close();
  return { theirs, ours: { ...ours, baseline, guard, pause, plain, sessions } };
}

async function ourSaves(workspace, root) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    appendFileSync(join(root, pathOf(round * 7)), `more ${round}\n`);
    times.push(await timed(async () => value(await workspace.saveCheckpoint({ message: `round ${round}` }))));
  }
  return median(times);
}

async function ourSames(workspace) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++)
    times.push(await timed(async () => value(await workspace.saveCheckpoint())));
  return median(times);
}

async function ourRestores(workspace, root) {
  const { id } = value(await workspace.saveCheckpoint());
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    appendFileSync(join(root, pathOf(round * 11)), `wrong ${round}\n`);
    times.push(await timed(async () => value(await workspace.restore(id))));
  }
  return median(times);
}

/** A thousand files back, against writing those thousand files: as they come, and each of them safe on disk. */
async function manyFiles(workspace, root, folder) {
  const { id } = value(await workspace.saveCheckpoint());
  const times = { ours: [], plain: [], safe: [] };
  const target = join(folder, 'plain');
  mkdirSync(target);
  for (let round = 0; round < 5; round++) {
    for (let n = 0; n < MANY; n++) appendFileSync(join(root, pathOf(n)), `wrong ${round}\n`);
    await workspace.look();
    execFileSync('sync');
    times.ours.push(await timed(async () => value(await workspace.restore(id))));
    execFileSync('sync');
    times.plain.push(
      await timed(() => {
        for (let n = 0; n < MANY; n++) writeFileSync(join(target, `${round}-${n}`), textOf(n));
      }),
    );
    execFileSync('sync');
    times.safe.push(await timed(() => safely(target, round)));
  }
  return { ours: median(times.ours), plain: median(times.plain), safe: median(times.safe) };
}

async function safely(target, round) {
  let next = 0;
  const work = async () => {
    for (let n = next++; n < MANY; n = next++) {
      const handle = await openFile(join(target, `t${n}`), 'w');
      await handle.writeFile(textOf(n));
      await handle.sync();
      await handle.close();
      await rename(join(target, `t${n}`), join(target, `${round}-${n}`));
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

/** How long an agent waits for the two hooks around an edit. */
async function calls(workspace, root) {
  const times = [];
  const path = join(root, pathOf(3));
  for (let round = 0; round < ROUNDS; round++) {
    const callId = `call-${performance.now()}`;
    const text = readFileSync(path, 'utf8');
    const input = { file_path: path, content: `${text}edit ${round}\n` };
    const began = performance.now();
    const answer = value(await workspace.begin({ session: 'bench', callId, tool: 'Write', input }));
    const begun = performance.now() - began;
    if (answer.decision === 'deny') value(await workspace.note({ kind: 'read', session: 'bench', path }));
    writeFileSync(path, input.content);
    const ending = performance.now();
    value(await workspace.end({ session: 'bench', callId }));
    times.push(begun + performance.now() - ending);
  }
  return median(times);
}

async function begunCall(workspace, root, callId) {
  const input = { file_path: join(root, pathOf(1)) };
  value(await workspace.begin({ session: 'bench', callId, tool: 'Read', input }));
  value(await workspace.end({ session: 'bench', callId }));
}

/** What one changed line in a file of 4 kB costs after tidying up. */
async function growth(workspace, root) {
  const CHANGES = 200;
  const path = join(root, 'd0/four.txt');
  const lines = Array.from({ length: 80 }, (_, n) => `line ${n} ${'x'.repeat(40)}${(n * 7919) % 9973}\n`);
  writeFileSync(path, lines.join(''));
  value(await workspace.saveCheckpoint());
  value(await workspace.gc());
  const before = (await workspace.status()).store.bytes;
  for (let n = 0; n < CHANGES; n++) {
    lines[n % lines.length] = `changed ${n} ${'y'.repeat(30)}${(n * 104729) % 99991}\n`;
    writeFileSync(path, lines.join(''));
    value(await workspace.saveCheckpoint());
  }
  value(await workspace.gc());
  return ((await workspace.status()).store.bytes - before) / CHANGES;
}

async function sessionsCost(workspace) {
  const before = (await workspace.status()).store.bytes;
  for (let n = 0; n < 100; n++) value(await workspace.startSession({ id: `session ${n}` }));
  await workspace.checkpoints();
  return (await workspace.status()).store.bytes - before;
}

async function theirSaves(shadow, root, size) {
  const times = [];
  for (let round = 0; round < (size > 50_000 ? 3 : 7); round++) {
    appendFileSync(join(root, pathOf(round * 7)), `theirs ${round}\n`);
    times.push(await timed(() => shadow.commit(`round ${round}`)));
  }
  return median(times);
}

async function theirRestores(shadow, root, size) {
  const times = [];
  for (let round = 0; round < (size > 50_000 ? 3 : 7); round++) {
    appendFileSync(join(root, pathOf(round * 11)), `wrong ${round}\n`);
    times.push(await timed(() => shadow.restore()));
  }
  return median(times);
}

async function shadowRepository(root, folder) {
  mkdirSync(folder);
  const config = [
    ['core.worktree', root],
    ['commit.gpgSign', 'false'],
    ['user.name', 'shadow'],
    ['user.email', 'shadow@example.com'],
  ];
  if (simpleGit === null) {
    const git = (...args) => execFileSync('git', args, { cwd: folder, env: GIT_ENV, stdio: 'ignore' });
    git('init', '-q');
    for (const [name, setting] of config) git('config', name, setting);
    return {
      commit: async (message) => {
        git('add', '.');
        git('commit', '-q', '--allow-empty', '-m', message);
      },
      restore: async () => {
        git('clean', '-f', '-d');
        git('reset', '-q', '--hard', 'HEAD');
      },
    };
  }
  const git = simpleGit(folder);
  await git.init();
  for (const [name, setting] of config) await git.addConfig(name, setting);
  return {
    commit: async (message) => {
      await git.add('.');
      await git.commit(message, { '--allow-empty': null });
    },
    restore: async () => {
      await git.clean('f', ['-d', '-f']);
      await git.reset(['--hard', 'HEAD']);
    },
  };
}

async function open(root, data, automatic = true) {
  const settings = { checkpoints: { ...DEFAULT_SETTINGS.checkpoints, automatic } };
  const guard = { stale: 'off', unseen: 'off', apart: 'pass' };
  return value(await openWorkspace(root, { data, environment: process.env, settings: { ...settings, guard } }));
}

/** The work in the background after opening is measured by itself, and is over before the rest is measured. */
async function quiet(workspace, data) {
  await workspace.stockTaken();
  await allOwned(data);
  execFileSync('sync');
  await sleep(5_000);
}

/** The longest time for which the event loop did not turn, until the answer is asked for. */
function longestPause() {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last - 1);
    last = performance.now();
  }, 1);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

function loadSimpleGit() {
  if (process.env.SIMPLE_GIT === undefined) return null;
  for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) delete process.env[name];
  return createRequire(join(process.env.SIMPLE_GIT, 'x.js'))('simple-git').simpleGit;
}

async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function value(outcome) {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
  return outcome.value;
}

function report() {
  const say = (line) => process.stdout.write(`${line}\n`);
  say(`S5 through ${simpleGit === null ? 'git itself' : 'simple-git'}; medians`);
  for (const { size, ours, theirs } of rows) {
    const ratio = (mine, other) => `${ms(mine)} against ${ms(other)}: ${(other / mine).toFixed(0)}×`;
    say(`\n${size} files`);
    say(`  first baseline      ${ratio(ours.baseline, theirs.baseline)}`);
    say(`  a call meanwhile    ${ms(ours.guard)}; longest pause of the thread ${ms(ours.pause)}`);
    say(`  save, one changed   ${ratio(ours.save, theirs.save)}`);
    say(`  save, no change     ${ms(ours.same)}`);
    say(`  restore one file    ${ratio(ours.restore, theirs.restore)}`);
    if (ours.many !== null)
      say(
        `  restore ${MANY} files  ${ms(ours.many.ours)}; writing them ${ms(ours.many.plain)}, safely ${ms(ours.many.safe)}`,
      );
    say(`  diff with now       ${ms(ours.diff)}`);
    say(`  hooks of an edit    ${ms(ours.calls)} with automatic checkpoints, ${ms(ours.plain)} without`);
    say(`  gc                  ${ms(ours.gc)}`);
    if (ours.growth !== null) say(`  a changed line      ${ours.growth.toFixed(0)} bytes after gc`);
    say(`  100 more sessions   ${ours.sessions} bytes`);
  }
  const [small, large] = [rows[0], rows.at(-1)];
  say(
    `\nsaving at ${large.size} costs ${(large.ours.save / small.ours.save).toFixed(2)}× what it costs at ${small.size}`,
  );
}
