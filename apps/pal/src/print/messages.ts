import type { MessageJson, SearchHitJson } from '@palimpsest/protocol';
import { hanging } from './folded.js';
import { harmless, harmlessLines } from './harmless.js';
import type { Paint } from './paint.js';
import type { Style } from './style.js';
import { ago } from './time.js';

export function messagesText(messages: readonly MessageJson[], style: Style): string {
  return messages.map((message) => messageText(message, style)).join('\n\n');
}

function messageText({ id, role, history, blocks, json, at }: MessageJson, { paint, now }: Style): string {
  const head = `${paint.name(String(id))} ${paint.strong(role)} ${paint.quiet(`${history}, ${ago(at, now)}`)}`;
  const told = blocks.map((block) => blockText(block, paint));
  return [head, ...(json === null ? ['[forgotten]'] : told)].join('\n');
}

function blockText({ type, ...block }: MessageJson['blocks'][number], paint: Paint): string {
  switch (type) {
    case 'text':
      return harmlessLines(textOf(block.text));
    case 'reasoning':
      return paint.quiet(harmlessLines(textOf(block.text)));
    case 'tool-call':
      return `· ${harmless(textOf(block.tool))} ${harmless(JSON.stringify(block.input) ?? '')}`;
    case 'tool-result':
      return `→ ${harmlessLines(textOf(block.text))}`;
    case 'attachment':
      return `[${harmless(textOf(block.what))}]`;
  }
}

export function hitsText(hits: readonly SearchHitJson[], { paint, now, width }: Style): string {
  if (hits.length === 0) return 'nothing that was said has these words';
  return hits
    .map(({ id, session, what, role, at, excerpt, abandoned }) => {
      const who = what === 'message' ? role : what;
      const left = abandoned ? ', in a branch that was left' : '';
      const head = `${paint.name(`${id}`)} ${harmless(session)} ${paint.quiet(`${who}, ${ago(at, now)}${left}`)}`;
      return `${head}\n${hanging('    ', harmless(excerpt), width)}`;
    })
    .join('\n');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
