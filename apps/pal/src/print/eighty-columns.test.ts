import type { ChangeJson, SessionJson, StaleJson } from '@palimpsest/protocol';
import { expect, test } from 'vitest';
import { blameText } from './blame.js';
import { changesText } from './changes.js';
import { careful, checksText } from './checks.js';
import { conflictsText } from './conflicts.js';
import { failureText } from './failure.js';
import { withinWidth } from './folded.js';
import { operationText } from './operations.js';
import { plainStyle } from './plain.js';
import { sessionsText } from './sessions.js';
import { settingsText } from './settings.js';
import { changeText } from './show.js';
import { staleText } from './stale.js';
import { undoText, verdictText } from './verdict.js';
import { widthOf } from './width.js';

const style = { ...plainStyle(), width: 80 };
const SESSION = '7f3a2b10-aaaa-bbbb-cccc-0123456789ab';
const CALL = 'toolu_01AbCdEfGhIjKlMnOpQrStUv';
const PATH = 'src/components/a-very-long-component-name-for-eighty-columns.tsx';
const at = new Date(style.now - 10 * 86_400_000).toISOString();

const change = {
  id: 'c123456.1234',
  kind: 'rename',
  path: PATH,
  fromPath: `old/${PATH}`,
  added: 12_345,
  removed: 12_345,
  binary: false,
  incomplete: false,
  author: { kind: 'agent', agent: 'a-long-agent-name', tool: 'mcp__server__a_long_tool_name' },
  evidence: 'inferred',
  status: 'accepted',
  at,
} as unknown as ChangeJson;

const stale = {
  session: SESSION,
  path: PATH,
  state: 'unverifiable',
  visible: false,
  seen: { content: '', at },
  now: { content: '', lines: Array.from({ length: 30 }, (_, index) => [index * 1000, index * 1000 + 10]) },
} as unknown as StaleJson;

const session = {
  id: SESSION,
  agent: 'a-long-agent-name',
  state: 'active',
  pending: 12_345,
  startedAt: at,
  title: 'x'.repeat(100),
} as unknown as SessionJson;

const operations = [
  { kind: 'changed', files: [{ path: PATH }, { path: `b/${PATH}` }], author: { kind: 'human' } },
  { kind: 'call-began', session: SESSION, callId: CALL, tool: 'mcp__server__a_long_tool_name' },
  { kind: 'shown', files: [{ path: PATH }], session: SESSION, source: 'read' },
  { kind: 'prompted', session: SESSION, text: 'please '.repeat(40) },
].map((operation, index) => ({ seq: 1_234_567 + index, at, ...operation }));

const undone = {
  ...{ kind: 'decided', operation: 9, passedOver: [], written: [], deleted: [] },
  decision: { seq: 9, kind: 'decided', verdict: 'accept', ids: ['c1.1', 'c2.1', 'c3.1'], paths: [PATH, 'b'], at },
} as unknown as Parameters<typeof undoText>[1];

const many = Array.from({ length: 50 }, (_, index) => `c123.${index}`);
const rejected = {
  ...{ paths: [PATH], already: many, cascaded: many, conflicts: many, written: many, deleted: many },
  left: many.map((id) => ({ id, why: 'not-reversible' })),
};
const shown = { ...change, hunks: [], candidates: [{ session: SESSION, callId: CALL, agent: 'an-agent' }], seq: 1 };
const one = {
  ...shown,
  status: 'conflict',
  reversible: false,
  incomplete: true,
  session: SESSION,
  callId: CALL,
  comment: 'please '.repeat(40),
  conflict: { reason: 'please '.repeat(40) },
} as unknown as ChangeJson;

test.each([
  ['a verdict', withinWidth(verdictText('rejected', [...many, 'c9.1'], rejected, 'done', style), 80)],
  ['one change', changeText(one, null, style)],
  ['a conflict', conflictsText([{ change: one, inTheWay: [one], sides: null }], style)],
  ['a long failure', failureText({ message: 'please '.repeat(40), hint: undefined }, style)],
  ['changes', changesText([change], style)],
  ['stale', staleText([stale], style)],
  ['sessions', sessionsText([session], style)],
  ['log', operations.map((operation) => operationText(operation, style)).join('\n')],
  ['settings', settingsText(['stockWaitMs'], { set: {}, effective: { stockWaitMs: 1500 } }, style)],
  ['doctor', checksText([careful('disk', `too little of ${PATH} and ${PATH}`, 'please '.repeat(40))], style)],
  ['undo', undoText('undone', undone, 'done', style)],
  ['a failure', failureText({ message: 'no', hint: `there are ${'setting, '.repeat(40)}` }, style)],
  ['blame', blameText([{ line: 1, text: 'x'.repeat(200), author: change.author, change: change.id, at }], style)],
])('[INT3a] no line of %s is wider than the terminal', (_, text) => {
  for (const line of text.split('\n')) expect(widthOf(line), line).toBeLessThanOrEqual(80);
});

test('[INT3a] a line that goes on below keeps its words, its gaps, its colours and its place', () => {
  const red = (text: string) => `\u001b[31m${text}\u001b[39m`;
  expect(withinWidth(`  ${red('one  two')} three four`, 18)).toBe(`  ${red('one  two')} three\n    four`);
  expect(withinWidth(`${'x'.repeat(90)} y`, 80)).toBe(`${'x'.repeat(90)}\n  y`);
  expect(withinWidth('one two', null)).toBe('one two');
  expect(withinWidth(`        one ${'x'.repeat(15)} two`, 18)).toBe(`        one\n   ${'x'.repeat(15)}\n          two`);
  expect(withinWidth(red('+    "a": "one two three"'), 18)).toBe(red('+    "a": "one two\n       three"'));
});

test('[INT3a] nothing is cut short where there is no terminal', () => {
  expect(operationText(operations[1]!, plainStyle())).toContain(`${CALL} in ${SESSION}`);
  expect(changesText([change], plainStyle())).toContain('inferred');
});
