import { expect, test } from 'vitest';
import type { FileChange, FileVersion } from '../file.js';
import { asSeq, type ChangeId, type ContentId, changeId } from '../ids.js';
import { diffLines } from '../lines/diff.js';
import { asPath } from '../path.js';
import { planSwitch, type SwitchPlan } from './switch-plan.js';
import { Weave } from './weave.js';

/** `abc > aBc > 1aBc` are the texts of a file one after the other, each letter a line; step n is change n. `-` is no file. */
function woven(story: string): { readonly weave: Weave; readonly texts: readonly string[] } {
  const texts = story.split('>').map((text) => text.trim());
  const weave = new Weave();
  for (let step = 1; step < texts.length; step++) weave.edit(idOf(step), change(texts[step - 1]!, texts[step]!));
  return { weave, texts };
}

const idOf = (step: number): ChangeId => changeId(asSeq(step), 0);
const bytesOf = (text: string) => new TextEncoder().encode(text === '-' ? '' : text.replaceAll(/./g, '$&\n'));
const versionOf = (text: string): FileVersion | null =>
  text === '-' ? null : { content: text as ContentId, mode: '100644', size: text.length };

function change(before: string, after: string): FileChange {
  const [old, next] = [bytesOf(before), bytesOf(after)];
  const spans = diffLines(old, next);
  const versions = { before: versionOf(before), after: versionOf(after) };
  return { path: asPath('a'), ...versions, binary: false, reversible: true, spans };
}

/** Takes a step back; steps in `open` may go with it. Gives the text, or which steps are in the way. */
function reject(story: string, step: number, open: readonly number[] = []): string {
  const { weave, texts } = woven(story);
  const keys = (id: ChangeId) => weave.partsOf(id).map((part) => weave.parts[part]!.key);
  const plan = planSwitch(weave, {
    ...{ to: 'off', cascade: 'dependents', keys: keys(idOf(step)) },
    openKeys: (id) => (open.some((each) => idOf(each) === id) ? keys(id) : []),
  });
  if (plan.obstacles.length > 0) {
    return `blocked by ${plan.obstacles.map(({ part }) => weave.parts[part]!.change).join()}`;
  }
  const along = plan.cascaded.length === 0 ? '' : ` with ${plan.cascaded.join()}`;
  return `${textOf(plan, texts.at(-1)!)}${along}`;
}

function textOf({ result }: SwitchPlan, present: string): string {
  if (!result.exists) return '-';
  return result.pieces
    .filter(({ goneFrom }) => goneFrom === undefined)
    .map(({ from, start, end }) => (from === 'present' ? present.replace('-', '') : from).slice(start, end))
    .join('');
}

test('[REV3a] a line that was replaced comes back where it was', () => expect(reject('abc > aBc', 1)).toBe('abc'));
test('[REV3a] lines that were added go, lines that were removed come back', () => {
  expect(reject('abc > abxyc', 1)).toBe('abc');
  expect(reject('abcd > ad', 1)).toBe('abcd');
});
test('[REV3a] later edits elsewhere stay, on the very next line too', () => {
  expect(reject('abc > aBc > 1aBc > 1aBC', 1)).toBe('1abC');
  expect(reject('abc > aBc > aB1c', 1)).toBe('ab1c');
  expect(reject('abc > aBc > a1Bc', 1)).toBe('a1bc');
});
test('[REV3a] the middle one of three goes alone', () => expect(reject('abc > Abc > ABc > ABC', 2)).toBe('AbC'));
test('[REV3a] who only removed what was added is not in the way', () =>
  expect(reject('abc > abxyc > abxc', 1)).toBe('abc'));
test('[REV5a] who replaced, wrote between, or wrote in the place of it is in the way', () => {
  expect(reject('abc > aBc > a1c', 1)).toBe('blocked by c2.1');
  expect(reject('abc > abxyc > abx1yc', 1)).toBe('blocked by c2.1');
  expect(reject('abc > ac > a1c', 1)).toBe('blocked by c2.1');
  expect(reject('abc > aBc > ac', 1)).toBe('blocked by c2.1');
  expect(reject('abcde > abde > ae', 1)).toBe('blocked by c2.1');
});
test('[REV4a] what is open and rests on it goes along, and what rests on that', () => {
  expect(reject('abc > abxyc > abx1yc', 1, [2])).toBe('abc with c2.1');
  expect(reject('abc > aBc > aXc > aYc', 1, [2, 3])).toBe('abc with c2.1,c3.1');
  expect(reject('abc > aBc > aXc > aYc', 1, [2])).toBe('blocked by c3.1');
});
test('[REV3b] a created file goes if nobody built on it, a removed one comes back', () => {
  expect(reject('- > abc', 1)).toBe('-');
  expect(reject('- > abc > abc1', 1)).toBe('blocked by c2.1');
  expect(reject('- > abc > ab', 1)).toBe('-');
  expect(reject('abc > -', 1)).toBe('abc');
  expect(reject('abc > - > xyz', 1)).toBe('blocked by c2.1,c2.1');
});
test('[REV11a] every line in sight knows who wrote it', () => {
  const { weave } = woven('abc > aBc > 1aBc');
  expect(
    weave.segments.filter((segment) => weave.isAlive(segment)).map(({ by }) => weave.parts[by]?.change ?? null),
  ).toEqual(['c2.1', null, 'c1.1', null]);
});
