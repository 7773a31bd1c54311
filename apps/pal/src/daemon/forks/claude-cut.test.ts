import { expect, test } from 'vitest';
import { cutLines, lineFacts, NOTHING_BEFORE } from './claude-cut.js';

const user = (uuid: string, promptId: string) => ({ type: 'user', uuid, promptId, message: { content: 'go' } });
const asks = (uuid: string, id: string, ...calls: readonly string[]) => ({
  type: 'assistant',
  uuid,
  message: { id, content: calls.map((call) => ({ type: 'tool_use', id: call, name: 'Edit' })) },
});
const says = (uuid: string, id: string) => ({ type: 'assistant', uuid, message: { id, content: [{ type: 'text' }] } });
const answers = (uuid: string, call: string) => ({
  type: 'user',
  uuid,
  message: { content: [{ type: 'tool_result', tool_use_id: call }] },
});
const note = { type: 'last-prompt', leafUuid: 'x' };

/** One line for each, as the program writes them: two calls in one breath run one after the other. */
const LINES = [
  note,
  user('u1', 't1'),
  says('a1', 'm1'),
  asks('a2', 'm1', 'c1'),
  asks('a3', 'm1', 'c2'),
  answers('r1', 'c1'),
  answers('r2', 'c2'),
  says('a4', 'm2'),
  note,
  user('u2', 't2'),
  asks('a5', 'm3', 'c3'),
].map(lineFacts);

const left = (cut: Parameters<typeof cutLines>[1]) => {
  const found = cutLines(LINES, cut);
  if ('why' in found) return found.why;
  return LINES.flatMap(({ id }, index) => (index < found.upTo && !found.without.has(index) ? [id ?? '-'] : [])).join(
    ' ',
  );
};

test('[TRA4c] where Claude Code is cut, between turns and within them', () => {
  const prompt = (turn: string, message: string | null) =>
    ({ kind: 'before-prompt', turn, message, previous: null }) as const;
  expect(left(prompt('t2', 'u2'))).toBe('- u1 a1 a2 a3 r1 r2 a4');
  expect(left(prompt('t2', null))).toBe('- u1 a1 a2 a3 r1 r2 a4');
  expect(left(prompt('t1', 'u1'))).toBe(NOTHING_BEFORE);
  expect(left(prompt('t9', null))).toBe('the prompt is not in its transcript');
  expect(left({ kind: 'end', last: 't2' })).toBe('- u1 a1 a2 a3 r1 r2 a4 - u2 a5');
});

test('[TRA4c] a call of the same breath that had not run is still to be asked for', () => {
  expect(left({ kind: 'after-call', call: 'c1' })).toBe('- u1 a1 a2 r1');
  expect(left({ kind: 'after-call', call: 'c2' })).toBe('- u1 a1 a2 a3 r1 r2');
  expect(left({ kind: 'before-call', call: 'c1' })).toBe('- u1');
  expect(left({ kind: 'before-call', call: 'c2' })).toBe('- u1 a1 a2 r1');
  expect(left({ kind: 'before-call', call: 'c3' })).toBe('- u1 a1 a2 a3 r1 r2 a4 - u2');
  expect(left({ kind: 'after-call', call: 'c3' })).toBe('the result of that call is not in its transcript');
});
