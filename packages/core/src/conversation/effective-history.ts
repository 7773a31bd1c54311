import type { Seq } from '../ids.js';
import type { Block, Message, Reduction } from '../message.js';
import { type EffectiveMessage, paired } from './pairing.js';
import { messageTokens, type TokenScale, textTokens } from './tokens.js';

/** A message that stands in the model's history. */
export type HistoryItem = {
  readonly seq: Seq;
  readonly message: Message;
  /** It was made to stand for what was said before it, and is there only while a reduction names it. */
  readonly summary?: boolean;
};

/** What the model gets next. It keeps every provider's rules: see `rulesBroken`. */
export type EffectiveHistory = { readonly system: readonly string[]; readonly messages: readonly EffectiveMessage[] };

/**
 * The history as the model gets it: without what the reductions leave out, and with roles and calls put right. The task, the
 * latest message of the human and the summary stay whatever the reductions say. Nothing is changed by it: with no reductions
 * everything is back.
 */
export function effectiveHistory(items: readonly HistoryItem[], reductions: readonly Reduction[]): EffectiveHistory {
  const kept = keptSeqs(items);
  const summary = reductions.findLast((one) => one.type === 'summary');
  const standing =
    summary === undefined
      ? undefined
      : items.find((item) => item.seq === summary.summary && item.message.role !== 'system');
  const hidden = new Set(reductions.flatMap((one) => (one.type === 'hidden' ? one.messages : [])));
  const results = new Map(reductions.flatMap((one) => ('call' in one ? [[keyOf(one.message, one.call), one]] : [])));
  const chosen: HistoryItem[] = [];
  const system: string[] = [];
  for (const item of items) {
    if (item.message.role === 'system') system.push(...textsOf(item.message));
    else if (!isLeftOut(item, { kept, hidden, upTo: standing === undefined ? 0 : summary!.upTo })) chosen.push(item);
  }
  if (standing !== undefined) {
    const task = chosen.findIndex(({ seq }) => seq === kept.task);
    chosen.splice(task + 1, 0, standing);
  }
  const messages = chosen.map(({ seq, message }) => ({ from: [seq], message: withResults(seq, message, results) }));
  return { system, messages: paired(messages) };
}

export function historyTokens({ system, messages }: EffectiveHistory, scale?: TokenScale): number {
  let tokens = 0;
  for (const text of system) tokens += textTokens(text, scale);
  for (const { message } of messages) tokens += messageTokens(message, scale);
  return tokens;
}

/** What is never left out: the first thing that was asked for, and the last thing that the human said. */
export function keptSeqs(items: readonly HistoryItem[]): { readonly task: Seq | null; readonly latest: Seq | null } {
  const isHumans = ({ message, summary }: HistoryItem) =>
    summary !== true && message.role === 'user' && message.blocks.some((block) => says(block));
  return { task: items.find(isHumans)?.seq ?? null, latest: items.findLast(isHumans)?.seq ?? null };
}

function says(block: Block): boolean {
  return block.type === 'attachment' || (block.type === 'text' && block.text.trim() !== '');
}

type LeftOut = {
  readonly kept: ReturnType<typeof keptSeqs>;
  readonly hidden: ReadonlySet<Seq>;
  readonly upTo: Seq | 0;
};

function isLeftOut({ seq, summary }: HistoryItem, { kept, hidden, upTo }: LeftOut): boolean {
  if (summary === true) return true;
  if (seq === kept.task || seq === kept.latest) return false;
  return hidden.has(seq) || seq <= upTo;
}

type ResultReduction = Extract<Reduction, { readonly call: string }>;

function withResults(seq: Seq, message: Message, results: ReadonlyMap<string, ResultReduction>): Message {
  if (results.size === 0) return message;
  const blocks = message.blocks.map((block) => {
    const reduction = block.type === 'tool-result' ? results.get(keyOf(seq, block.call)) : undefined;
    return block.type !== 'tool-result' || reduction === undefined
      ? block
      : { ...block, text: cut(block.text, reduction) };
  });
  return { ...message, blocks };
}

/** What stands in its place says that something is missing, and never makes it longer. */
function cut(text: string, reduction: ResultReduction): string {
  const shorter = reduction.type === 'superseded' ? SUPERSEDED : headAndTail(text, reduction.chars);
  return shorter.length < text.length ? shorter : text;
}

const SUPERSEDED = '[left out: the file was read again later]';

function headAndTail(text: string, chars: number): string {
  const head = Math.ceil(chars * 0.6);
  const tail = chars - head;
  if (text.length <= chars) return text;
  const left = text.length - head - tail;
  return `${whole(text.slice(0, head), 'end')}\n[… ${left} characters left out …]\n${whole(text.slice(text.length - tail), 'start')}`;
}

/** Without half of a surrogate pair where it was cut. */
function whole(part: string, side: 'start' | 'end'): string {
  return side === 'end' ? part.replace(/[\ud800-\udbff]$/, '') : part.replace(/^[\udc00-\udfff]/, '');
}

function keyOf(seq: Seq, call: string): string {
  return `${seq} ${call}`;
}

function textsOf({ blocks }: Message): readonly string[] {
  return blocks.flatMap((block) => (block.type === 'text' && block.text.trim() !== '' ? [block.text] : []));
}
