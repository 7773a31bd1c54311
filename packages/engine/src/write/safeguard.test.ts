import type { ContentId } from '@palimpsest/core';
import { asPath } from '@palimpsest/core';
import { expect, test } from 'vitest';
import { memoryContent } from '../content/memory-content.fixture.js';
import { linesAtRisk, type PastStep } from './safeguard.js';

type Told = {
  readonly now: string | null;
  readonly next: string | null;
  /** Each as `hand before after`, oldest first; what vanished beside it behind a `!`. */
  readonly past: readonly (readonly [PastStep['hand'], string | null, string | null, ...string[]])[];
  readonly earlier?: readonly string[];
};

async function atRisk(...files: readonly Told[]): Promise<readonly number[]> {
  const content = memoryContent();
  const put = async (text: string | null) => (text === null ? null : content.put(new TextEncoder().encode(text)));
  const version = (id: ContentId | null) => (id === null ? null : { content: id, mode: '100644' as const, size: 1 });
  const guarded = [];
  for (const [index, { now, next, past, earlier }] of files.entries()) {
    const steps: PastStep[] = [];
    for (const [hand, before, after, ...vanished] of past) {
      const gone = (await Promise.all(vanished.map(put))).flatMap((id) =>
        id === null ? [] : { content: id, other: null },
      );
      steps.push({ hand, before: await put(before), after: await put(after), vanished: gone, appeared: [] });
    }
    const write = { path: asPath(`f${index}`), expected: version(await put(now)), next: version(await put(next)) };
    const held = (await Promise.all((earlier ?? []).map(put))).flatMap((id) => id ?? []);
    guarded.push({ writes: [write], fresh: [], past: steps, earlier: () => held });
  }
  return [...(await linesAtRisk(guarded, content))];
}

const A = 'one\ntwo\nthree\n';

test('[REV3j] what an agent wrote may go', async () => {
  expect(await atRisk({ now: `${A}x\n`, next: A, past: [['agent', A, `${A}x\n`]] })).toEqual([]);
});
test('[REV3j] what a person wrote may not, whatever the plan says', async () => {
  const past = [
    ['agent', A, `${A}x\n`],
    ['person', `${A}x\n`, `${A}x\nh\n`],
  ] as const;
  expect(await atRisk({ now: `${A}x\nh\n`, next: `${A}h\n`, past })).toEqual([]);
  expect(await atRisk({ now: `${A}x\nh\n`, next: A, past })).toEqual([0]);
  expect(await atRisk({ now: `${A}x\nh\n`, next: null, past })).toEqual([0]);
});
test('[REV3j] lines that go from one file and come to another are not lost', async () => {
  const away = { now: A, next: null, past: [] };
  expect(await atRisk(away)).toEqual([0]);
  expect(await atRisk(away, { now: null, next: A, past: [] })).toEqual([]);
});
test('[REV3j] a file that was made while a like one vanished holds what that one held', async () => {
  const made: Told = { now: `${A}x\n`, next: null, past: [['agent', null, `${A}x\n`, A]] };
  expect(await atRisk(made)).toEqual([0]);
  expect(await atRisk({ ...made, past: [['agent', null, `${A}x\n`, 'something else\n']] })).toEqual([]);
  expect(await atRisk(made, { now: null, next: A, past: [] })).toEqual([]);
});
test('[REV3j] so does a short one that has a quarter of its lines from a long one, and a long one with a short one in it', async () => {
  const long = Array.from({ length: 30 }, (_, index) => `line ${index + 10}\n`).join('');
  const kept = 'line 12\nagent 1\nagent 2\nagent\n';
  expect(await atRisk({ now: kept, next: null, past: [['agent', null, kept, long]] })).toEqual([0]);
  expect(await atRisk({ now: long, next: null, past: [['agent', null, long, 'line 12\nline x\n']] })).toEqual([0]);
  const one = `line 12\n${'agent wrote this\n'.repeat(4)}`;
  expect(await atRisk({ now: one, next: null, past: [['agent', null, one, long]] })).toEqual([]);
});
test('[REV3j] who brings text back did not write it', async () => {
  const past = [
    ['person', null, A],
    ['agent', A, 'x\n'],
    ['agent', 'x\n', A],
  ] as const;
  expect(await atRisk({ now: A, next: 'x\n', past })).toEqual([0]);
});
test('[REV3j] what was asked for by name may go, and what it had removed too', async () => {
  expect(await atRisk({ now: 'h\n', next: A, past: [['asked', A, 'h\n']] })).toEqual([]);
  expect(await atRisk({ now: A, next: 'h\n', past: [['asked', A, 'h\n']] })).toEqual([]);
});
test('[REV3j] a line that a person took back after an agent had brought it is the person’s, unless an agent wrote it first', async () => {
  const past = [
    ['agent', A, `${A}x\n`],
    ['person', `${A}x\n`, A],
    ['person', A, `${A}x\n`],
  ] as const;
  const plan = { now: `${A}x\n`, next: A, past };
  expect(await atRisk(plan)).toEqual([]);
  expect(await atRisk({ ...plan, earlier: ['x\n'] })).toEqual([0]);
});
test('[REV3j] what a person wrote again is not the agent’s who wrote the same before', async () => {
  const past = [
    ['person', null, `${A}x\n`],
    ['agent', `${A}x\n`, A],
    ['agent', A, `${A}x\ny\n`],
    ['person', `${A}x\ny\n`, A],
    ['person', A, `${A}x\n`],
  ] as const;
  expect(await atRisk({ now: `${A}x\n`, next: A, past })).toEqual([0]);
});
test('[REV3j] what a decision brings is still of whoever wrote it', async () => {
  const decided = [
    ['decision', `${A}x\n`, A],
    ['decision', A, `${A}x\n`],
  ] as const;
  const plan = { now: `${A}x\n`, next: A };
  expect(await atRisk({ ...plan, past: [['agent', A, `${A}x\n`], ...decided] })).toEqual([]);
  expect(await atRisk({ ...plan, past: [['person', A, `${A}x\n`], ...decided] })).toEqual([0]);
});
