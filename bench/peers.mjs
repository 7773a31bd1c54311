// Checkpoints beside the snapshots of two real agents, on generated trees, in one run.
// Usage, after `npm run build`: node bench/peers.mjs [sizes]; GEMINI_CORE names a folder that has @google/gemini-cli-core
// in its node_modules, OPENCODE the program of that name. Who is not there is left out.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { openWorkspace } from '../packages/engine/dist/index.js';
import { allOwned, GIT_ENV, makeTree, median, ms, pathOf } from './trees.mjs';

const SIZES = (process.argv[2] ?? '1000,100000').split(',').map(Number);
const OUR_ROUNDS = 15;
const THEIR_ROUNDS = 3;
for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) delete process.env[name];

for (const size of SIZES) {
  const root = makeTree(size);
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-bench-'));
  try {
    const peers = [await geminiService(root, folder), opencodeSnapshots(root, folder)].filter((peer) => peer !== null);
    const theirs = [];
    for (const peer of peers) theirs.push(await measure(peer, root, THEIR_ROUNDS));
    execFileSync('sync');
    await sleep(3000);
    report(size, await measure(await ours(root, folder), root, OUR_ROUNDS), theirs);
  } finally {
    rmSync(root, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(subject, root, rounds) {
  const first = (await timed(() => subject.save())) - subject.startMs;
  await subject.settled?.();
  const saves = [];
  for (let round = 0; round < rounds; round++) {
    appendFileSync(join(root, pathOf(round * 7)), `${subject.name} ${round}\n`);
    saves.push((await timed(() => subject.save())) - subject.startMs);
  }
  const restores = [];
  for (let round = 0; subject.restore !== undefined && round < rounds; round++) {
    appendFileSync(join(root, pathOf(round * 11)), `wrong ${round}\n`);
    restores.push(await timed(() => subject.restore()));
  }
  await subject.close?.();
  return { name: subject.name, first, save: median(saves), restore: median(restores) ?? null };
}

async function ours(root, folder) {
  const data = join(folder, 'data');
  let workspace = null;
  let last = null;
  return {
    name: 'palimpsest',
    startMs: 0,
    save: async () => {
      workspace ??= value(await openWorkspace(root, { data, environment: process.env }));
      last = value(await workspace.saveCheckpoint({ message: 'bench' })).id;
    },
    restore: async () => value(await workspace.restore(last)),
    settled: async () => {
      await allOwned(data);
      await sleep(2000);
    },
    close: () => workspace.close(),
  };
}

/** What Gemini CLI does before each tool call when its checkpointing is on. */
async function geminiService(root, folder) {
  const place = process.env.GEMINI_CORE;
  if (place === undefined) return null;
  const file = join(place, 'node_modules/@google/gemini-cli-core/dist/src/services/gitService.js');
  const { GitService } = await import(pathToFileURL(file).href);
  const history = join(folder, 'gemini');
  mkdirSync(history);
  const service = new GitService(root, { getHistoryDir: () => history, initialize: async () => undefined });
  await service.initialize();
  let last = null;
  return {
    name: 'gemini-cli-core GitService',
    startMs: 0,
    save: async () => {
      last = await service.createFileSnapshot('bench');
    },
    restore: () => service.restoreProjectFromSnapshot(last),
  };
}

/** Its command starts the whole program; what that takes in a repository of one file is subtracted. */
function opencodeSnapshots(root, folder) {
  const program = process.env.OPENCODE;
  if (program === undefined) return null;
  const home = join(folder, 'home');
  mkdirSync(home);
  const track = (cwd) =>
    execFileSync(program, ['debug', 'snapshot', 'track'], { cwd, env: { ...GIT_ENV, HOME: home }, stdio: 'pipe' });
  const small = join(folder, 'small');
  mkdirSync(small);
  const git = (...words) => execFileSync('git', words, { cwd: small, env: GIT_ENV, stdio: 'pipe' });
  git('init', '-q');
  writeFileSync(join(small, 'one.txt'), 'one\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'one');
  track(small);
  const starts = [];
  for (let round = 0; round < THEIR_ROUNDS; round++) starts.push(timedNow(() => track(small)));
  return { name: 'opencode debug snapshot track', startMs: Math.min(...starts), save: async () => track(root) };
}

function report(size, mine, theirs) {
  const say = (line) => process.stdout.write(`${line}\n`);
  say(`${size} files`);
  say(row(mine.name, `first ${ms(mine.first)}`, `save ${ms(mine.save)}`, `restore ${ms(mine.restore)}`));
  for (const { name, first, save, restore } of theirs) {
    const beside = (what, time, own) => `${what} ${ms(time)} (${(time / own).toFixed(0)}×)`;
    const cells = [beside('first', first, mine.first), beside('save', save, mine.save)];
    say(row(name, ...cells, restore === null ? '' : beside('restore', restore, mine.restore)));
  }
}

function row(name, ...cells) {
  return `  ${name.padEnd(32)}${cells.map((cell) => cell.padEnd(26)).join('')}`.trimEnd();
}

async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function timedNow(work) {
  const began = performance.now();
  work();
  return performance.now() - began;
}

function value(outcome) {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
  return outcome.value;
}
