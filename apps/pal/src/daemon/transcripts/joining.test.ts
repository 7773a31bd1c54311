import { asCallId, asPath } from '@palimpsest/core';
import type { Joinable } from '@palimpsest/engine';
import { describe, expect, test } from 'vitest';
import type { TranscriptMessage } from '../../agents/transcript.js';
import { Joining } from './joining.js';

const call = (id: string, tool: string, input: unknown, names: readonly string[] = []) => ({
  call: asCallId(id),
  tool,
  json: input === null ? null : JSON.stringify(input),
  names: names.map(asPath),
});
const known = (fields: Partial<Omit<Joinable, 'upTo'>>): Joinable => ({
  messages: [],
  calls: [],
  prompts: [],
  joined: { calls: new Set(), turns: new Set() },
  upTo: 0,
  ...fields,
});
const asks = (id: string, ...calls: readonly (readonly [string, string, unknown])[]): TranscriptMessage => ({
  id,
  role: 'assistant',
  blocks: calls.map(([name, tool, input]) => ({ type: 'tool-call', call: name, tool, input })),
});
const answers = (id: string, name: string): TranscriptMessage => ({
  id,
  role: 'user',
  blocks: [{ type: 'tool-result', call: name, text: '', outcome: 'ok' }],
});
const says = (id: string, text: string): TranscriptMessage => ({ id, role: 'user', blocks: [{ type: 'text', text }] });
const callsOf = (message: TranscriptMessage | null) =>
  message?.blocks.map((block) => ('call' in block ? block.call : ''));

describe('joining what an agent wrote down with what its hooks told', () => {
  test('[TRA3a] equal calls are joined in their order, and results go with them', () => {
    const joining = new Joining('by-order');
    joining.learn(
      known({ calls: [call('1', 'sh', { c: 'date' }), call('2', 'sh', { c: 'ls' }), call('3', 'sh', { c: 'date' })] }),
    );
    expect(callsOf(joining.join(asks('a', ['x', 'sh', { c: 'date' }])))).toEqual(['1']);
    expect(callsOf(joining.join(answers('b', 'x')))).toEqual(['1']);
    expect(callsOf(joining.join(asks('c', ['y', 'sh', { c: 'date' }], ['z', 'sh', { c: 'ls' }])))).toEqual(['3', '2']);
    expect(callsOf(joining.join(answers('d', 'z')))).toEqual(['2']);
  });

  test('[TRA3a] a read, whose input is not in the log, is joined by its tool and the file that it names', () => {
    const joining = new Joining('by-order');
    joining.learn(known({ calls: [call('1', 'read', null, ['src/a.ts']), call('2', 'read', null, ['src/b "c".ts'])] }));
    expect(callsOf(joining.join(asks('a', ['x', 'read', { path: '/repo/src/b "c".ts' }])))).toEqual(['2']);
    expect(callsOf(joining.join(asks('b', ['y', 'read', { path: '/repo/src/a.ts' }])))).toEqual(['1']);
  });

  test('[TRA3a] a message whose call has not begun is early; one of an earlier reading takes no call of a later one', () => {
    const joining = new Joining('by-order');
    joining.learn(
      known({ calls: [call('1', 'sh', { c: 'date' })], joined: { calls: new Set(['1']), turns: new Set() } }),
    );
    const asked = asks('a', ['x', 'sh', { c: 'date' }]);
    expect(joining.isEarly(asked)).toBe(true);
    joining.learn(known({ calls: [call('2', 'sh', { c: 'date' })] }));
    expect(joining.isEarly(asked)).toBe(false);
    expect(callsOf(joining.join(asked))).toEqual(['2']);
    expect(joining.join(asked)).toBeNull();
  });

  test('[TRA3a] an agent that names its calls in both is believed', () => {
    const joining = new Joining('as-hooks-do');
    joining.learn(known({ calls: [call('1', 'sh', { c: 'date' })] }));
    expect(joining.isEarly(asks('a', ['x', 'sh', {}]))).toBe(false);
    expect(callsOf(joining.join(asks('a', ['x', 'sh', { c: 'date' }])))).toEqual(['x']);
  });

  test('[TRA3a] a prompt is known by its text and its order, and what follows is of its turn', () => {
    const joining = new Joining('by-order');
    const turn = (id: string, text: string) => ({ turn: id, text });
    joining.learn(known({ prompts: [turn('t1', 'go on'), turn('t2', 'other'), turn('t3', 'go on')] }));
    expect(joining.join(says('a', 'go on\n'))?.turn).toBe('t1');
    expect(joining.join(asks('b', ['x', 'sh', {}]))?.turn).toBe('t1');
    expect(joining.join(says('c', 'go on'))?.turn).toBe('t3');
    expect(joining.join(says('d', 'not a prompt of ours'))?.turn).toBe('t3');
  });
});
