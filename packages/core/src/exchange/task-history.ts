import { isNestedTooDeeply } from '../json-nesting.js';
import type { HistoryName, Message, MessageForm } from '../message.js';
import { failed, type Outcome, ok } from '../outcome.js';
import { isJsonObject, type JsonObject } from './json.js';
import { type JsonArrayText, splitJsonArray } from './json-array.js';

/** The files of a task folder that hold what was said. The last is from before the first two had their names. */
export const MODEL_FILE = 'api_conversation_history.json';
export const HUMAN_FILE = 'ui_messages.json';
export const LEGACY_FILE = 'claude_messages.json';
export const HISTORY_ITEM_FILE = 'history_item.json';
export const TASK_METADATA_FILE = 'task_metadata.json';

/** What a file of a task folder holds of a conversation. */
export type TaskHistory = {
  readonly history: HistoryName;
  readonly form: MessageForm;
  readonly text: JsonArrayText;
  readonly messages: readonly TaskMessage[];
};

export type TaskMessage = {
  /** Exactly as it stands in the file. */
  readonly json: string;
  /** Milliseconds since the epoch. */
  readonly saidAt: number | null;
  readonly summary: boolean;
  /** The place of the message for the model that one for the human stands beside. */
  readonly besideIndex: number | null;
};

/** Why nothing was taken from a file: it is kept aside. An empty list is what a crash leaves, and nobody's history. */
export type Damage = 'empty' | 'not JSON' | 'not a list of messages';

/** Null for a file that holds no conversation. */
export function readTaskHistory(name: string, text: string): Outcome<TaskHistory, Damage> | null {
  if (name !== MODEL_FILE && name !== HUMAN_FILE && name !== LEGACY_FILE) return null;
  if (text.trim() === '') return failed('empty');
  const split = splitJsonArray(text, 'messages');
  if (!split.ok) return failed(split.error.code === 'not-json' ? 'not JSON' : 'not a list of messages');
  const { items } = split.value;
  if (items.length === 0) return failed('empty');
  if (items.some((item) => isNestedTooDeeply(item))) return failed('not a list of messages');
  const values = items.map((item) => JSON.parse(item) as unknown);
  if (!values.every(isJsonObject)) return failed('not a list of messages');
  const history = historyIn(name, values);
  const form = history === 'human' ? 'roo-ui' : values.some(isOfAiSdk) ? 'ai-sdk' : 'anthropic';
  const messages = values.map((value, index) => ({
    json: items[index]!,
    saidAt: typeof value.ts === 'number' && Number.isFinite(value.ts) ? value.ts : null,
    summary: history === 'model' && value.isSummary === true,
    besideIndex: history === 'human' ? besideOf(value) : null,
  }));
  return ok({ history, form, text: split.value, messages });
}

/** Roo wrote the model's history under the old name, Cline the human's: what stands in it tells. */
function historyIn(name: string, values: readonly JsonObject[]): HistoryName {
  if (name === MODEL_FILE) return 'model';
  if (name === HUMAN_FILE) return 'human';
  return values.some(({ role }) => typeof role === 'string') ? 'model' : 'human';
}

function isOfAiSdk({ role, content }: JsonObject): boolean {
  if (role === 'tool') return true;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  return parts.some((part) => isJsonObject(part) && (part.type === 'tool-call' || part.type === 'tool-result'));
}

/** Cline counts from 0, and -1 is from before the first; Roo has no such field. */
function besideOf({ conversationHistoryIndex: index }: JsonObject): number | null {
  return typeof index === 'number' && Number.isInteger(index) && index >= 0 ? index : null;
}

/** A message of ours as those programs write the model's: Anthropic's form, with the time. */
export function taskModelJson(message: Message, content: readonly unknown[], saidAt: number): string {
  const role = message.role === 'assistant' ? 'assistant' : 'user';
  return JSON.stringify({ role, content, ts: saidAt });
}

/** A message as those programs show it: what was asked for first, what was said to it later, and what it said and did. */
export function taskHumanJson(message: Message, saidAt: number, isFirst: boolean): readonly string[] {
  const say = message.role === 'user' && !isFirst ? 'user_feedback' : 'text';
  return message.blocks.flatMap((block) =>
    shownBlock(block, say).map((said) => JSON.stringify({ ts: saidAt, ...said })),
  );
}

function shownBlock(block: Message['blocks'][number], say: string): readonly object[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [{ type: 'say', say, text: block.text }];
    case 'reasoning':
      return block.text === '' ? [] : [{ type: 'say', say: 'reasoning', text: block.text }];
    case 'tool-call': {
      const input = isJsonObject(block.input) ? block.input : { input: block.input };
      return [{ type: 'say', say: 'tool', text: JSON.stringify({ ...input, tool: block.tool }) }];
    }
    case 'tool-result':
    case 'attachment':
      return [];
  }
}
