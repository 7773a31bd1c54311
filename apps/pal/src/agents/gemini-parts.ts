import { outputText, type Payload, payloadOf, textAt } from './payload.js';
import { bounded, boundedInput, listOf, type TranscriptBlock, textBlock } from './transcript.js';

/** The content of a message as the API of Gemini has it; Qwen Code writes the same. */
export function geminiBlocks(content: unknown): readonly TranscriptBlock[] {
  if (typeof content === 'string') return textBlock(content);
  return listOf(content).map(payloadOf).flatMap(blockOf);
}

function blockOf(part: Payload): readonly TranscriptBlock[] {
  if (part.functionCall !== undefined) return callOf(payloadOf(part.functionCall));
  if (part.functionResponse !== undefined) return responseOf(payloadOf(part.functionResponse));
  const text = textAt(part, 'text');
  if (text === undefined) return [{ type: 'attachment', what: Object.keys(part)[0] ?? 'unknown' }];
  if (part.thought === true) return text === '' ? [] : [{ type: 'reasoning', text: bounded(text) }];
  return textBlock(text);
}

function callOf(call: Payload): readonly TranscriptBlock[] {
  const [id, tool] = [textAt(call, 'id'), textAt(call, 'name')];
  if (id === undefined || tool === undefined) return [];
  return [{ type: 'tool-call', call: id, tool, input: boundedInput(call.args) }];
}

function responseOf(answer: Payload): readonly TranscriptBlock[] {
  const call = textAt(answer, 'id');
  if (call === undefined) return [];
  const response = payloadOf(answer.response);
  const error = outputText(response.error);
  const text = error ?? outputText(response) ?? '';
  return [{ type: 'tool-result', call, text: bounded(text), outcome: error === undefined ? 'ok' : 'failed' }];
}
