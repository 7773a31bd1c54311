import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MessageForm } from '../message.js';
import { callsIn, readMessage } from './read-message.js';

describe('a message of whatever form', () => {
  const text = (said: string) => ({ type: 'text', text: said });
  const call = { type: 'tool-call', call: 'c1', tool: 'read_file', input: { path: 'a' } };
  const result = { type: 'tool-result', call: 'c1', text: 'A\nB', outcome: 'ok' };

  test.each<[string, MessageForm, unknown, readonly unknown[]]>([
    ['ours', 'blocks', { role: 'assistant', blocks: [text('hi'), call] }, ['assistant', text('hi'), call]],
    ['a bare text', 'anthropic', { role: 'user', content: 'hi' }, ['user', text('hi')]],
    [
      'a call',
      'anthropic',
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'read_file', input: { path: 'a' } }] },
      ['assistant', call],
    ],
    [
      'a result in blocks, with an image',
      'anthropic',
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'c1',
            content: [
              { type: 'text', text: 'A' },
              { type: 'image', source: {} },
              { type: 'text', text: 'B' },
            ],
          },
        ],
      },
      ['user', result, { type: 'attachment', what: 'image', raw: { type: 'image', source: {} } }],
    ],
    [
      'thinking',
      'anthropic',
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: 's' }] },
      ['assistant', { type: 'reasoning', text: 'hm', signature: 's' }],
    ],
    [
      'calls with arguments as text',
      'openai',
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } }],
      },
      ['assistant', call],
    ],
    ['a tool’s answer', 'openai', { role: 'tool', tool_call_id: 'c1', content: 'A\nB' }, ['user', result]],
    [
      'parts of the AI SDK',
      'ai-sdk',
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'read_file', input: { path: 'a' } }],
      },
      ['assistant', call],
    ],
    [
      'a result of the AI SDK',
      'ai-sdk',
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'x', output: { type: 'text', value: 'A\nB' } }],
      },
      ['user', result],
    ],
    ['a developer', 'openai', { role: 'developer', content: 'be good' }, ['system', text('be good')]],
    ['what the human said', 'roo-ui', { type: 'say', say: 'user_feedback', text: 'no' }, ['user', text('no')]],
    ['what the human sees', 'roo-ui', { type: 'ask', ask: 'tool', text: '{}' }, ['assistant', text('{}')]],
    ['no message at all', 'anthropic', 'hello', ['user', { type: 'attachment', what: 'not a message' }]],
  ])('[CON1c] %s is read into one form', (_, form, value, [role, ...blocks]) => {
    expect(readMessage(form, value)).toEqual({ role, blocks });
  });

  test('[CON1c] whatever it is, it is read, and names its calls', () => {
    const forms = fc.constantFrom<MessageForm>('blocks', 'anthropic', 'openai', 'ai-sdk', 'roo-ui');
    fc.assert(
      fc.property(forms, fc.json(), (form, json) => {
        const message = readMessage(form, JSON.parse(json));
        expect(callsIn(message).every((id) => typeof id === 'string' && id !== '')).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
