// What the daemon costs over the engine, how many calls a second it takes from ten sessions, and whether 200 listeners
// get every operation.
// Usage, after `npm run build`: node bench/daemon.mjs [seconds]
import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connect } from '../apps/pal/dist/link/connect.js';
import { httpSend, LOOPBACK_URL } from '../apps/pal/dist/link/http-send.js';
import { openWorkspace } from '../packages/engine/dist/index.js';
import { createClient, EventParser } from '../packages/protocol/dist/index.js';

const SECONDS = Number(process.argv[2]) || 5;
const PAIRS = 300;
const FILES = 500;
/** An agent thinks between its calls; meanwhile the engine finishes what nobody waits for. */
const PAUSE_MS = 15;
const SESSIONS = 10;
const WARM_UP_SECONDS = 3;
const LISTENERS = 200;
const OPERATIONS_PER_SECOND = 100;
const GOALS = { overheadMs: 5, pairsPerSecond: 500 };

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'pal-bench-daemon-'));
  const connection = await connected(folder);
  try {
    await overhead(folder);
    await sustained(folder, connection);
    await listeners(folder, connection);
  } finally {
    await createClient(connection.address).shutdown();
    while (isAlive(connection.info.pid)) await sleep(20);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function connected(folder) {
  const environment = { PATH: process.env.PATH, HOME: folder };
  const made = await connect({ dataDir: join(folder, 'data'), version: '0.1.0', start: 'if-needed', environment });
  if (!made.ok) throw new Error(made.error.error.message);
  return made.value;
}

function makeTree(folder, name) {
  const root = join(folder, name);
  mkdirSync(root);
  for (let n = 0; n < FILES; n++) writeFileSync(join(root, `file-${n}.txt`), `line\n`.repeat(20));
  return root;
}

const bash = (session, n) => ({ session, callId: `${session}-${n}`, tool: 'Bash', input: { command: 'true' } });
const write = (session, n, root) => ({
  session,
  callId: `${session}-${n}`,
  tool: 'Write',
  input: { file_path: join(root, `file-${n % FILES}.txt`), content: `new ${n}\n` },
  observe: true,
});

const KINDS = [
  { name: 'changing nothing', ask: bash },
  { name: 'writing a file', ask: write },
];

/**
 * What a caller waits beyond the time that the engine takes for the very same calls, which a daemon with a stopwatch
 * around its engine tells.
 */
async function overhead(folder) {
  const child = fork(fileURLToPath(import.meta.url), ['serve', join(folder, 'timed-data'), folder]);
  const info = await message(child);
  const client = createClient({ ...addressOf(info), workspaceRoot: makeTree(folder, 'timed') });
  await settled(client);
  const root = join(folder, 'timed');
  const via = [(request) => client.beginCall({ body: request }), (request) => client.endCall({ body: request })];
  for (const { name, ask } of KINDS) {
    const http = [];
    for (let n = 0; n < PAIRS; n++) {
      http.push(await timed(() => pair(...via, ask(`h-${name}`, n, root))));
      await sleep(PAUSE_MS);
    }
    child.send('times');
    const engine = await message(child);
    const over = http.map((whole, n) => whole - engine[2 * n] - engine[2 * n + 1]);
    console.log(
      `begin+end ${name}: ${ms(median(http))}, of it the engine ${ms(median(http) - median(over))} (×${(median(http) / (median(http) - median(over))).toFixed(2)}); ` +
        `over the engine ${ms(median(over))} of ${GOALS.overheadMs} ms: ${verdict(median(over) <= GOALS.overheadMs)}`,
    );
  }
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
}

async function serve() {
  const [dataDir, home] = process.argv.slice(3);
  const { LiveWorkspace } = await import('../packages/engine/dist/live-workspace.js');
  const { startDaemon } = await import('../apps/pal/dist/daemon/daemon.js');
  const { DEFAULT_IDLE_LIMITS } = await import('../apps/pal/dist/daemon/idleness.js');
  const times = [];
  for (const verb of ['begin', 'end']) {
    const own = LiveWorkspace.prototype[verb];
    LiveWorkspace.prototype[verb] = async function timedVerb(request) {
      const startedAt = performance.now();
      const answer = await own.call(this, request);
      times.push(performance.now() - startedAt);
      return answer;
    };
  }
  mkdirSync(dataDir);
  const environment = { PATH: process.env.PATH };
  const daemon = await startDaemon({ dataDir, version: '0.1.0', idle: DEFAULT_IDLE_LIMITS, environment, home });
  process.on('message', () => process.send(times.splice(0)));
  process.on('SIGTERM', () => void daemon.stop('done').then(() => process.exit()));
  process.send(daemon.info);
}

/** The address of a daemon that nobody replaces. */
function addressOf({ port, token }) {
  return {
    fetch: (url, request) => httpSend({ port, token }, url.slice(LOOPBACK_URL.length), request),
    baseUrl: LOOPBACK_URL,
    token,
  };
}

async function pair(begin, end, request) {
  const began = await begin(request);
  if (!began.ok) throw new Error(JSON.stringify(began.error));
  const startedAt = performance.now();
  if (request.tool === 'Write') writeFileSync(request.input.file_path, request.input.content);
  const toolMs = performance.now() - startedAt;
  const ended = await end({ session: request.session, callId: request.callId, ok: true });
  if (!ended.ok) throw new Error(JSON.stringify(ended.error));
  return toolMs;
}

/** Ten sessions, each with one call at a time, as fast as they are answered; by the engine alone, then by the daemon. */
async function sustained(folder, connection) {
  const engineRoot = makeTree(folder, 'sustained-engine');
  const opened = await openWorkspace(engineRoot, {
    data: join(folder, 'sustained-data'),
    environment: { PATH: process.env.PATH },
  });
  const engine = opened.value;
  await engine.stockTaken();
  const root = makeTree(folder, 'sustained');
  const client = createClient({ ...connection.address, workspaceRoot: root });
  await settled(client);
  const viaEngine = [(request) => engine.begin(request), (request) => engine.end(request)];
  const viaHttp = [(request) => client.beginCall({ body: request }), (request) => client.endCall({ body: request })];
  for (const { name, ask } of KINDS) {
    const alone = { times: [], ms: 0, cpuMs: 0, pid: process.pid };
    const http = { times: [], ms: 0, cpuMs: 0, pid: connection.info.pid };
    // What is sustained is what comes after the code has been compiled.
    const warmUp = { times: [], ms: 0, cpuMs: 0, pid: process.pid };
    for (let turn = 0; turn < WARM_UP_SECONDS; turn++) {
      await spend(warmUp, viaEngine, (id, n) => ask(`w${turn}-${name}-${id}`, n, engineRoot));
      await spend(warmUp, viaHttp, (id, n) => ask(`w${turn}-${name}-${id}`, n, root));
    }
    // In turns of a second, so that both meet the same load of the machine.
    for (let turn = 0; turn < SECONDS; turn++) {
      await spend(alone, viaEngine, (id, n) => ask(`${turn}-${name}-${id}`, n, engineRoot));
      await spend(http, viaHttp, (id, n) => ask(`${turn}-${name}-${id}`, n, root));
    }
    const rate = rateOf(http);
    console.log(
      `${SESSIONS} sessions, pairs ${name}: ${rate.toFixed(0)} pairs/s, the engine alone ${rateOf(alone).toFixed(0)} ` +
        `(×${(rate / rateOf(alone)).toFixed(2)}); median ${ms(median(http.times))}, worst of a hundred ${ms(quantile(http.times, 0.99))}; ` +
        `CPU of a pair ${ms(cpuOf(http))}, the engine alone ${ms(cpuOf(alone))}; ` +
        `×${(rate / GOALS.pairsPerSecond).toFixed(2)} of the goal: ${verdict(rate >= GOALS.pairsPerSecond)}`,
    );
  }
  await engine.close();
}

async function spend(tally, via, ask) {
  const cpuBefore = cpuMs(tally.pid);
  const startedAt = performance.now();
  const session = async (id) => {
    for (let n = id; performance.now() < startedAt + 1000; n += SESSIONS) {
      tally.times.push(await timed(() => pair(...via, ask(id, n))));
    }
  };
  await Promise.all(Array.from({ length: SESSIONS }, (_, id) => session(id)));
  tally.ms += performance.now() - startedAt;
  tally.cpuMs += cpuMs(tally.pid) - cpuBefore;
}

const cpuOf = ({ times, cpuMs: spent }) => spent / times.length;
const rateOf = ({ times, ms: spent }) => (times.length * 1000) / spent;

/** Listeners in a process of their own, so that their parsing is not counted as the daemon's work. */
async function listeners(folder, connection) {
  const root = makeTree(folder, 'listened');
  const client = createClient({ ...connection.address, workspaceRoot: root });
  await settled(client);
  await client.startSession({ body: { id: 's', agent: 'bench' } });
  const workspace = (await client.workspaceId()).value;
  const { port, token, pid } = connection.info;
  const child = fork(fileURLToPath(import.meta.url), ['listen', String(port), token, workspace, String(LISTENERS)]);
  await message(child);
  const first = (await client.status()).value.seq;
  const cpuBefore = cpuMs(pid);
  const startedAt = performance.now();
  const total = OPERATIONS_PER_SECOND * SECONDS;
  const told = [];
  for (let n = 0; n < total; n++) {
    const due = startedAt + (n * 1000) / OPERATIONS_PER_SECOND;
    await sleep(Math.max(0, due - performance.now()));
    told.push(client.renameSession({ params: { session: 's' }, body: { title: `title ${n}` } }));
  }
  await Promise.all(told);
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = cpuMs(pid) - cpuBefore;
  const last = (await client.status()).value.seq;
  child.send({ first, last });
  const { complete, slowestMs } = await message(child);
  child.kill();
  console.log(
    `${LISTENERS} listeners, ${(total / seconds).toFixed(0)} operations/s: ${complete} of ${LISTENERS} got all ${last - first} in order ` +
      `(${(((last - first) * LISTENERS) / seconds).toFixed(0)} events/s), the last one ${ms(slowestMs)} after the last operation, ` +
      `daemon ${((cpu / seconds / 1000) * 100).toFixed(0)} % of a core: ${verdict(complete === LISTENERS && total / seconds >= OPERATIONS_PER_SECOND * 0.98)}`,
  );
}

async function listen() {
  const { get } = await import('node:http');
  const [port, token, workspace, count] = process.argv.slice(3);
  const places = [];
  const open = () =>
    new Promise((resolve) => {
      const place = { last: null, gaps: 0 };
      places.push(place);
      const headers = { authorization: `Bearer ${token}` };
      const path = `/v1/workspaces/${workspace}/events`;
      get({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
        const parser = new EventParser();
        response.setEncoding('utf8');
        response.on('data', (text) => {
          for (const { event, id } of parser.push(text)) {
            const seq = Number(id);
            if (event === 'operation' && seq !== place.last + 1) place.gaps += 1;
            place.last = seq;
            if (event === 'hello') resolve();
          }
        });
      });
    });
  for (let n = 0; n < Number(count); n++) await open();
  process.send('ready');
  const { last } = await new Promise((resolve) => process.once('message', resolve));
  const askedAt = performance.now();
  while (performance.now() - askedAt < 5000 && places.some((place) => place.last < last)) await sleep(1);
  const complete = places.filter((place) => place.last === last && place.gaps === 0).length;
  process.send({ complete, slowestMs: performance.now() - askedAt });
}

const message = (child) => new Promise((resolve) => child.once('message', resolve));

async function settled(client) {
  while ((await client.status()).value.takingStock) await sleep(20);
}

/** How long a pair takes, without the tool itself. */
async function timed(work) {
  const startedAt = performance.now();
  const toolMs = await work();
  return performance.now() - startedAt - toolMs;
}

function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];
}
const median = (values) => quantile(values, 0.5);
const ms = (value) => `${value.toFixed(2)} ms`;
const verdict = (holds) => (holds ? 'met' : 'MISSED');

/** User and system time of a process, where the system tells. */
function cpuMs(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

if (process.argv[2] === 'listen') await listen();
else if (process.argv[2] === 'serve') await serve();
else await main();
