// Cost of one append at 1,000 and at 1,000,000 operations, for both settings of durability, and of one huge change.
// Usage, after `npm run build`: node bench/log.mjs [operations]
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLog } from '../packages/engine/dist/log/open-log.js';

const SMALL = 1_000;
const LARGE = Number(process.argv[2] ?? 1_000_000);
const SAMPLES = 3_000;
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

/** Mean and median of single appends, in microseconds; the mean has the checkpoints of the write-ahead file in it. */
function measure(log) {
  const times = [];
  for (let n = 0; n < SAMPLES; n++) {
    const body = changed(log.last);
    const files = [stateOf(body.files[0].path, n)];
    const began = performance.now();
    log.append({ bodies: [body], at: n, files });
    times.push((performance.now() - began) * 1000);
  }
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  return { mean, median: times.sort((a, b) => a - b)[times.length >> 1] };
}

const folder = mkdtempSync(join(tmpdir(), 'pal-bench-log-'));
try {
  for (const synchronous of ['normal', 'full']) {
    const file = join(folder, `${synchronous}.db`);
    const log = open(file, synchronous);
    // The workspace is the same size at both points; only its history grows.
    await log.replaceFiles(Array.from({ length: WORKSPACE_FILES }, (_, n) => stateOf(pathOf(n), n)));
    fill(log, SMALL);
    const small = measure(log);
    fill(log, LARGE);
    const large = measure(log);
    log.close();
    for (const figure of ['median', 'mean']) {
      const ratio = (large[figure] / small[figure]).toFixed(2);
      const [from, to] = [small[figure], large[figure]].map((time) => time.toFixed(0));
      process.stdout.write(`${synchronous} ${figure}: ${from} us at ${SMALL}, ${to} us at ${LARGE}, ratio ${ratio}\n`);
    }
    process.stdout.write(`${synchronous} size: ${(statSync(file).size / 2 ** 20).toFixed(0)} MiB\n`);
  }
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
