// Verdicts, lists and blame on prepared histories, on the real disk. Each line gives the figure and the bound it must keep.
// Usage, after `npm run build`: node bench/review.mjs
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openWorkspace } from '../packages/engine/dist/index.js';
import { measure } from '../packages/engine/dist/store/measure.js';
import { openStore } from '../packages/engine/dist/store/open-store.js';

const REJECTS = 20;
const BATCH = 500;

/** A workspace whose log says that one agent made these texts, one change after the other. */
async function prepare(histories) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pal-bench-review-')));
  const [root, data] = [join(folder, 'work'), join(folder, 'data')];
  mkdirSync(root);
  const store = await openStore(data, process.env);
  if (!store.ok) throw new Error(store.error.code);
  const { content, log } = store.value;
  const bodies = [];
  const states = [];
  let calls = 0;
  for (const { path, texts } of histories) {
    const bytes = texts.map((text) => Buffer.from(text));
    const ids = await content.putMany(bytes);
    const versions = bytes.map((some, n) => ({ content: ids[n], mode: '100644', size: some.length }));
    for (let n = 1; n < versions.length; n++) {
      const [before, after] = [versions[n - 1], versions[n]];
      const author = { kind: 'agent', session: 'S', agent: 'bench', call: `call-${++calls}`, tool: 'Edit' };
      const file = { path, before, after, ...(await measure(content, before, after)) };
      bodies.push({ kind: 'changed', author, evidence: 'exact', files: [file] });
    }
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), texts.at(-1));
    states.push({ path, ...versions.at(-1), mtimeMs: -1, ctimeMs: -1, ino: 0, kept: true, explicit: false });
  }
  log.append({ bodies: [{ kind: 'session-started', session: 'S', agent: 'bench', title: '' }], at: 1, files: states });
  for (let at = 0; at < bodies.length; at += BATCH) log.append({ bodies: bodies.slice(at, at + BATCH), at: 1 });
  log.marks.set('stock-taken', 'yes');
  await store.value.close();
  const opened = await openWorkspace(root, { data, environment: process.env });
  if (!opened.ok) throw new Error(opened.error.code);
  await opened.value.stockTaken();
  await new Promise((resolve) => setTimeout(resolve, 500));
  return {
    workspace: opened.value,
    async close() {
      await opened.value.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Texts of `lines` lines; each change rewrites one line and adds one. */
function history(path, lines, changes) {
  const now = Array.from({ length: lines }, (_, n) => `line ${n} of ${path}, as it was in the beginning`);
  const texts = [`${now.join('\n')}\n`];
  for (let change = 0; change < changes; change++) {
    const at = Math.floor(((change * 7919) % (changes * 10)) * (lines / (changes * 10)));
    now.splice(at, 1, `change ${change} rewrote this line`, `change ${change} added this one`);
    texts.push(`${now.join('\n')}\n`);
  }
  return { path, texts };
}

async function timed(act) {
  const began = performance.now();
  const result = await act();
  if (result?.ok === false) throw new Error(JSON.stringify(result.error));
  return { ms: performance.now() - began, value: result?.value };
}

function report(what, ms, bound) {
  const verdict = bound === null ? '' : ms <= bound ? ` (bound ${bound} ms)` : ` (MISSED: bound ${bound} ms)`;
  process.stdout.write(`${what}: ${ms.toFixed(1)} ms${verdict}\n`);
}

async function rejectOne() {
  const bench = await prepare([history('src/large.ts', 5_000, 200)]);
  const { value } = await timed(() => bench.workspace.changes({}));
  const times = [];
  for (let n = 0; n < REJECTS; n++) {
    const { ms } = await timed(() => bench.workspace.reject({ changes: [value[5 + n * 9].id] }));
    times.push(ms);
  }
  times.sort((a, b) => a - b);
  report('reject one of 200 changes in 5,000 lines, median', times[REJECTS >> 1], 20);
  report('  slowest of 20', times.at(-1), null);
  report('  undo of the last', (await timed(() => bench.workspace.undo())).ms, null);
  await bench.close();
}

async function rejectAll() {
  const bench = await prepare(Array.from({ length: 500 }, (_, n) => history(`src/f${n % 20}/file${n}.ts`, 100, 4)));
  const { ms, value } = await timed(() => bench.workspace.reject({ all: true }));
  report(`reject all ${value.rejected.length} changes over ${value.written.length} files`, ms, 3_000);
  report('  undo of it', (await timed(() => bench.workspace.undo())).ms, null);
  await bench.close();
}

async function list() {
  const bench = await prepare(Array.from({ length: 500 }, (_, n) => history(`src/f${n % 20}/file${n}.ts`, 60, 20)));
  const { ms, value } = await timed(() => bench.workspace.changes({}));
  report(`list ${value.length} pending changes`, ms, 100);
  await bench.close();
}

async function blame() {
  const bench = await prepare([history('src/huge.ts', 19_000, 1_000)]);
  const { ms, value } = await timed(() => bench.workspace.blame('src/huge.ts'));
  report(`blame ${value.length} lines with 1,000 changes`, ms, null);
  await bench.close();
}

await rejectOne();
await rejectAll();
await list();
await blame();
