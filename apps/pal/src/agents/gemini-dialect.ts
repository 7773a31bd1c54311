import { outputText, type Payload, shownLines, textAt } from './payload.js';

/*
 * How Gemini CLI says what a tool answered. Qwen Code speaks like it.
 */

/** A read that stopped before the end says so, to the person and, above the text, to the model. */
export function shownBy(response: Payload) {
  const head = `${textAt(response, 'returnDisplay') ?? ''}\n${(outputText(response.llmContent) ?? '').slice(0, 400)}`;
  const [, from, to, total] = /\b(?:Read|Showing) lines (\d+)-(\d+) of (\d+)\b/.exec(head) ?? [];
  return shownLines(Number(from), Number(to), Number(total));
}

/** What a person is shown of a command is its bare output; what the model gets is wrapped. */
export function printedBy(response: Payload): string | undefined {
  return textAt(response, 'returnDisplay') || outputText(response.llmContent);
}
