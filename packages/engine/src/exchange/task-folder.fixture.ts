import { encodeUtf8 } from '@palimpsest/core';
import type { FolderFile } from './task-import.js';

/** A folder by the names and texts of its files. */
export function folder(files: Readonly<Record<string, string | Uint8Array>>): readonly FolderFile[] {
  return Object.entries(files).map(([name, text]) => ({
    name,
    bytes: typeof text === 'string' ? encodeUtf8(text) : text,
  }));
}

const at = 1_767_000_000_000;

/** As Roo 3.2x writes it: compact, with the time, and fields that only it knows. */
const rooModel = [
  { role: 'user', content: [{ type: 'text', text: '<task>\nfix the login\n</task>' }], ts: at },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', id: 'toolu_01', name: 'read_file', input: { path: 'src\\login.ts', args: { files: [] } } },
    ],
    ts: at + 10,
    id: 'msg_1',
    reasoning_details: [{ type: 'reasoning.text', text: 'hm', index: 0 }],
  },
  {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'toolu_01', content: 'export const login = 1.0;\r\n\u2028 \ud83d\ude00' },
    ],
    ts: at + 20,
    condenseParent: 'sum-1',
  },
  { role: 'assistant', content: 'summary of it', ts: at + 25, isSummary: true, condenseId: 'sum-1' },
  { role: 'assistant', content: [{ type: 'text', text: 'Done.' }], ts: at + 30 },
];
const rooHuman = [
  { ts: at, type: 'say', say: 'text', text: 'fix the login', images: [] },
  { ts: at + 5, type: 'say', say: 'api_req_started', text: '{"request":"…","tokensIn":12,"cost":0.0012}' },
  {
    ts: at + 12,
    type: 'ask',
    ask: 'tool',
    text: '{"tool":"readFile","path":"src/login.ts"}',
    partial: false,
    isAnswered: true,
  },
  { ts: at + 30, type: 'say', say: 'completion_result', text: 'Done.', checkpoint: { hash: 'abc' } },
];
const rooItem = {
  id: 'roo-1',
  rootTaskId: 'roo-1',
  number: 3,
  ts: at + 30,
  task: 'fix the login\nplease',
  tokensIn: 12,
  tokensOut: 3,
  cacheWrites: 0,
  cacheReads: 0,
  totalCost: 0.0012,
  size: 4096,
  workspace: 'C:\\work\\app',
  mode: 'code',
};
const metadata = (program: 'roo' | 'cline', extra: object) =>
  JSON.stringify(
    {
      files_in_context: [
        {
          path: 'src\\login.ts',
          record_state: 'active',
          record_source: 'read_tool',
          [`${program}_read_date`]: at + 20,
          [`${program}_edit_date`]: null,
          user_edit_date: null,
          ...extra,
        },
      ],
      ...(program === 'cline' ? { model_usage: [{ ts: at, model_id: 'claude', mode: 'act' }] } : {}),
    },
    null,
    2,
  );

const clineModel = [
  {
    role: 'user',
    content: [
      { type: 'text', text: '<task>\nadd a test\n</task>' },
      { type: 'text', text: '# VSCode Visible Files' },
    ],
  },
  { role: 'assistant', content: [{ type: 'text', text: '<write_to_file>…</write_to_file>' }] },
];
const clineHuman = [
  { ts: at, type: 'say', say: 'text', text: 'add a test', images: [], files: [], conversationHistoryIndex: -1 },
  {
    ts: at + 9,
    type: 'ask',
    ask: 'tool',
    text: '{"tool":"newFileCreated"}',
    conversationHistoryIndex: 1,
    lastCheckpointHash: 'f00',
  },
];

/** Of Roo's format with an envelope, whose messages are those of the AI SDK. */
const rooSecond = {
  version: 2,
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'go' }], ts: at },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'execute_command', input: { command: 'ls' } }],
      ts: at + 1,
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'c1',
          toolName: 'execute_command',
          output: { type: 'text', value: 'a.txt' },
        },
      ],
      ts: at + 2,
    },
    { type: 'reasoning', encrypted_content: 'gAAAA', id: 'rs_1', summary: [], ts: at + 3 },
  ],
};

/** Folders as the programs write them, by what they are. */
export const FOLDERS: Readonly<
  Record<string, { readonly dialect: 'roo' | 'cline'; readonly files: Readonly<Record<string, string>> }>
> = {
  'Roo, all files': {
    dialect: 'roo',
    files: {
      'api_conversation_history.json': JSON.stringify(rooModel),
      'ui_messages.json': JSON.stringify(rooHuman),
      'task_metadata.json': metadata('roo', { unheard_of: [1, { deep: true }] }),
      'history_item.json': JSON.stringify(rooItem),
    },
  },
  'Roo, before there was history_item.json, without times': {
    dialect: 'roo',
    files: {
      'api_conversation_history.json': JSON.stringify(rooModel, (key, value: unknown) =>
        key === 'ts' ? undefined : value,
      ),
      'ui_messages.json': JSON.stringify(rooHuman),
      'task_metadata.json': metadata('roo', {}),
    },
  },
  'Roo with an envelope': {
    dialect: 'roo',
    files: { 'api_conversation_history.json': JSON.stringify(rooSecond), 'ui_messages.json': JSON.stringify(rooHuman) },
  },
  Cline: {
    dialect: 'cline',
    files: {
      'api_conversation_history.json': JSON.stringify(clineModel),
      'ui_messages.json': JSON.stringify(clineHuman),
      'task_metadata.json': metadata('cline', {}),
      'context_history.json': '[[1,[[0,0],[[]]]]]',
      'focus_chain_taskid_1.md': '- [ ] a test\n',
      'settings.json': JSON.stringify({ mode: 'act' }, null, 2),
    },
  },
  'written by hand, with other numbers and spaces': {
    dialect: 'roo',
    files: {
      'api_conversation_history.json':
        '\ufeff[\r\n\t{ "role" : "user", "content":"a\\u0041\\/b", "ts": 1.767e12, "x": 1.0 }\r\n\t,  {"role":"assistant","content":"b"}\r\n]\r\n',
      'ui_messages.json': `${JSON.stringify(rooHuman, null, '\t')}\n`,
    },
  },
};
