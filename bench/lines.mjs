// Our line diff and merge beside git's, on the same texts in the same run. Git's times include starting its process, since
// that is what calling it would cost, but not the reading of what it prints, which goes nowhere; ours are in process. How
// the times grow is told of the work alone: what git takes for empty texts is subtracted from its times, and of all
// rounds the quickest counts, since noise only adds. Exits with 1 when a result is wrong, a time is beyond its goal, or
// ours grow faster than git's.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  concatBytes,
  diffLines,
  equalBytes,
  mergeLines,
  renderConflict,
  sliceLines,
  splitLines,
} from '../packages/core/dist/index.js';

const ROUNDS = 61;
const LINES = 50_000;
const EDIT_COUNTS = [20, 500, 5_000];
const RATIO_GOAL = 5;
const REWRITE_LINES = 20_000;
const REWRITE_GOAL_MS = 2_000;
const GIT_ENV = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024;

const run = promisify(execFile);
const random = randomFrom(20_260_101);
const directory = await mkdtemp(join(tmpdir(), 'palimpsest-bench-'));
let missed = 0;
try {
  await benchEdits();
  benchRewrites();
} finally {
  await rm(directory, { recursive: true, force: true });
}
process.exitCode = missed > 0 ? 1 : 0;

async function benchEdits() {
  const base = makeLines(LINES);
  const baseBytes = bytesOf(base);
  const started = { diff: await startOf('diff'), merge: await startOf('merge') };
  const cases = [];
  for (const edits of EDIT_COUNTS) {
    const [ours, theirs] = [bytesOf(editLines(base, edits)), bytesOf(editLines(base, edits))];
    const paths = await writeTexts(edits, baseBytes, ours, theirs);
    const merging = argumentsOf('merge', ...paths);
    const merged = mergeLines(baseBytes, ours, theirs);
    const rendered =
      merged.kind === 'clean' ? merged.bytes : renderConflict(merged.chunks, { ours: 'ours', theirs: 'theirs' });
    const asGit = equalBytes(rendered, await gitOutput(merging));
    cases.push({
      work: 'diff',
      edits,
      act: () => diffLines(baseBytes, ours),
      git: argumentsOf('diff', ...paths),
      result: checkDifference(baseBytes, ours),
    });
    cases.push({
      work: 'merge',
      edits,
      act: () => mergeLines(baseBytes, ours, theirs),
      git: merging,
      result: asGit ? `${merged.kind}, as git` : note('differs from git'),
    });
  }
  const rows = await compare(cases);
  console.log(`${LINES} lines, 30 % duplicates, median of ${ROUNDS}; goal: at most ${RATIO_GOAL} × git`);
  console.table(rows, ['work', 'edits', 'oursMs', 'gitMs', 'ratio', 'result']);
  for (const work of ['diff', 'merge']) {
    const [first, last] = [rows.find((row) => row.work === work), rows.findLast((row) => row.work === work)];
    const ourGrowth = last.least.ours / first.least.ours;
    const gitGrowth = (last.least.git - started[work]) / (first.least.git - started[work]);
    const verdict = ourGrowth <= gitGrowth ? 'ok' : note('faster than git');
    console.log(
      `${work}: from ${EDIT_COUNTS[0]} to ${EDIT_COUNTS.at(-1)} edits ours grows × ${ourGrowth.toFixed(2)}, git × ${gitGrowth.toFixed(2)} without the ${started[work].toFixed(1)} ms it takes to start (${verdict})`,
    );
  }
}

function argumentsOf(work, basePath, oursPath, theirsPath) {
  return work === 'diff'
    ? ['diff', '--no-index', '--histogram', basePath, oursPath]
    : ['merge-file', '-p', '-L', 'ours', '-L', 'base', '-L', 'theirs', oursPath, basePath, theirsPath];
}

/** What git takes before it has anything to do. */
async function startOf(work) {
  const paths = await writeTexts('empty', bytesOf([]), bytesOf([]), bytesOf([]));
  const times = [];
  for (let i = 0; i < ROUNDS; i++) {
    const start = performance.now();
    await gitAlone(argumentsOf(work, ...paths));
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}

function benchRewrites() {
  const base = Array.from({ length: REWRITE_LINES }, (_, i) => `line ${i} of the old text\n`);
  const cases = {
    'all lines new': Array.from({ length: REWRITE_LINES }, (_, i) => `line ${i} of the new text\n`),
    'all lines shuffled': shuffle(base),
    'shuffled, half of them duplicates': shuffle(base.map((line, i) => (i % 2 === 0 ? line : `common ${i % 50}\n`))),
  };
  const rows = Object.entries(cases).map(([work, lines]) => {
    const [a, b] = [bytesOf(base), bytesOf(lines)];
    const oursMs = medianMs(() => diffLines(a, b));
    if (oursMs > REWRITE_GOAL_MS) note(work);
    return { work, oursMs: round(oursMs), result: checkDifference(a, b) };
  });
  console.log(`${REWRITE_LINES} lines rewritten; goal: ${REWRITE_GOAL_MS} ms`);
  console.table(rows);
}

/** Each round goes through all cases, ours and git's in turn, so that a busy moment of the machine strikes all alike. */
async function compare(cases) {
  const times = cases.map(() => ({ ours: [], git: [] }));
  for (const { act } of cases) act();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [n, { act, git }] of cases.entries()) {
      const start = performance.now();
      act();
      const between = performance.now();
      await gitAlone(git);
      times[n].ours.push(between - start);
      times[n].git.push(performance.now() - between);
    }
  }
  return cases.map(({ work, edits, result }, n) => {
    const { ours, git } = times[n];
    const [oursMs, gitMs] = [median(ours), median(git)];
    if (oursMs > RATIO_GOAL * gitMs) note('ratio');
    const least = { ours: Math.min(...ours), git: Math.min(...git) };
    return { work, edits, oursMs: round(oursMs), gitMs: round(gitMs), ratio: round(oursMs / gitMs), least, result };
  });
}

/** The new lines in the place of the old ones, span by span, make the second text of the first. */
function checkDifference(a, b) {
  const [oldLines, newLines] = [splitLines(a), splitLines(b)];
  const parts = [];
  let done = 0;
  for (const span of diffLines(a, b)) {
    const from = span.oldLines === 0 ? span.oldStart : span.oldStart - 1;
    const added = span.newLines === 0 ? span.newStart : span.newStart - 1;
    parts.push(sliceLines(oldLines, done, from), sliceLines(newLines, added, added + span.newLines));
    done = from + span.oldLines;
  }
  parts.push(sliceLines(oldLines, done, oldLines.count));
  return equalBytes(concatBytes(parts), b) ? 'correct' : note('WRONG');
}

function note(problem) {
  missed++;
  return problem;
}

/** Git's own time: nobody reads what it prints. */
async function gitAlone(gitArguments) {
  await once(spawn('git', gitArguments, { cwd: directory, env: GIT_ENV, stdio: 'ignore' }), 'close');
}

// Git answers 1 for "differs" and the number of conflicts for a merge, so an exit code is not a failure here.
async function gitOutput(gitArguments) {
  const options = { cwd: directory, env: GIT_ENV, encoding: 'buffer', maxBuffer: OUTPUT_LIMIT_BYTES };
  try {
    return (await run('git', gitArguments, options)).stdout;
  } catch (error) {
    if (typeof error.code !== 'number' || error.code >= 128) throw error;
    return error.stdout;
  }
}

async function writeTexts(name, ...texts) {
  return Promise.all(
    texts.map(async (text, i) => {
      const path = join(directory, `${name}-${i}`);
      await writeFile(path, text);
      return path;
    }),
  );
}

function makeLines(count) {
  return Array.from({ length: count }, (_, i) =>
    random() < 0.3
      ? `    common line number ${Math.floor(random() * 40)};\n`
      : `  const value${i} = compute(${Math.floor(random() * 1e6)});\n`,
  );
}

function editLines(lines, edits) {
  const edited = [...lines];
  for (let i = 0; i < edits; i++) {
    const at = Math.floor(random() * edited.length);
    const kind = random();
    if (kind < 0.34) edited.splice(at, 0, `  added line ${Math.floor(random() * 1e6)};\n`);
    else if (kind < 0.67) edited.splice(at, 1);
    else edited.splice(at, 1, `  changed line ${Math.floor(random() * 1e6)};\n`);
  }
  return edited;
}

function shuffle(lines) {
  const shuffled = [...lines];
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [shuffled[i], shuffled[j]] = [shuffled[j], shuffled[i]];
  }
  return shuffled;
}

function bytesOf(lines) {
  return new Uint8Array(Buffer.from(lines.join('')));
}

function medianMs(work) {
  const times = [];
  for (let i = 0; i < ROUNDS; i++) {
    const start = performance.now();
    work();
    times.push(performance.now() - start);
  }
  return median(times);
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

function round(number) {
  return Math.round(number * 100) / 100;
}

function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
