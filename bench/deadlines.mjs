// How long a real agent waits for our hooks on a busy machine, the start of the daemon included, beside our deadline for
// that agent and its own limit. Two of the daemons are gone when the agent comes: one before it starts, one that is killed
// before a call. Exits with 1 when a hook went past the limit of its agent, or an agent did not finish.
// All agents run at once, each one of as many busy processes as the load is to be: `PAL_BENCH_LOAD=20 node
// bench/deadlines.mjs claude codex` measures these two beside eighteen others.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { realAgents } from './agents.mjs';

const LOAD = Number(process.env.PAL_BENCH_LOAD ?? 20);
/** Should nobody be left to end them. */
const HOG_LIFE_MS = 4 * 60 * 1000;
/** When a process with the start time 0 would have begun, in milliseconds since the epoch: to a hundredth of a second. */
const EPOCH_MS = Math.max(...Array.from({ length: 20 }, sampleEpoch));
const NOTING = `noted() {
  read -r -a stat </proc/$$/stat
  now=\${EPOCHREALTIME/[.,]/}
  echo $((now / 1000 - stat[21] * 10 - ${Math.round(EPOCH_MS)})) >>"$PAL_BENCH_LOG"
}
trap noted EXIT
`;

const { AGENTS, PAL, programOf, Seat, drivers } = await realAgents();
const wanted = process.argv.slice(2);
const ready = [];
for (const driver of drivers) {
  if (wanted.length > 0 && !wanted.includes(driver.agent)) continue;
  const program = await programOf(driver);
  if ('missing' in program) print(`SKIPPED: ${program.missing}`);
  else ready.push({ driver, file: program.file });
}
const folder = mkdtempSync(join(tmpdir(), 'pal-deadlines-'));
const pal = watchedPal(folder);
let bad = false;
try {
  await measure(ready);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = bad ? 1 : 0;

async function measure(agents) {
  const seats = await Promise.all(agents.map(({ driver, file }) => Seat.take(driver, file)));
  for (const seat of seats) wire(seat);
  const hogs = Array.from({ length: Math.max(0, LOAD - seats.length) }, hog);
  try {
    await Promise.all(seats.map(async (seat) => tell(seat, await hooksOf(seat))));
  } finally {
    for (const one of hogs) one.kill('SIGKILL');
    for (const seat of seats) await seat.leave();
  }
}

/** One run in which everything an agent asks us about comes, and twice there is no daemon. */
async function hooksOf(seat) {
  const { read, edit, write, shell } = seat.driver.tools(seat);
  const env = { PAL_BENCH_LOG: logOf(seat) };
  seat.workspace.write('bench.txt', 'number 0\n');
  const ran = await seat.run(
    'Count up to three.',
    [
      { calls: [read('bench.txt')] },
      { calls: [edit('bench.txt', 'number 0', 'number 1')] },
      { calls: [shell('echo one > one.txt')] },
      { run: () => killDaemon(seat), calls: [edit('bench.txt', 'number 1', 'number 2')] },
      { calls: [write('two.txt', 'two\n')] },
      { calls: [shell('echo three > three.txt')] },
      { text: 'done' },
    ],
    { env },
  );
  const done = ran.exit === 0 && seat.model.left === 0;
  const hooks = existsSync(env.PAL_BENCH_LOG) ? readFileSync(env.PAL_BENCH_LOG, 'utf8').trim().split('\n') : [];
  const missed = join(seat.user.data, 'missed.jsonl');
  const unheard = existsSync(missed) ? readFileSync(missed, 'utf8').trim().split('\n').length : 0;
  return { done, unheard, waits: hooks.map(Number), ran };
}

function tell(seat, { done, unheard, waits, ran }) {
  const { deadlineMs, limitMs } = AGENTS[seat.agent].waits;
  const worst = Math.max(...waits);
  const kept = done && waits.length > 0 && (limitMs === null || worst < limitMs);
  bad ||= !kept;
  const sorted = [...waits].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  print(
    `${seat.agent.padEnd(9)} ${String(waits.length).padStart(3)} hooks   median ${show(middle)}   worst ${show(worst)}   deadline ${show(deadlineMs)}   its limit ${limitMs === null ? '   none' : show(limitMs)}   ${String(unheard).padStart(2)} without an answer   load ${loadavg()[0].toFixed(1)}   ${kept ? 'kept' : 'MISSED'}`,
  );
  if (!done)
    print(`${seat.agent} did not finish: exit ${ran.exit}, ${seat.model.left} steps left\n${ran.stderr.slice(-500)}`);
}

function wire(seat) {
  const { environment, workspace, agent } = seat;
  const done = spawnSync(process.execPath, [pal, 'init', '--agent', agent], {
    cwd: workspace.root,
    env: environment,
    encoding: 'utf8',
  });
  if (done.status !== 0) throw new Error(`pal init: ${done.stdout}${done.stderr}`);
}

/** A copy of what is shipped whose hooks note how long they took, counted from the start of their process. */
function watchedPal(place) {
  const app = dirname(dirname(PAL));
  for (const name of ['bin', 'bundle', 'package.json']) cpSync(join(app, name), join(place, name), { recursive: true });
  const change = (name, from, to) => {
    const file = join(place, 'bundle', name);
    const text = readFileSync(file, 'utf8');
    if (!text.includes(from)) throw new Error(`${name} is not as this benchmark knows it`);
    writeFileSync(
      file,
      text.replace(from, () => to),
    );
  };
  change('hook.sh', 'LC_ALL=C\n', `LC_ALL=C\n${NOTING}`);
  for (const name of ['opencode.js', 'cline.js']) {
    change(
      `plugins/${name}`,
      'async function tell(',
      `async function tell(...told) { const began = Date.now(); try { return await tellIt(...told); } finally { (await import('node:fs')).appendFileSync(process.env.PAL_BENCH_LOG, (Date.now() - began) + '\\n'); } }\nasync function tellIt(`,
    );
  }
  return join(place, 'bin/pal.js');
}

function sampleEpoch() {
  const before = Date.now();
  const { stdout } = spawnSync('cat', ['/proc/self/stat'], { encoding: 'utf8' });
  return before - Number(stdout.split(' ')[21]) * 10;
}

function logOf(seat) {
  return join(seat.user.folder, 'hooks.log');
}

function killDaemon(seat) {
  try {
    process.kill(JSON.parse(readFileSync(join(seat.user.data, 'daemon.json'), 'utf8')).pid, 'SIGKILL');
  } catch (error) {
    // On a machine this busy none may have come up yet.
    if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error;
  }
}

function hog() {
  const script = `const until = Date.now() + ${HOG_LIFE_MS}; while (Date.now() < until);`;
  return spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
}

function show(ms) {
  return `${(ms / 1000).toFixed(2).padStart(5)} s`;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
