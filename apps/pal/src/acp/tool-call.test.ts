import { describe, expect, test } from 'vitest';
import { linesOf } from './lines.js';
import { messageIn } from './message.js';
import { knownCall, toolCallOf } from './tool-call.js';

const PATH = '/repo/src/app.js';
const DIFF = { type: 'diff', path: PATH, oldText: 'a - b\n', newText: 'a + b\n', _meta: { kind: 'modify' } };

/** As they came from the real agents, one update after the other. */
const TOLD: readonly (readonly [string, readonly object[], unknown])[] = [
  [
    'a read of Gemini CLI',
    [
      {
        toolCallId: 'read_file__1',
        status: 'in_progress',
        title: 'src/app.js',
        content: [],
        locations: [{ path: PATH }],
        kind: 'read',
      },
    ],
    { tool: 'Read', input: { path: PATH } },
  ],
  [
    'an edit of Gemini CLI, where it asks',
    [
      {
        toolCallId: 'replace__1',
        status: 'pending',
        title: 'a - b => a + b',
        content: [DIFF],
        locations: [{ path: PATH }],
        kind: 'edit',
      },
    ],
    { tool: 'Write', input: { path: PATH, content: 'a + b\n' } },
  ],
  [
    'an edit of Gemini CLI, where it does not: its text is not known yet',
    [
      {
        toolCallId: 'write_file__1',
        status: 'in_progress',
        title: 'Writing',
        content: [],
        locations: [{ path: PATH }],
        kind: 'edit',
      },
    ],
    null,
  ],
  [
    'a command of Gemini CLI',
    [
      {
        toolCallId: 'run__1',
        status: 'pending',
        title: 'echo hi >> hello.txt',
        content: [],
        locations: [],
        kind: 'execute',
      },
    ],
    { tool: 'Bash', input: { command: 'echo hi >> hello.txt' } },
  ],
  [
    'an edit of opencode, in pieces',
    [
      { toolCallId: 'call_2', title: 'edit', kind: 'edit', status: 'pending', locations: [], rawInput: {} },
      {
        toolCallId: 'call_2',
        status: 'in_progress',
        locations: [{ path: PATH }],
        rawInput: { filePath: PATH, oldString: 'a', newString: 'b' },
      },
      {
        toolCallId: 'call_2',
        status: 'completed',
        title: 'src/app.js',
        content: [{ ...DIFF, oldText: 'a', newText: 'b' }],
      },
    ],
    { tool: 'Edit', input: { filePath: PATH, oldString: 'a', newString: 'b' } },
  ],
  [
    'a tool of a server',
    [{ toolCallId: 'c', title: 'deploy', kind: 'other', rawInput: { to: 'x' } }],
    { tool: 'deploy', input: { to: 'x' } },
  ],
  [
    'one with a name',
    [{ toolCallId: 'c', title: 'x', name: 'apply_patch', rawInput: { patch: 'p' } }],
    { tool: 'apply_patch', input: { patch: 'p' } },
  ],
  [
    'a command of Codex that reads',
    [
      {
        toolCallId: 'c',
        name: 'exec_command',
        kind: 'read',
        title: 'Read file',
        status: 'in_progress',
        locations: [{ path: PATH }],
      },
    ],
    { tool: 'Read', input: { path: PATH } },
  ],
  [
    'a patch of Codex',
    [{ toolCallId: 'c', kind: 'edit', title: 'Editing files', status: 'in_progress', content: [DIFF] }],
    { tool: 'Write', input: { path: PATH, content: 'a + b\n' } },
  ],
  [
    'a patch of Codex for two files',
    [
      {
        toolCallId: 'c',
        kind: 'edit',
        title: 'Editing files',
        status: 'in_progress',
        content: [DIFF, { ...DIFF, path: '/repo/b' }],
      },
    ],
    { tool: 'edit_many', input: { files: [{ path: PATH }, { path: '/repo/b' }] } },
  ],
  ['a thought', [{ toolCallId: 'c', title: 'x', kind: 'think' }], null],
];

describe('tool calls of the protocol', () => {
  test.each(TOLD)('[AGT4b] %s', (_, updates, known) => {
    const call = updates.reduce<ReturnType<typeof toolCallOf>>(
      (before, told) => toolCallOf({ ...told }, before ?? undefined),
      null,
    );
    expect(knownCall(call!)).toEqual(known);
  });

  test('[SEC4h] whatever is said of a call, it is one or none', () => {
    for (const told of [
      {},
      { toolCallId: 1 },
      { toolCallId: 'c', content: 'x', locations: {}, rawInput: [] },
      { toolCallId: 'c', content: [null, 1, {}], locations: [null] },
    ]) {
      const call = toolCallOf(told, undefined);
      if (call !== null) expect(() => knownCall(call)).not.toThrow();
    }
  });
});

describe('lines', () => {
  test('[AGT4a] every byte is in one line, wherever the chunks end', async () => {
    const text = Buffer.from('a\n\r\nöb\n\n\u0000c');
    for (let size = 1; size <= text.length; size += 1) {
      const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.subarray(at * size, (at + 1) * size),
      );
      const lines: Buffer[] = [];
      for await (const line of linesOf(streamOf(chunks))) lines.push(line);
      expect(lines.map(String)).toEqual(['a\n', '\r\n', 'öb\n', '\n', '\u0000c']);
    }
  });

  test.each([
    ['{"id":1,"method":"a/b","params":{"x":1}}', { kind: 'request', method: 'a/b', key: '1', id: 1, params: { x: 1 } }],
    ['{"id":"1","result":{"y":2}}', { kind: 'answer', key: '"1"', result: { y: 2 }, isError: false }],
    ['{"id":1,"error":{"code":1}}', { kind: 'answer', key: '1', result: {}, isError: true }],
    ['{"method":"a"}', { kind: 'notification', method: 'a', params: {} }],
    ['{"id":null}', null],
    ['[1]', null],
    ['nonsense', null],
    ['', null],
  ])('[AGT4a] %s is read as %j', (line, message) => expect(messageIn(Buffer.from(line))).toEqual(message));

  test('[SEC4h] an id that is neither text nor number, however deep, makes a line that is only passed on', () => {
    const depth = 100_000;
    for (const id of ['{"a":1}', 'true', `${'['.repeat(depth)}${']'.repeat(depth)}`])
      for (const rest of ['"method":"a"', '"result":{}'])
        expect(messageIn(Buffer.from(`{"id":${id},${rest}}`))).toBe(null);
  });
});

async function* streamOf(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}
