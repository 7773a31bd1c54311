import type { Block, Message, MessageForm, MessageRole } from '../message.js';

/**
 * What a kept message says, in our one form. It never fails: a value of another shape than the form promises becomes an
 * attachment that names it, so that nothing is passed over in silence.
 */
export function readMessage(form: MessageForm, value: unknown): Message {
  if (!isRecord(value)) return { role: 'user', blocks: [{ type: 'attachment', what: 'not a message' }] };
  switch (form) {
    case 'blocks':
      return { role: roleOf(value.role), blocks: listOf(value.blocks).map(ownBlock) };
    case 'anthropic':
    case 'ai-sdk':
      // A thought that stands alone, as the API of OpenAI has them.
      if (value.role === undefined && value.type === 'reasoning')
        return { role: 'assistant', blocks: [{ type: 'reasoning', text: summaryTexts(value.summary) }] };
      return { role: roleOf(value.role), blocks: anthropicBlocks(value.content) };
    case 'openai':
      return openaiMessage(value);
    case 'roo-ui':
      return rooMessage(value);
  }
}

/** The ids of the calls that a message asks for or answers, each once. */
export function callsIn({ blocks }: Message): readonly string[] {
  const calls = blocks.flatMap((block) =>
    block.type === 'tool-call' || block.type === 'tool-result' ? [block.call] : [],
  );
  return [...new Set(calls)].filter((call) => call !== '');
}

type Fields = Readonly<Record<string, unknown>>;

function ownBlock(value: unknown): Block {
  if (!isRecord(value)) return unknownBlock(value);
  const { type, text, call, tool, input, outcome, what } = value;
  switch (type) {
    case 'text':
      return { type, text: textOf(text) };
    case 'reasoning':
      return { type, text: textOf(text), ...given('signature', value.signature), ...given('sealed', value.sealed) };
    case 'tool-call':
      return { type, call: textOf(call), tool: textOf(tool), input };
    case 'tool-result':
      return { type, call: textOf(call), text: textOf(text), outcome: outcome === 'failed' ? 'failed' : 'ok' };
    default:
      return { type: 'attachment', what: textOf(what ?? type), ...('raw' in value ? { raw: value.raw } : {}) };
  }
}

function anthropicBlocks(content: unknown): readonly Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content).flatMap(anthropicBlock);
}

function anthropicBlock(value: unknown): readonly Block[] {
  if (!isRecord(value)) return [unknownBlock(value)];
  switch (value.type) {
    case 'text':
      return [{ type: 'text', text: textOf(value.text) }];
    case 'thinking':
    case 'reasoning':
      return [
        { type: 'reasoning', text: textOf(value.thinking ?? value.text), ...given('signature', value.signature) },
      ];
    case 'redacted_thinking':
      return [{ type: 'reasoning', text: '', ...given('sealed', value.data) }];
    case 'tool_use':
    case 'server_tool_use':
      return [{ type: 'tool-call', call: textOf(value.id), tool: textOf(value.name), input: value.input }];
    case 'tool-call':
      return [
        {
          type: 'tool-call',
          call: textOf(value.toolCallId),
          tool: textOf(value.toolName),
          input: value.input ?? value.args,
        },
      ];
    case 'tool-result':
      return [aiSdkResult(value)];
    case 'tool_result': {
      const { text, others } = resultText(value.content);
      const outcome = value.is_error === true ? 'failed' : 'ok';
      return [{ type: 'tool-result', call: textOf(value.tool_use_id), text, outcome }, ...others];
    }
    default:
      return [unknownBlock(value)];
  }
}

/** Its output is `{type, value}`, the type saying whether it failed; in older versions a bare value. */
function aiSdkResult({ toolCallId, output, result }: Fields): Block {
  const { type, value } = isRecord(output) ? output : { type: 'json', value: output ?? result };
  const outcome = typeof type === 'string' && type.startsWith('error') ? 'failed' : 'ok';
  const text = Array.isArray(value) ? textsIn(anthropicBlocks(value)) : textOf(value);
  return { type: 'tool-result', call: textOf(toolCallId), text, outcome };
}

function summaryTexts(summary: unknown): string {
  return listOf(summary)
    .map((part) => (isRecord(part) ? textOf(part.text) : textOf(part)))
    .join('\n');
}

/** A result is a text, or blocks of which some may be images. */
function resultText(content: unknown): { readonly text: string; readonly others: readonly Block[] } {
  const blocks = anthropicBlocks(content ?? '');
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return { text: texts.join('\n'), others: blocks.filter(({ type }) => type !== 'text') };
}

function openaiMessage(value: Fields): Message {
  const { role, content, tool_calls: calls, tool_call_id: answered, reasoning_content: thought } = value;
  if (role === 'tool' || role === 'function') {
    const text = textsIn(openaiParts(content));
    const call = textOf(answered ?? value.name);
    return { role: 'user', blocks: [{ type: 'tool-result', call, text, outcome: 'ok' }] };
  }
  const reasoning: readonly Block[] = typeof thought === 'string' ? [{ type: 'reasoning', text: thought }] : [];
  const asked = listOf(calls).map((call): Block => {
    const { id, function: named } = isRecord(call) ? call : {};
    const { name, arguments: input } = isRecord(named) ? named : {};
    return { type: 'tool-call', call: textOf(id), tool: textOf(name), input: parsedInput(input) };
  });
  return { role: roleOf(role), blocks: [...reasoning, ...openaiParts(content), ...asked] };
}

function openaiParts(content: unknown): readonly Block[] {
  if (content === null || content === undefined) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return listOf(content).map((part) => {
    if (!isRecord(part)) return unknownBlock(part);
    const { type, text, refusal } = part;
    const isText = type === 'text' || type === 'input_text' || type === 'output_text' || type === 'refusal';
    return isText ? { type: 'text', text: textOf(text ?? refusal) } : unknownBlock(part);
  });
}

/** Arguments are JSON as a text; what is not stays a text. */
function parsedInput(input: unknown): unknown {
  if (typeof input !== 'string') return input ?? {};
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

/** What the human sees: `say` and `ask` name what it is, `text` is often JSON of its own. */
function rooMessage({ type, say, ask, text, reasoning, images }: Fields): Message {
  const kind = textOf(type === 'ask' ? ask : say);
  const isHumans = kind === 'user_feedback' || kind === 'user_feedback_diff' || kind === 'task';
  const isThought = kind === 'reasoning';
  const said = textOf(text);
  const blocks: Block[] = [];
  if (typeof reasoning === 'string') blocks.push({ type: 'reasoning', text: reasoning });
  if (said !== '') blocks.push({ type: isThought ? 'reasoning' : 'text', text: said });
  for (const _ of listOf(images)) blocks.push({ type: 'attachment', what: 'image' });
  return { role: isHumans ? 'user' : 'assistant', blocks };
}

function textsIn(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function unknownBlock(value: unknown): Block {
  const what = isRecord(value) && typeof value.type === 'string' ? value.type : 'unknown';
  return { type: 'attachment', what, ...(isRecord(value) ? { raw: value } : {}) };
}

function given<Name extends string>(name: Name, value: unknown): { readonly [Key in Name]?: string } {
  return typeof value === 'string' ? ({ [name]: value } as { readonly [Key in Name]?: string }) : {};
}

function roleOf(role: unknown): MessageRole {
  if (role === 'assistant' || role === 'model') return 'assistant';
  return role === 'system' || role === 'developer' ? 'system' : 'user';
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
