import type { MadeCall, Reply } from './scripted-model.fixture.js';

/** One reply of the model on each of the wires that the agents speak. */

export function anthropicReply({ text, calls, tokens }: Reply): string {
  const usage = { input_tokens: tokens, output_tokens: 20 };
  const blocks = [
    ...(text === '' ? [] : [{ start: { type: 'text', text: '' }, delta: { type: 'text_delta', text } }]),
    ...calls.map(({ id, name, input }) => ({
      start: { type: 'tool_use', id: toolUseId(id), name, input: {} },
      delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
    })),
  ];
  const message = {
    id: `msg_${Date.now()}`,
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: [],
    usage,
  };
  const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn';
  return events([
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
    ...blocks.flatMap(({ start, delta }, index) => [
      { type: 'content_block_start', index, content_block: start },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]);
}

/** Claude Code accepts ids of its own form only. */
export function toolUseId(id: string): string {
  return `toolu_${id}`;
}

export function responsesReply({ text, calls, tokens }: Reply): string {
  const id = `resp_${Date.now()}`;
  const output = [
    ...(text === ''
      ? []
      : [
          {
            type: 'message',
            role: 'assistant',
            id: `${id}_m`,
            content: [{ type: 'output_text', text, annotations: [] }],
          },
        ]),
    ...calls.map(responsesCall),
  ];
  const usage = {
    input_tokens: tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: tokens + 20,
  };
  return events([
    { type: 'response.created', response: { id } },
    ...output.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
    { type: 'response.completed', response: { id, status: 'completed', output, usage } },
  ]);
}

function responsesCall({ id, name, input, custom }: MadeCall) {
  const own = { call_id: id, name, id: `item_${id}` };
  return custom === true
    ? { type: 'custom_tool_call', ...own, input }
    : { type: 'function_call', ...own, arguments: JSON.stringify(input) };
}

export function chatReply({ text, calls, tokens }: Reply): string {
  const chunk = (delta: unknown, finish_reason: string | null) => ({
    id: 'chat',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, delta, finish_reason }],
  });
  const tool_calls = calls.map(({ id, name, input }, index) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const usage = { prompt_tokens: tokens, completion_tokens: 20, total_tokens: tokens + 20 };
  const chunks = [
    chunk({ role: 'assistant', content: text }, null),
    ...(calls.length === 0 ? [] : [chunk({ tool_calls }, null)]),
    { ...chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'), usage },
  ];
  return `${chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')}data: [DONE]\n\n`;
}

export function geminiReply({ text, calls, tokens }: Reply, form: 'stream' | 'whole'): string {
  const parts = [
    ...(text === '' ? [] : [{ text }]),
    ...calls.map(({ name, input }) => ({ functionCall: { name, args: input } })),
  ];
  const body = {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: tokens, candidatesTokenCount: 20, totalTokenCount: tokens + 20 },
    modelVersion: 'scripted',
  };
  return form === 'whole' ? JSON.stringify(body) : `data: ${JSON.stringify(body)}\r\n\r\n`;
}

function events(list: readonly Event[]): string {
  return list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

type Event = { readonly type: string; readonly [field: string]: unknown };
