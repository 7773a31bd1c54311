// Cost of one append at 1,000 and at 1,000,000 operations, for both settings of durability, and of one huge change.
// Usage, after `npm run build`: node bench/log.mjs [operations]
import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLog } from '../packages/engine/dist/log/open-log.js';

const SMALL = 1_000;
const LARGE = Number(process.argv[2] ?? 1_000_000);
const TURNS = 20;
const APPENDS_PER_TURN = 500;
const BATCH = 2_000;
const WORKSPACE_FILES = 20_000;
const SESSIONS = 200;
const HUGE_CHANGE = 50_000;

const contentOf = (n) => createHash('sha1').update(String(n)).digest('hex');
const pathOf = (n) => `packages/member-${n % 40}/src/folder-${n % 400}/file-number-${n % WORKSPACE_FILES}.ts`;
const version = (n) => ({ content: contentOf(n), mode: '100644', size: n % 9999 });
const spans = [{ oldStart: 10, oldLines: 2, newStart: 10, newLines: 5 }];

function changed(n) {
  const session = `session-${Math.floor(n / 5000) % SESSIONS}`;
  const author = { kind: 'agent', session, agent: 'bench', call: `toolu_${randomUUID()}`, tool: 'Edit' };
  const path = pathOf(Math.floor(Math.random() * WORKSPACE_FILES));
  const files = [{ path, before: version(n), after: version(n + 1), binary: false, reversible: true, spans }];
  return { kind: 'changed', author, evidence: 'exact', files };
}

const stateOf = (path, n) => ({
  path,
  ...version(n),
  mtimeMs: 1.7e12 + n,
  ctimeMs: 1.7e12 + n,
  ino: n,
  kept: true,
  explicit: false,
});

function open(file, synchronous) {
  const opened = openLog({ file, synchronous });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  return opened.value;
}

function fill(log, count) {
  while (log.last < count) {
    const size = Math.min(BATCH, count - log.last);
    const bodies = Array.from({ length: size }, (_, index) => changed(log.last + index));
    log.append({ bodies, at: Date.now(), files: bodies.map((body) => stateOf(body.files[0].path, log.last)) });
  }
}

/** Microseconds of each of `count` single appends. */
function measure(log, count) {
  return Array.from({ length: count }, (_, n) => {
    const body = changed(log.last);
    const files = [stateOf(body.files[0].path, n)];
    const began = performance.now();
    log.append({ bodies: [body], at: n, files });
    return (performance.now() - began) * 1000;
  });
}

/** The mean has the moving of the write-ahead file in it, the median has not. */
function figuresOf(times) {
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  return { mean, median: times.sort((a, b) => a - b)[times.length >> 1] };
}

async function openFilled(file, synchronous, operations) {
  const log = open(file, synchronous);
  // The workspace is the same size in both; only the history differs.
  await log.files.replace(Array.from({ length: WORKSPACE_FILES }, (_, n) => stateOf(pathOf(n), n)));
  fill(log, operations);
  return log;
}

/** In turns, so that whatever else the machine does falls on both alike. */
async function compare(folder, synchronous) {
  const file = join(folder, `${synchronous}-large.db`);
  const large = { log: await openFilled(file, synchronous, LARGE), times: [] };
  const small = { log: await openFilled(join(folder, `${synchronous}-small.db`), synchronous, SMALL), times: [] };
  // What filling left for the disk to write would otherwise be counted below.
  execFileSync('sync');
  for (let turn = 0; turn < TURNS; turn++) {
    for (const side of [small, large]) side.times.push(...measure(side.log, APPENDS_PER_TURN));
  }
  const [few, many] = [figuresOf(small.times), figuresOf(large.times)];
  for (const figure of ['median', 'mean']) {
    const ratio = (many[figure] / few[figure]).toFixed(2);
    const [from, to] = [few[figure], many[figure]].map((time) => time.toFixed(0));
    process.stdout.write(
      `${synchronous} ${figure}: ${from} us from ${SMALL}, ${to} us from ${LARGE}, ratio ${ratio}\n`,
    );
  }
  process.stdout.write(`${synchronous} size: ${(statSync(file).size / 2 ** 20).toFixed(0)} MiB\n`);
  for (const { log } of [small, large]) log.close();
}

const folder = mkdtempSync(join(tmpdir(), 'pal-bench-log-'));
try {
  for (const synchronous of ['normal', 'full']) await compare(folder, synchronous);
  const log = open(join(folder, 'huge.db'), 'full');
  const files = Array.from({ length: HUGE_CHANGE }, (_, n) => ({
    ...changed(n).files[0],
    path: `src/${n % 500}/file-${n}.ts`,
  }));
  const states = files.map((file, n) => stateOf(file.path, n));
  const began = performance.now();
  log.append({
    bodies: [{ kind: 'changed', author: { kind: 'human' }, evidence: 'window', files }],
    at: 1,
    files: states,
  });
  process.stdout.write(`one change of ${HUGE_CHANGE} files: ${(performance.now() - began).toFixed(0)} ms\n`);
  log.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
