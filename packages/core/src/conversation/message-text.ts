import type { Message } from '../message.js';

/** What of a message can be searched: all that was said, asked of tools, and answered by them. */
export function messageText({ blocks }: Message): string {
  const parts: string[] = [];
  for (const block of blocks) {
    switch (block.type) {
      case 'text':
      case 'reasoning':
      case 'tool-result':
        parts.push(block.text);
        break;
      case 'tool-call':
        parts.push(block.tool, ...textsIn(block.input));
        break;
      case 'attachment':
        break;
    }
  }
  return parts.join('\n');
}

/** Every text in a value, names of fields left out: `{"path":"a"}` is found by `a`. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
