import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cases } from '../../../../test/search.fixture.js';
import { type MergeResult, mergeLines, renderConflict } from './merge.js';
import { bytes, latin1 } from './text.fixture.js';

/** Base, ours, theirs, one byte per character. */
type Triple = readonly [string, string, string];

const SMALL_TRIPLES = cases({ brief: 150, long: 4_700 });
const LARGE_TRIPLES = cases({ brief: 12, long: 350 });
const TAKEN_TRIPLES = cases({ brief: 50, long: 150 });
const PROCESSES = 4;
const LEAST_AGREEMENT = 0.995;

describe('merge agrees with git', () => {
  test('[COR5] no clean result differs in bytes, and verdicts agree, on random triples', async () => {
    const triples = [
      ...fc.sample(tripleOf(smallLines), { numRuns: SMALL_TRIPLES }),
      ...fc.sample(tripleOf(largeLines), { numRuns: LARGE_TRIPLES }),
    ];
    const tally = compare(triples, await mergeWithGit(triples));
    // Were one verdict rare, agreement would say little.
    expect(Math.min(tally.clean, tally.conflicts)).toBeGreaterThan(triples.length / 10);
    expect(tally.examples.filter((example) => example.how === 'clean results differ')).toEqual([]);
    expect(tally.sameVerdict / triples.length).toBeGreaterThanOrEqual(LEAST_AGREEMENT);
    expect(tally.sameMarkers / tally.conflicts).toBeGreaterThanOrEqual(LEAST_AGREEMENT);
  });

  test.each(['ours', 'theirs'] as const)('[COR5] taking %s in each conflict gives what git gives', async (side) => {
    const triples = fc.sample(tripleOf(smallLines), { numRuns: TAKEN_TRIPLES });
    const expected = await mergeWithGit(triples, `--${side}`);
    const own = triples.map(([base, ours, theirs]) =>
      takeSide(mergeLines(bytes(base), bytes(ours), bytes(theirs)), side),
    );
    expect(own).toEqual(expected.map((merged) => merged.text));
  });

  const repeated = (count: number, line: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => line(i)).join('');
  const lineOf = (i: number) => `${i}\n`;
  test.each<readonly [string, Triple]>([
    [
      'frequent lines amid new ones',
      ['}\n'.repeat(40), `${repeated(40, (i) => `n${i}\n}\n`)}`, `x\n${'}\n'.repeat(40)}`],
    ],
    [
      'a block moved on one side',
      [repeated(900, lineOf), repeated(900, (i) => lineOf((i + 300) % 900)), `${repeated(900, lineOf)}x\n`],
    ],
    [
      'sides past the effort bound',
      [repeated(4000, lineOf), repeated(4000, (i) => lineOf((i * 7) % 4000)), repeated(4000, (i) => lineOf(i % 3999))],
    ],
    [
      'few lines in unlike order',
      [
        repeated(3000, (i) => lineOf((i * i) % 11)),
        repeated(3000, (i) => lineOf((i * 5) % 7)),
        repeated(2990, (i) => lineOf((i * i) % 11)),
      ],
    ],
  ])('[COR5] %s', async (_, triple) => {
    const [expected] = await mergeWithGit([triple]);
    expect(ownMerge(triple)).toEqual(expected);
  });
});

const terminator = fc.constantFrom('\n', '\n', '\n', '\n', '\r\n');
const smallLines = fc
  .record({ alphabet: fc.integer({ min: 1, max: 6 }), mixed: fc.boolean() })
  .map(({ alphabet, mixed }) =>
    fc
      .tuple(fc.nat(alphabet - 1), mixed ? terminator : fc.constant('\n'))
      .map(([index, end]) => ['a', 'b', '', '}', '\xff', 'a '][index] + end),
  )
  .map((line) => ({ line, length: 14, edits: 4, width: 3 }));
const largeLines = fc
  .constantFrom(5, 40, 2000)
  .map((alphabet) => ({ line: fc.nat(alphabet).map((n) => `line ${n}\n`), length: 400, edits: 25, width: 8 }));

interface Shape {
  readonly line: fc.Arbitrary<string>;
  readonly length: number;
  readonly edits: number;
  readonly width: number;
}

/** Sides edited from a base, now and then from each other so that equal changes come up, with or without a last newline. */
function tripleOf(shapes: fc.Arbitrary<Shape>): fc.Arbitrary<Triple> {
  return shapes.chain(({ line, length, edits, width }) => {
    const edit = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      remove: fc.nat(width),
      insert: fc.array(line, { maxLength: width }),
    });
    return fc
      .record({
        base: fc.array(line, { maxLength: length, size: 'max' }),
        ours: fc.array(edit, { maxLength: edits, size: 'max' }),
        theirs: fc.array(edit, { maxLength: edits, size: 'max' }),
        start: fc.constantFrom('base', 'base', 'base', 'ours'),
        chopped: fc.tuple(...[0, 1, 2].map(() => fc.nat(5))),
      })
      .map(({ base, ours, theirs, start, chopped }): Triple => {
        const oursLines = edited(base, ours);
        const theirsLines = edited(start === 'base' ? base : oursLines, theirs);
        const [b, o, t] = [base, oursLines, theirsLines].map((lines, i) =>
          chopped[i] === 0 ? lines.join('').replace(/\r?\n$/, '') : lines.join(''),
        );
        return [b!, o!, t!];
      });
  });
}

function edited(
  lines: readonly string[],
  edits: readonly { readonly at: number; readonly remove: number; readonly insert: readonly string[] }[],
): readonly string[] {
  const result = [...lines];
  for (const { at, remove, insert } of edits) result.splice(Math.floor(at * (result.length + 1)), remove, ...insert);
  return result;
}

interface Merged {
  readonly kind: 'clean' | 'conflict';
  /** With markers, where it is a conflict. */
  readonly text: string;
}

function ownMerge([base, ours, theirs]: Triple): Merged {
  const merged = mergeLines(bytes(base), bytes(ours), bytes(theirs));
  if (merged.kind === 'clean') return { kind: 'clean', text: latin1(merged.bytes) };
  return { kind: 'conflict', text: latin1(renderConflict(merged.chunks, { ours: 'ours', theirs: 'theirs' })) };
}

function takeSide(merged: MergeResult, side: 'ours' | 'theirs'): string {
  if (merged.kind === 'clean') return latin1(merged.bytes);
  return merged.chunks.map((chunk) => latin1(chunk.kind === 'same' ? chunk.bytes : chunk[side])).join('');
}

function compare(triples: readonly Triple[], expected: readonly Merged[]) {
  const tally = { clean: 0, conflicts: 0, sameVerdict: 0, sameMarkers: 0 };
  const examples: { readonly how: string; readonly triple: Triple }[] = [];
  for (const [index, triple] of triples.entries()) {
    const [own, git] = [ownMerge(triple), expected[index]!];
    if (git.kind === 'clean') tally.clean++;
    else tally.conflicts++;
    if (own.kind === git.kind) tally.sameVerdict++;
    else examples.push({ how: 'verdicts differ', triple });
    if (own.kind !== git.kind || own.text === git.text) {
      if (own.kind === 'conflict' && git.kind === 'conflict') tally.sameMarkers++;
    } else examples.push({ how: git.kind === 'clean' ? 'clean results differ' : 'markers differ', triple });
  }
  return { ...tally, examples };
}

/** All triples through a few shells, since starting a process for each from here would cost more than the merges. */
async function mergeWithGit(
  triples: readonly Triple[],
  favour: '' | '--ours' | '--theirs' = '',
): Promise<readonly Merged[]> {
  const directory = await mkdtemp(join(tmpdir(), 'palimpsest-merge-'));
  try {
    for (const [index, triple] of triples.entries()) {
      for (const [part, name] of ['b', 'o', 't'].entries()) {
        await writeFile(join(directory, `${index}${name}`), triple[part]!, 'latin1');
      }
    }
    const shells = Array.from({ length: Math.min(PROCESSES, triples.length) }, (_, shell) => {
      const script = triples.map((_, index) =>
        index % PROCESSES === shell
          ? `git merge-file -p ${favour} -L ours -L base -L theirs ${index}o ${index}b ${index}t >${index}r; echo $? >${index}c\n`
          : '',
      );
      return runShell(script.join(''), directory);
    });
    await Promise.all(shells);
    return await Promise.all(
      triples.map(async (_, index): Promise<Merged> => {
        const code = Number(await readFile(join(directory, `${index}c`), 'utf8'));
        if (code >= 128) throw new Error(`git failed on triple ${index} with ${code}`);
        const text = await readFile(join(directory, `${index}r`), 'latin1');
        return { kind: code === 0 ? 'clean' : 'conflict', text };
      }),
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function runShell(script: string, cwd: string): Promise<void> {
  const env = { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  return new Promise((resolve, reject) => {
    const shell = spawn('sh', ['-s'], { cwd, env, stdio: ['pipe', 'inherit', 'inherit'] });
    shell.on('error', reject);
    shell.on('close', () => resolve());
    shell.stdin.end(script);
  });
}
