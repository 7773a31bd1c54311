// Capture beside the method that S3 describes, on generated trees, in one run.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openWorkspace } from '../packages/engine/dist/index.js';
import { allOwned, GIT_ENV, makeTree, median, ms, pathOf } from './trees.mjs';

const SIZES = (process.argv[2] ?? '1000,10000,100000').split(',').map(Number);
const ROUNDS = 31;
const results = new Map();

for (const size of SIZES) {
  const root = makeTree(size);
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-bench-'));
  try {
    results.set(size, await measure(root, folder, size));
  } finally {
    rmSync(root, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}
report();

async function measure(root, folder, size) {
  const data = join(folder, 'data');
  const add = timed(() => addAll(root, join(folder, 'shadow.git')));
  // What the copy and the shadow wrote goes to the disk now, not under the syncs that are measured.
  execFileSync('sync');
  const opening = performance.now();
  let workspace = await open(root, data);
  const ready = performance.now() - opening;
  const first = await guard(workspace, root);
  await workspace.stockTaken();
  const baseline = performance.now() - opening;
  const rss = await residentAfterQuiet();
  const early = await edits(workspace, root, 'early', 800);
  await allOwned(data);
  await sleep(2000);
  const edit = await edits(workspace, root, 'edit', 0);
  const shell = await shells(workspace, root);
  const s3 = [];
  for (let round = 0; round < (size > 50_000 ? 5 : 9); round++) s3.push(timed(() => statusMethod(root)));
  await workspace.close();
  const reopening = performance.now();
  workspace = await open(root, data);
  const readyAgain = performance.now() - reopening;
  await workspace.stockTaken();
  const reopened = performance.now() - reopening;
  await workspace.close();
  return {
    add,
    ready,
    guard: first,
    baseline,
    rss,
    early: median(early),
    edit: median(edit),
    shell: median(shell),
    s3: median(s3),
    readyAgain,
    reopened,
  };
}

async function open(root, data) {
  const opened = await openWorkspace(root, { data, environment: process.env });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  return opened.value;
}

async function guard(workspace, root) {
  const start = performance.now();
  const answer = await workspace.begin({
    session: 'G',
    callId: 'g',
    tool: 'Edit',
    input: { file_path: join(root, pathOf(1)), old_string: 'x', new_string: 'y' },
  });
  if (answer.value.decision !== 'deny') throw new Error('the guard let an unseen file pass');
  return performance.now() - start;
}

async function edits(workspace, root, name, from) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const path = join(root, pathOf(from + round * 3));
    await workspace.note({ kind: 'read', session: 'S', path });
    const next = `${readFileSync(path, 'utf8')}added in round ${round}\n`;
    const start = performance.now();
    await workspace.begin({
      session: 'S',
      callId: `${name}${round}`,
      tool: 'Write',
      input: { file_path: path, content: next },
    });
    const begun = performance.now() - start;
    writeFileSync(path, next);
    const ending = performance.now();
    const ended = await workspace.end({ session: 'S', callId: `${name}${round}` });
    times.push(begun + performance.now() - ending);
    if (ended.value.changes.length !== 1) throw new Error(`expected one change, got ${ended.value.changes.length}`);
  }
  return times;
}

async function shells(workspace, root) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await workspace.begin({ session: 'S', callId: `s${round}`, tool: 'Bash', input: { command: 'make' } });
    const begun = performance.now() - start;
    for (const index of [0, 1, 2]) appendFileSync(join(root, pathOf(500 + round * 3 + index)), `by shell ${round}\n`);
    const ending = performance.now();
    const ended = await workspace.end({ session: 'S', callId: `s${round}` });
    times.push(begun + performance.now() - ending);
    if (ended.value.changes.length !== 3) throw new Error(`expected three changes, got ${ended.value.changes.length}`);
  }
  return times;
}

/** S3: status before and after, and reading whatever is dirty. */
function statusMethod(root) {
  for (let side = 0; side < 2; side++) {
    const status = execFileSync('git', ['status', '--porcelain', '--untracked-files=all'], {
      cwd: root,
      env: GIT_ENV,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    for (const line of status.split('\n')) if (line !== '') readFileSync(join(root, line.slice(3)));
  }
}

function addAll(root, gitDir) {
  const env = { ...GIT_ENV, GIT_DIR: gitDir, GIT_WORK_TREE: root };
  execFileSync('git', ['init', '-q'], { env });
  execFileSync('git', ['add', '-A'], { cwd: root, env });
}

async function residentAfterQuiet() {
  await sleep(1000);
  globalThis.gc?.();
  return process.memoryUsage.rss() / 2 ** 20;
}

function timed(act) {
  const start = performance.now();
  act();
  return performance.now() - start;
}

function report() {
  const [small, large] = [results.get(SIZES[0]), results.get(SIZES.at(-1))];
  const row = (name, pick) => `${name.padEnd(46)}${SIZES.map((size) => pick(results.get(size)).padStart(12)).join('')}`;
  const lines = [
    `${'files'.padEnd(46)}${SIZES.map((size) => String(size).padStart(12)).join('')}`,
    row('begin+end around a one-file edit', (r) => ms(r.edit)),
    row('  the same while objects are being copied', (r) => ms(r.early)),
    row('begin+end around a shell call, 3 files', (r) => ms(r.shell)),
    row('S3: git status twice and reading what is dirty', (r) => ms(r.s3)),
    row('  S3 / edit', (r) => `${(r.s3 / r.edit).toFixed(0)}×`),
    row('git add -A into a fresh repository', (r) => ms(r.add)),
    row('first open: ready for calls', (r) => ms(r.ready)),
    row('first open: first guarded call', (r) => ms(r.guard)),
    row('first open: whole tree gone through', (r) => ms(r.baseline)),
    row('  git add -A / until it is ready', (r) => `${(r.add / r.ready).toFixed(1)}×`),
    row('  git add -A / until all was gone through', (r) => `${(r.add / r.baseline).toFixed(1)}×`),
    row('reopening: ready for calls', (r) => ms(r.readyAgain)),
    row('reopening: whole tree gone through', (r) => ms(r.reopened)),
    row('resident memory', (r) => `${r.rss.toFixed(0)} MB`),
    '',
    `an edit at ${SIZES.at(-1)} files costs ${(large.edit / small.edit).toFixed(2)}× what it costs at ${SIZES[0]}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
