import fc from 'fast-check';
import { asSeq } from '../ids.js';
import type { Block, Message, Reduction } from '../message.js';
import type { HistoryItem } from './effective-history.js';

/** Whatever anybody may have added, in whatever order: calls without results, results without calls, ids used twice. */
const call = fc.constantFrom('c1', 'c2', 'c3', 'c4');
const words = fc.oneof(
  fc.constantFrom('', ' ', 'hello', 'do it'),
  fc.nat(12_000).map((length) => 'word '.repeat(length / 5)),
);
const block: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: words }),
  fc.record({ type: fc.constant('reasoning' as const), text: words }),
  fc.record({
    type: fc.constant('tool-call' as const),
    call,
    tool: fc.constantFrom('read_file', 'bash'),
    input: fc.record({ path: fc.constantFrom('a', 'b') }),
  }),
  fc.record({
    type: fc.constant('tool-result' as const),
    call,
    text: words,
    outcome: fc.constantFrom('ok' as const, 'failed' as const),
  }),
  fc.record({ type: fc.constant('attachment' as const), what: fc.constant('image') }),
);
const message: fc.Arbitrary<Message> = fc.record({
  role: fc.constantFrom('user', 'assistant', 'user', 'assistant', 'system'),
  blocks: fc.array(block, { maxLength: 4 }),
});
export const anyItems: fc.Arbitrary<readonly HistoryItem[]> = fc
  .array(fc.tuple(message, fc.nat(20)), { maxLength: 16 })
  .map((all) =>
    all.map(([one, n], index) => ({ seq: asSeq(index + 1), message: one, ...(n === 0 ? { summary: true } : {}) })),
  );

const seq = fc.integer({ min: 1, max: 17 }).map(asSeq);
const reduction: fc.Arbitrary<Reduction> = fc.oneof(
  fc.record({ type: fc.constant('summary' as const), summary: seq, upTo: seq }),
  fc.record({ type: fc.constant('hidden' as const), messages: fc.array(seq) }),
  fc.record({ type: fc.constant('shrunk' as const), message: seq, call, chars: fc.nat(200) }),
  fc.record({ type: fc.constant('superseded' as const), message: seq, call, by: seq }),
);
export const anyReductions = fc.array(reduction, { maxLength: 5 });

/** A history as an agent makes it: a task, then turns of calls and results, and words of the human between. */
export const agentsItems: fc.Arbitrary<readonly HistoryItem[]> = fc
  .array(fc.tuple(fc.nat(3), fc.nat(9000), fc.boolean()), { minLength: 1, maxLength: 12 })
  .map((turns) => {
    const messages: Message[] = [user('the task')];
    let calls = 0;
    for (const [count, length, speaks] of turns) {
      const ids = Array.from({ length: count }, () => `call-${++calls}`);
      const asked = ids.map(
        (id): Block => ({ type: 'tool-call', call: id, tool: 'read_file', input: { path: `f${id}` } }),
      );
      messages.push({ role: 'assistant', blocks: [{ type: 'text', text: 'I will look' }, ...asked] });
      const text = 'x'.repeat(length);
      const results = ids.map((id): Block => ({ type: 'tool-result', call: id, text, outcome: 'ok' }));
      const said: readonly Block[] = speaks || count === 0 ? [{ type: 'text', text: `go on ${messages.length}` }] : [];
      messages.push({ role: 'user', blocks: [...results, ...said] });
    }
    return messages.map((one, index) => ({ seq: asSeq(index + 1), message: one }));
  });

export function user(text: string): Message {
  return { role: 'user', blocks: [{ type: 'text', text }] };
}

export function assistant(text: string, ...calls: readonly string[]): Message {
  const asked = calls.map((id): Block => ({ type: 'tool-call', call: id, tool: 'bash', input: { command: 'ls' } }));
  return { role: 'assistant', blocks: [{ type: 'text', text }, ...asked] };
}

export function result(call: string, text: string): Message {
  return { role: 'user', blocks: [{ type: 'tool-result', call, text, outcome: 'ok' }] };
}

export function items(...messages: readonly Message[]): readonly HistoryItem[] {
  return messages.map((one, index) => ({ seq: asSeq(index + 1), message: one }));
}
