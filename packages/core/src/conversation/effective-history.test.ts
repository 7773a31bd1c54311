import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asSeq } from '../ids.js';
import type { Message } from '../message.js';
import { effectiveHistory, historyTokens, keptSeqs } from './effective-history.js';
import { agentsItems, anyItems, anyReductions, assistant, items, result, user } from './history.fixture.js';
import { rulesBroken } from './pairing.js';
import { anthropicRequest, openaiMessages } from './provider-messages.js';

const told = (messages: readonly { readonly message: Message }[]) => messages.map(({ message }) => message);

describe('the effective history', () => {
  test('[CON3a] whatever was said and left out, every rule of the providers is kept', () => {
    fc.assert(
      fc.property(anyItems, anyReductions, (history, reductions) => {
        expect(rulesBroken(told(effectiveHistory(history, reductions).messages))).toEqual([]);
      }),
      { numRuns: 1500 },
    );
  });

  test('[CON3b] the task, the latest words of the human and the summary stay, whatever is left out', () => {
    fc.assert(
      fc.property(anyItems, anyReductions, (history, reductions) => {
        const { messages } = effectiveHistory(history, reductions);
        const there = new Set(messages.flatMap(({ from }) => from));
        const { task, latest } = keptSeqs(history);
        for (const seq of [task, latest]) expect(seq === null || there.has(seq)).toBe(true);
        const summary = reductions.findLast((one) => one.type === 'summary');
        const standing = history.find(({ seq, message }) => seq === summary?.summary && message.role !== 'system');
        const says = standing?.message.blocks.some((block) => block.type === 'text' && block.text.trim() !== '');
        expect(says !== true || there.has(standing!.seq)).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });

  test('[CON3c] with nothing left out, a history that keeps the rules is given as it is', () => {
    fc.assert(
      fc.property(agentsItems, (history) => {
        expect(told(effectiveHistory(history, []).messages)).toEqual(history.map(({ message }) => message));
      }),
    );
  });

  test('[CON3d] a call and its result go together, whichever of them is left out', () => {
    const history = items(user('task'), assistant('a', 'c1', 'c2'), result('c1', 'A'), result('c2', 'B'), user('now'));
    for (const hidden of [2, 3, 4]) {
      const { messages } = effectiveHistory(history, [{ type: 'hidden', messages: [asSeq(hidden)] }]);
      const ids = (type: string) =>
        messages.flatMap(({ message }) =>
          message.blocks.flatMap((b) => (b.type === type && 'call' in b ? [b.call] : [])),
        );
      expect(ids('tool-call')).toEqual(ids('tool-result'));
      expect(ids('tool-call')).toEqual(hidden === 2 ? [] : hidden === 3 ? ['c2'] : ['c1']);
    }
  });

  test('[CON3e] a summary stands for what came before it, and is gone with the reduction', () => {
    const history = [
      ...items(user('task'), assistant('one'), user('two'), assistant('three'), user('four')),
      { seq: asSeq(6), message: user('what happened so far'), summary: true },
    ];
    const texts = (reductions: Parameters<typeof effectiveHistory>[1]) =>
      told(effectiveHistory(history, reductions).messages).flatMap(({ blocks }) =>
        blocks.map((block) => ('text' in block ? block.text : '')),
      );
    expect(texts([{ type: 'summary', summary: asSeq(6), upTo: asSeq(3) }])).toEqual([
      ...['task', 'what happened so far', 'three', 'four'],
    ]);
    expect(texts([])).toEqual(['task', 'one', 'two', 'three', 'four']);
  });

  test('[CON3a] a call id that comes again, and a history that begins with the model, are put right', () => {
    const history = items(assistant('hi', 'c'), result('c', '1'), assistant('again', 'c'), result('c', '2'));
    const { messages } = effectiveHistory(history, []);
    expect(rulesBroken(told(messages))).toEqual([]);
    expect(JSON.stringify(told(messages))).toContain('"c_2"');
  });

  test('[CON3f] it is written as Anthropic and OpenAI take it, reasoning with its signature', () => {
    const thought = { type: 'reasoning', text: 'hm', signature: 's' } as const;
    const first = assistant('look', 'c1');
    const { blocks } = first;
    const history = items(user('task'), { ...first, blocks: [thought, ...blocks] }, result('c1', 'A'), user('go'));
    const effective = effectiveHistory(
      [{ seq: asSeq(9), message: { role: 'system', blocks: user('be good').blocks } }, ...history],
      [],
    );
    expect(anthropicRequest(effective)).toEqual({
      system: 'be good',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'task' }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 's' },
            { type: 'text', text: 'look' },
            { type: 'tool_use', id: 'c1', name: 'bash', input: { command: 'ls' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: 'A' },
            { type: 'text', text: 'go' },
          ],
        },
      ],
    });
    expect(openaiMessages(effective)).toEqual([
      { role: 'system', content: 'be good' },
      { role: 'user', content: 'task' },
      {
        role: 'assistant',
        content: 'look',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'A' },
      { role: 'user', content: 'go' },
    ]);
  });

  test('[CON3g] a shortened result says so, and nothing ever gets longer by being left out', () => {
    fc.assert(
      fc.property(anyItems, anyReductions, (history, reductions) => {
        const results = reductions.filter((one) => one.type === 'shrunk' || one.type === 'superseded');
        expect(historyTokens(effectiveHistory(history, results))).toBeLessThanOrEqual(
          historyTokens(effectiveHistory(history, [])) + 40 * results.length,
        );
      }),
    );
    const long = effectiveHistory(items(user('t'), assistant('a', 'c'), result('c', `${'a'.repeat(900)}END`)), [
      { type: 'shrunk', message: asSeq(3), call: 'c', chars: 100 },
    ]);
    expect(JSON.stringify(long)).toMatch(/a{60}\\n\[… 803 characters left out …\]\\na{37}END/);
  });
});
