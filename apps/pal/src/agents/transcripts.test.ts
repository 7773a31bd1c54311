import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { claudeTranscript } from './claude-transcript.js';
import { clineTranscript } from './cline-transcript.js';
import { codexTranscript } from './codex-transcript.js';
import { geminiTranscript } from './gemini-transcript.js';
import { opencodeTranscript } from './opencode-transcript.js';
import { qwenTranscript } from './qwen-transcript.js';
import {
  type LineReader,
  type MessageRow,
  TEXT_CHARS_LIMIT,
  type TranscriptItem,
  type TranscriptMessage,
} from './transcript.js';

/** As the real programs wrote them, in two turns of one session each; long texts are cut. */
function sample(name: string): string {
  return readFileSync(fileURLToPath(new URL(`samples/${name}`, import.meta.url)), 'utf8');
}

function itemsOf(reader: LineReader, lines: readonly unknown[]): readonly TranscriptItem[] {
  let state = reader.begin(null);
  const items = lines.flatMap((line, index) => {
    const read = reader.read(state, line, String(index));
    state = read.state;
    return read.items;
  });
  return [...items, ...state.held.map((message) => ({ kind: 'message' as const, message }))];
}

function linesOf(name: string): readonly unknown[] {
  return sample(name)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

/** Each message once; what came again under the same id is what a reading passes over. */
function messagesOf(items: readonly TranscriptItem[]): readonly TranscriptMessage[] {
  const found = new Map<string, TranscriptMessage>();
  for (const item of items)
    if (item.kind === 'message' && !found.has(item.message.id)) found.set(item.message.id, item.message);
  return [...found.values()];
}

/** A conversation in short: who, and what in one word each. */
function told(messages: readonly TranscriptMessage[]): readonly string[] {
  return messages
    .filter(({ role }) => role !== 'system')
    .flatMap(({ role, blocks }) =>
      blocks.map((block) => {
        if (block.type === 'text') return `${role}: ${block.text}`;
        if (block.type === 'tool-call') return `call ${block.call} ${block.tool}`;
        if (block.type === 'tool-result') return `${block.outcome} ${block.call}`;
        return block.type;
      }),
    );
}

const AGENTS: readonly (readonly [
  string,
  readonly TranscriptMessage[],
  (call: number) => string,
  readonly string[],
])[] = [
  [
    'Claude Code',
    messagesOf(itemsOf(claudeTranscript, linesOf('claude.jsonl'))),
    (call) => `toolu_call_${call}`,
    ['Read', 'Edit', 'Write', 'Bash', 'Read', 'Read', 'Edit'],
  ],
  [
    'Codex',
    messagesOf(itemsOf(codexTranscript, linesOf('codex.jsonl'))),
    (call) => `call_${call}`,
    ['exec_command', 'apply_patch', 'apply_patch', 'exec_command', 'exec_command', 'exec_command', 'apply_patch'],
  ],
  [
    'opencode',
    messagesOf((JSON.parse(sample('opencode.json')) as MessageRow[]).flatMap(opencodeTranscript.read)),
    (call) => `call_${call}`,
    ['read', 'edit', 'write', 'bash', 'read', 'read', 'edit'],
  ],
  [
    'Qwen Code',
    messagesOf(itemsOf(qwenTranscript, linesOf('qwen.jsonl'))),
    (call) => `call_${call}`,
    ['read_file', 'edit', 'write_file', 'run_shell_command', 'read_file', 'read_file', 'edit'],
  ],
];

describe('the transcript of', () => {
  test.each(AGENTS)('[TRA1a] %s', (_, messages, id, tools) => {
    const call = (number: number) => `call ${id(number)} ${tools[number - 1]}`;
    const lines = told(messages);
    expect(lines.filter((line) => !/^(ok|failed) /.test(line))).toEqual([
      'user: First: fix the add function.',
      'assistant: I will read it.',
      call(1),
      'assistant: Now the edit.',
      call(2),
      call(3),
      call(4),
      call(5),
      'assistant: First part done.',
      'user: Second: say goodbye in notes.',
      'assistant: Reading.',
      call(6),
      call(7),
      'assistant: Second part done.',
    ]);
    expect(lines.filter((line) => /^(ok|failed) /.test(line)).sort()).toEqual(
      [`failed ${id(5)}`, ...[1, 2, 3, 4, 6, 7].map((number) => `ok ${id(number)}`)].sort(),
    );
    // A result comes after its call.
    for (const number of [1, 2, 3, 4, 5, 6, 7]) {
      const result = lines.findIndex((line) => line.endsWith(` ${id(number)}`) && /^(ok|failed) /.test(line));
      expect(result).toBeGreaterThan(lines.indexOf(call(number)));
    }
    expect(messages.every(({ at }) => at !== undefined && at > Date.parse('2026-01-01'))).toBe(true);
  });

  test('[TRA1a] Gemini CLI, whose calls are named by nobody else, with messages said twice and all of them said anew', () => {
    const messages = messagesOf(itemsOf(geminiTranscript, linesOf('gemini.jsonl')));
    expect(told(messages).map((line) => line.replace(/(?<=call |ok |failed )\S+_(\d)\b/, '$1'))).toEqual([
      'user: First: fix the add function.',
      'assistant: I will read it.',
      'call 0 read_file',
      'ok 0',
      'assistant: Now the edit.',
      'call 0 replace',
      'ok 0',
      'call 0 write_file',
      'call 1 run_shell_command',
      'ok 0',
      'ok 1',
      'call 0 read_file',
      'failed 0',
      'assistant: First part done.',
      'user: Second: say goodbye in notes.',
      'assistant: Reading.',
      'call 0 read_file',
      'ok 0',
      'call 0 replace',
      'ok 0',
      'assistant: Second part done.',
    ]);
  });

  test('[TRA1a] Cline, which begins a new session with each run', () => {
    expect(
      told(messagesOf(clineTranscript.records(JSON.parse(sample('cline.json'))).flatMap(clineTranscript.read))),
    ).toEqual([
      'user: First: fix the add function.',
      'assistant: I will read it.',
      'call call_1 read_files',
      'ok call_1',
      'assistant: Now the edit.',
      'call call_2 editor',
      'ok call_2',
      'call call_3 editor',
      'call call_4 run_commands',
      'ok call_3',
      'ok call_4',
      'call call_5 read_files',
      'failed call_5',
      'assistant: First part done.',
    ]);
  });

  test('[TRA1a] Gemini CLI says what was taken back by its user', () => {
    const said = (id: string, type: string, text: string) => ({
      id,
      type,
      content: [{ text }],
      timestamp: '2026-11-18',
    });
    const items = itemsOf(geminiTranscript, [
      said('u1', 'user', 'one'),
      said('g1', 'gemini', 'answer'),
      { $rewindTo: 'u1' },
      said('u2', 'user', 'another'),
    ]);
    expect(items.map((item) => (item.kind === 'message' ? item.message.id : item))).toEqual([
      'u1',
      'g1',
      { kind: 'rewound', to: 'u1' },
      'u2',
    ]);
  });
});

test('[TRA1a] the turn is the one that the hooks name, where the transcript has it', () => {
  const turns = (messages: readonly TranscriptMessage[]) => [...new Set(messages.map(({ turn }) => turn))];
  const [[, claude], [, codex], [, opencode]] = AGENTS as [(typeof AGENTS)[0], (typeof AGENTS)[0], (typeof AGENTS)[0]];
  expect(turns(claude)).toEqual(['2aff6f8b-9ef6-4021-a43b-dd17d6354045', 'd0b0af74-5077-4ef8-b672-3d088bdb7e1d']);
  expect(turns(codex)).toEqual(['01a1ed19-0225-7982-b7c4-67088a6c9ee2', '01a1ed19-05ee-7943-8e88-6b24617e417d']);
  expect(turns(opencode)).toEqual(['msg_1ed19460d001mPdZWEXmjXeSV9', 'msg_1ed196ae0001CRx59N4YFJpweN']);
});

test('[TRA1b] what an agent says of its surroundings, and what our hooks said, is no prompt', () => {
  const prompts = (messages: readonly TranscriptMessage[]) =>
    messages
      .filter(({ role, blocks }) => role === 'user' && blocks.some(({ type }) => type === 'text'))
      .map(({ blocks }) => blocks.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n'));
  const gemini = messagesOf(itemsOf(geminiTranscript, linesOf('gemini.jsonl')));
  for (const messages of [...AGENTS.map(([, all]) => all), gemini])
    expect(prompts(messages)).toEqual(['First: fix the add function.', 'Second: say goodbye in notes.']);
});

test('[TRA1a] a message of the model that opencode is still writing is not taken', () => {
  const rows = JSON.parse(sample('opencode.json')) as MessageRow[];
  const open = rows.map((row, index) =>
    index === 1 ? { ...row, data: { ...(row.data as object), time: { created: 1 } } } : row,
  );
  const ids = open.flatMap(opencodeTranscript.read).map((item) => (item.kind === 'message' ? item.message.id : ''));
  expect(ids).not.toContain(rows[1]!.id);
  expect(ids).toContain(rows[2]!.id);
});

test('[TRA1a] a text of any length is taken in part, and says so', () => {
  const text = 'x'.repeat(TEXT_CHARS_LIMIT + 5);
  const line = { type: 'user', uuid: 'u', message: { role: 'user', content: text } };
  const [item] = itemsOf(claudeTranscript, [line]);
  const [block] = item?.kind === 'message' ? item.message.blocks : [];
  expect(block?.type === 'text' ? block.text : '').toContain('… 5 characters are left out here …');
});

test('[TRA1a] lines of no known shape say nothing', () => {
  const odd = [
    null,
    1,
    'x',
    [],
    {},
    { type: 'user' },
    { type: 'response_item', payload: 7 },
    { $set: { messages: {} } },
  ];
  for (const reader of [claudeTranscript, codexTranscript, geminiTranscript, qwenTranscript])
    expect(itemsOf(reader, odd)).toEqual([]);
  for (const value of odd) expect(clineTranscript.records(value)).toEqual([]);
  for (const value of odd) expect(clineTranscript.read(value, 0)).toEqual([]);
});
