import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines } from './diff.js';
import { bytes, latin1, sealedGit } from './text.fixture.js';
import { lineCount } from './text.js';
import { formatHunkHeader, hunksOf } from './unified.js';

/** Git drops the common tail before it counts lines when there is no context, which may align repeated lines differently. */
const CONTEXT = 1;
const LINES = 5_000;
const HUNK_HEADER = /^@@ .*? @@/gm;

const { shuffled, mixture, edits } = fc.sample(
  fc.record({
    shuffled: fc.shuffledSubarray([...Array(LINES).keys()], { minLength: LINES }),
    mixture: fc.array(fc.nat(9), { minLength: LINES, maxLength: LINES }),
    edits: fc.array(fc.nat(LINES - 1), { minLength: 1500, maxLength: 1500 }),
  }),
  { numRuns: 1 },
)[0]!;
const counted = [...Array(LINES).keys()];
const BLOCKS = [...Array(50).keys()];
const fewKinds = counted.map((i) => (i * i) % 10);

test.each<readonly [string, readonly number[], readonly number[]]>([
  ['a shuffle', counted, shuffled],
  ['two mixtures of the same few lines', fewKinds, mixture],
  ['many edits among repeated lines', edited(fewKinds, []), edited(fewKinds, edits)],
  ['a few lines that are only lost', fewKinds, without(fewKinds, edits.slice(0, 400))],
  ['many lines that are only lost', fewKinds, without(fewKinds, edits)],
  ['many lines that are only gained', without(fewKinds, edits), fewKinds],
  ['long runs that moved', counted, [...counted.slice(900), ...shuffled.slice(0, 700), ...counted.slice(0, 900)]],
  // Only texts of this size may cost enough for a long run to be taken before the bound is met.
  [
    'long runs between unlike mixtures',
    BLOCKS.flatMap((block) => [...noise(3 * block, 300), ...noise(3 * block + 1, 500)]),
    BLOCKS.flatMap((block) => [...noise(3 * block + 2, 300), ...noise(3 * block + 1, 500)]),
  ],
  ['long runs amid a shuffle', [...shuffled.slice(0, 900), ...counted], [...shuffled.slice(2000, 3500), ...counted]],
])('[COR6b] near and past the bound the edits of %s are those that git settles for', async (_, before, after) => {
  const [a, b] = [toBytes(before), toBytes(after)];
  const own = hunksOf(diffLines(a, b), lineCount(a), CONTEXT).map(({ covered }) => formatHunkHeader(covered));
  expect(own.length).toBeGreaterThan(0);
  expect(own).toEqual(await gitHunks(a, b));
});

/** Lines numbered beyond all others replace those at the places given. */
function edited(lines: readonly number[], places: readonly number[]): readonly number[] {
  const replaced = new Set(places);
  return lines.flatMap((line, i) =>
    !replaced.has(i) ? [line] : i % 3 === 0 ? [] : i % 3 === 1 ? [line, line] : [LINES + i],
  );
}

function without(lines: readonly number[], places: readonly number[]): readonly number[] {
  const lost = new Set(places);
  return lines.filter((_, i) => !lost.has(i));
}

/** A mixture of few kinds of lines, the same for the same place in the test and its seed. */
function noise(place: number, count: number): readonly number[] {
  let state = Math.imul(edits[place]! + 1, 0x9e3779b1) >>> 0;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * 60);
  });
}

function toBytes(numbers: readonly number[]): Uint8Array {
  return bytes(numbers.map((n) => `${n}\n`).join(''));
}

async function gitHunks(a: Uint8Array, b: Uint8Array): Promise<readonly string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'palimpsest-diff-'));
  try {
    await writeFile(join(directory, 'a'), a);
    await writeFile(join(directory, 'b'), b);
    const options = ['--no-index', '--diff-algorithm=myers', '--no-indent-heuristic', `-U${CONTEXT}`];
    const { code, stdout } = await sealedGit(['diff', ...options, 'a', 'b'], directory);
    expect(code).toBe(1);
    return latin1(stdout).match(HUNK_HEADER) ?? [];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
