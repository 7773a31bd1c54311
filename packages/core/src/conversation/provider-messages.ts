import type { Block, Message } from '../message.js';
import type { EffectiveHistory } from './effective-history.js';

type Json = Readonly<Record<string, unknown>>;

/** As Anthropic's Messages API takes it. */
export function anthropicRequest({ system, messages }: EffectiveHistory): {
  readonly system: string;
  readonly messages: readonly Json[];
} {
  const told = messages.map(({ message }) => ({
    role: message.role,
    content: message.blocks.flatMap(anthropicBlock),
  }));
  return { system: system.join('\n\n'), messages: told };
}

/** As OpenAI's Chat Completions API takes it, and the servers that are compatible with it. */
export function openaiMessages({ system, messages }: EffectiveHistory): readonly Json[] {
  const first = system.length === 0 ? [] : [{ role: 'system', content: system.join('\n\n') }];
  return [...first, ...messages.flatMap(({ message }) => openaiTurn(message))];
}

function anthropicBlock(block: Block): readonly Json[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }];
    case 'reasoning':
      if (block.sealed !== undefined) return [{ type: 'redacted_thinking', data: block.sealed }];
      // Without its signature the provider takes it for a forgery.
      return block.signature === undefined
        ? []
        : [{ type: 'thinking', thinking: block.text, signature: block.signature }];
    case 'tool-call':
      return [{ type: 'tool_use', id: block.call, name: block.tool, input: objectOf(block.input) }];
    case 'tool-result': {
      const failed = block.outcome === 'failed' ? { is_error: true } : {};
      return [{ type: 'tool_result', tool_use_id: block.call, content: block.text, ...failed }];
    }
    case 'attachment':
      return block.what === 'image' || block.what === 'document' ? [rawOf(block)] : [placeholder(block)];
  }
}

function openaiTurn({ role, blocks }: Message): readonly Json[] {
  const results = blocks.flatMap((block) =>
    block.type === 'tool-result' ? [{ role: 'tool', tool_call_id: block.call, content: block.text }] : [],
  );
  const calls = blocks.flatMap((block) =>
    block.type === 'tool-call'
      ? [
          {
            id: block.call,
            type: 'function',
            function: { name: block.tool, arguments: JSON.stringify(objectOf(block.input)) },
          },
        ]
      : [],
  );
  const said = blocks.flatMap((block) => {
    if (block.type === 'text') return [{ type: 'text', text: block.text }];
    if (block.type !== 'attachment') return [];
    return block.what === 'image_url' ? [rawOf(block)] : [placeholder(block)];
  });
  const texts = said.every(({ type }) => type === 'text') ? said.map((part) => part.text).join('\n\n') : said;
  const own = said.length === 0 && calls.length === 0 ? [] : [{ role, content: said.length === 0 ? null : texts }];
  return [...results, ...own.map((one) => (calls.length === 0 ? one : { ...one, tool_calls: calls }))];
}

function rawOf(block: Extract<Block, { readonly type: 'attachment' }>): Json {
  return typeof block.raw === 'object' && block.raw !== null ? (block.raw as Json) : placeholder(block);
}

function placeholder({ what }: { readonly what: string }): Json {
  return { type: 'text', text: `[${what}]` };
}

/** Providers want an object. */
function objectOf(input: unknown): unknown {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input;
  return input === undefined || input === null || input === '' ? {} : { input };
}
