import type { Seq } from '../ids.js';
import type { Block, Message } from '../message.js';

/** A message as the model gets it. `from`: the messages that it is made of. */
export type EffectiveMessage = { readonly from: readonly Seq[]; readonly message: Message };

/** What a model is told where a history begins with its own words, which no provider takes. */
const BEGINNING = '[the conversation began before this]';

/**
 * The same messages as every provider takes them: user and assistant take turns, the user first; each call has its result in
 * the very next message, before what else stands there, and each result its call; no message and no text is empty; no two
 * calls share an id. What has lost its other half goes.
 */
export function paired(messages: readonly EffectiveMessage[]): readonly EffectiveMessage[] {
  let standing = joined(messages);
  // Whatever goes may leave neighbours of one role, and those a call or a result of which the other half is elsewhere.
  for (let before = Number.POSITIVE_INFINITY; size(standing) < before; ) {
    before = size(standing);
    standing = joined(matchedCalls(standing));
  }
  const [first] = standing;
  if (first?.message.role === 'assistant')
    standing = [{ from: [], message: { role: 'user', blocks: [{ type: 'text', text: BEGINNING }] } }, ...standing];
  return withDistinctCalls(standing);
}

/** Which rules of the providers messages break, in words; none for what `paired` gives. */
export function rulesBroken(messages: readonly Message[]): readonly string[] {
  const broken: string[] = [];
  const seen = new Set<string>();
  messages.forEach(({ role, blocks }, index) => {
    const before = messages[index - 1];
    if (role === 'system') broken.push(`${index} is of the system`);
    if ((before?.role ?? 'assistant') === role) broken.push(`${index} is of the ${role} again`);
    if (!blocks.some(isSubstance)) broken.push(`${index} is empty`);
    if (blocks.some(isEmptyText)) broken.push(`${index} has an empty text`);
    const answers = callsOf(messages[index + 1], 'tool-result');
    const asked = callsOf(before, 'tool-call');
    let isPastResults = false;
    for (const block of blocks) {
      if (block.type === 'tool-call') {
        if (role !== 'assistant' || !answers.includes(block.call)) broken.push(`${index} has a call without result`);
        if (seen.has(block.call)) broken.push(`${index} has a call that was there before`);
        seen.add(block.call);
      }
      if (block.type === 'tool-result') {
        if (role !== 'user' || !asked.includes(block.call)) broken.push(`${index} has a result without call`);
        if (isPastResults) broken.push(`${index} has a result behind something else`);
      } else isPastResults = true;
    }
    if (new Set(callsOf({ role, blocks }, 'tool-result')).size < callsOf({ role, blocks }, 'tool-result').length)
      broken.push(`${index} has two results of one call`);
  });
  return broken;
}

/** Neighbours of one role become one message, and empty ones go. */
function joined(messages: readonly EffectiveMessage[]): readonly EffectiveMessage[] {
  const all: { from: EffectiveMessage['from']; message: Message }[] = [];
  for (const { from, message } of messages) {
    const blocks = message.blocks.filter((block) => !isEmptyText(block));
    if (!blocks.some(isSubstance)) continue;
    const last = all.at(-1);
    if (last?.message.role !== message.role) all.push({ from, message: { ...message, blocks } });
    else all[all.length - 1] = { from: [...last.from, ...from], message: merged(last.message, blocks) };
  }
  return all;
}

function merged({ role, blocks }: Message, more: readonly Block[]): Message {
  return { role, blocks: [...blocks, ...more] };
}

function matchedCalls(messages: readonly EffectiveMessage[]): readonly EffectiveMessage[] {
  return messages.map(({ from, message }, index) => {
    const { role, blocks } = message;
    if (role === 'assistant') {
      const answers = new Set(callsOf(messages[index + 1]?.message, 'tool-result'));
      return { from, message: { role, blocks: onlyOnce(blocks, 'tool-call', answers) } };
    }
    const asked = new Set(callsOf(messages[index - 1]?.message, 'tool-call'));
    const kept = onlyOnce(blocks, 'tool-result', asked);
    const results = kept.filter(({ type }) => type === 'tool-result');
    return { from, message: { role, blocks: [...results, ...kept.filter(({ type }) => type !== 'tool-result')] } };
  });
}

/** Of calls, or results, the first of each that has its other half; of results the last, which is the settled one. */
function onlyOnce(blocks: readonly Block[], type: CallType, wanted: ReadonlySet<string>): readonly Block[] {
  const other = type === 'tool-call' ? 'tool-result' : 'tool-call';
  const ids = blocks.map((block) => (block.type === type ? block.call : null));
  return blocks.filter((block, index) => {
    if (block.type === other) return false;
    if (block.type !== type) return true;
    const place = type === 'tool-call' ? ids.indexOf(block.call) : ids.lastIndexOf(block.call);
    return wanted.has(block.call) && place === index;
  });
}

/** A later call by an id that was used before gets another, and so does its result. */
function withDistinctCalls(messages: readonly EffectiveMessage[]): readonly EffectiveMessage[] {
  const seen = new Set<string>();
  let names = new Map<string, string>();
  return messages.map(({ from, message }) => {
    const { role, blocks } = message;
    if (role === 'user') {
      const renamed = names;
      const told = blocks.map((block) =>
        block.type === 'tool-result' ? { ...block, call: renamed.get(block.call) ?? block.call } : block,
      );
      return { from, message: { role, blocks: told } };
    }
    names = new Map();
    const named = blocks.map((block) => {
      if (block.type !== 'tool-call') return block;
      let call = block.call;
      for (let n = 2; seen.has(call); n++) call = `${block.call}_${n}`;
      seen.add(call);
      names.set(block.call, call);
      return { ...block, call };
    });
    return { from, message: { role, blocks: named } };
  });
}

type CallType = 'tool-call' | 'tool-result';

function callsOf(message: Message | undefined, type: CallType): readonly string[] {
  return (message?.blocks ?? []).flatMap((block) => (block.type === type ? [block.call] : []));
}

/** Reasoning alone is no message. */
function isSubstance(block: Block): boolean {
  return block.type !== 'reasoning' && !isEmptyText(block);
}

function isEmptyText(block: Block): boolean {
  return block.type === 'text' && block.text.trim() === '';
}

function size(messages: readonly EffectiveMessage[]): number {
  return messages.reduce((sum, { message }) => sum + 1 + message.blocks.length, 0);
}
