import { outputText, type Payload, payloadOf, textAt } from './payload.js';
import { bounded, boundedInput, listOf, type TranscriptBlock, textBlock } from './transcript.js';

/** The content of a message as the API of Anthropic has it, which other agents write down too. */
export function anthropicBlocks(content: unknown): readonly TranscriptBlock[] {
  if (typeof content === 'string') return textBlock(content);
  return listOf(content).map(payloadOf).flatMap(blockOf);
}

function blockOf(block: Payload): readonly TranscriptBlock[] {
  const type = textAt(block, 'type') ?? 'unknown';
  switch (type) {
    case 'text':
      return textBlock(textAt(block, 'text'));
    case 'thinking': {
      const text = textAt(block, 'thinking') ?? '';
      return text === '' ? [] : [{ type: 'reasoning', text: bounded(text) }];
    }
    case 'tool_use': {
      const [call, tool] = [textAt(block, 'id'), textAt(block, 'name')];
      if (call === undefined || tool === undefined) return [];
      return [{ type: 'tool-call', call, tool, input: boundedInput(block.input) }];
    }
    case 'tool_result': {
      const call = textAt(block, 'tool_use_id');
      return call === undefined ? [] : [resultOf(call, block)];
    }
    default:
      return [{ type: 'attachment', what: type }];
  }
}

function resultOf(call: string, block: Payload): TranscriptBlock {
  const parts = listOf(block.content).map(payloadOf);
  const errors = parts.flatMap((part) => textAt(part, 'error') ?? []);
  const text = [outputText(block.content) ?? '', ...errors].filter((part) => part !== '').join('\n');
  const failed = block.is_error === true || parts.some((part) => part.success === false);
  return { type: 'tool-result', call, text: bounded(text), outcome: failed ? 'failed' : 'ok' };
}
