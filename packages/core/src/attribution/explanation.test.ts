import { expect, test } from 'vitest';
import { decodeUtf8, encodeUtf8 } from '../lines/utf8.js';
import type { Effect } from '../tools/effect.js';
import { type CallOutcome, explain } from './explanation.js';

const write = (text: string): Effect => ({ kind: 'replace-all-content', text });
const edit = (old: string, next: string): Effect => ({ kind: 'replace', edits: [{ old, new: next, all: false }] });

function explained(
  effect: Effect | null,
  before: string | null,
  after: string | null,
  outcome: CallOutcome = 'ok',
): string {
  const bytes = (text: string | null) => (text === null ? null : encodeUtf8(text));
  const answer = explain(effect, bytes(before), bytes(after), outcome);
  return answer.kind === 'split' ? `${answer.first} first: ${decodeUtf8(answer.middle)}` : answer.kind;
}

test('[CAP4a] what a call was to write proves it', () => expect(explained(write('b\n'), 'a\n', 'b\n')).toBe('proven'));
test('[CAP4a] what an edit gives proves it', () => expect(explained(edit('a', 'b'), 'xax', 'xbx')).toBe('proven'));
test('[CAP4a] a formatter’s part belongs to the call', () =>
  expect(explained(edit('a', 'f(b)'), 'let x=a\n', 'let x = f(b);\n')).toBe('likely'));
test('[CAP4f] a human’s edit before the tool’s is split off', () =>
  expect(explained(edit('a', 'b'), '1\na\n2\n', '1\nb\nmine\n2\n')).toBe('foreign first: 1\na\nmine\n2\n'));
test('[CAP4f] a human’s edit after a whole write is split off', () =>
  expect(explained(write('one\ntwo\n'), 'old\n', 'one\ntwo\nmine\n')).toBe('call first: one\ntwo\n'));
test('[CAP4d] a failed edit without effect explains nothing', () =>
  expect(explained(edit('zzz', 'b'), 'a\n', 'mine\n', 'failed')).toBe('foreign'));
test('[CAP3f] a failed tool that wrote all the same did write', () =>
  expect(explained(write('b\n'), 'a\n', 'b\n', 'failed')).toBe('proven'));
test('[CAP4f] while a call runs, text that is not its own is not its own', () =>
  expect(explained(edit('a', 'b'), 'a\n', 'a\nmine\n', 'running')).toBe('foreign'));
test('[CAP4a] a tool whose effect is unknown is believed when it succeeded', () => {
  expect(explained(null, 'a', 'b')).toBe('likely');
  expect(explained(null, 'a', 'b', 'failed')).toBe('foreign');
});
test('[CAP16a] a file seen half written is being written by the call that names it', () => {
  expect(explained(write('one\ntwo\n'), null, '', 'running')).toBe('likely');
  expect(explained(write('one\ntwo\n'), 'old\n', 'one\nt', 'running')).toBe('likely');
});
