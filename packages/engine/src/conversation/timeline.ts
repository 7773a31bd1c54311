import {
  type CallEnded,
  type CheckpointId,
  type CheckpointReason,
  checkpointId,
  type Message,
  type Operation,
  readMessage,
  type Seq,
  type SessionId,
} from '@palimpsest/core';
import type { LiveLog } from '../store/live-log.js';
import type { Messages } from './messages.js';

/** What happened in a session, one thing after the other, as far as a person wants to read it. */
export type TimelineEntry = { readonly seq: Seq; readonly at: number } & (
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'message'; readonly role: Message['role']; readonly text: string; readonly summary: boolean }
  | {
      readonly kind: 'call';
      readonly call: string;
      readonly tool: string;
      /** The files that it names, or what else says what it was for. */
      readonly about: string;
      readonly outcome: 'ok' | 'failed' | 'expired' | 'denied' | null;
      /** The message that asked for it. */
      readonly message?: Seq;
    }
  | { readonly kind: 'checkpoint'; readonly checkpoint: CheckpointId; readonly reason: CheckpointReason }
  | { readonly kind: 'restored'; readonly checkpoint: CheckpointId }
);

/** Checkpoints that stand beside every call say nothing more than the call. */
const TOLD_CHECKPOINTS: ReadonlySet<CheckpointReason> = new Set(['manual', 'rescue', 'prompt']);

/** In the order in which things were said and done, which may be another than that in which we heard of them. */
export async function timelineOf(
  session: SessionId,
  { live, messages }: { readonly live: LiveLog; readonly messages: Messages },
): Promise<readonly TimelineEntry[]> {
  const kinds = ['prompted', 'call-began', 'call-ended', 'checkpoint-saved'] as const;
  const operations = live.log.find({ kinds, session });
  const restored = live.log
    .find({ kinds: ['restored'] })
    .filter((one) => one.kind === 'restored' && one.conversation?.session === session);
  const ends = new Map<string, CallEnded['outcome']>();
  for (const one of operations) if (one.kind === 'call-ended') ends.set(one.call, one.outcome);
  const entries = operations.flatMap((operation) => entryOf(operation, ends));
  for (const one of restored)
    if (one.kind === 'restored')
      entries.push({ kind: 'restored', seq: one.seq, at: one.at, checkpoint: one.checkpoint });
  const said = await saidMessages(session, messages);
  entries.push(...saidIn(said, entries));
  const asked = askedIn(said);
  return entries.map((entry) => withMessage(entry, asked)).sort((a, b) => a.at - b.at || a.seq - b.seq);
}

function entryOf(operation: Operation, ends: ReadonlyMap<string, CallEnded['outcome']>): readonly TimelineEntry[] {
  const { seq, at } = operation;
  switch (operation.kind) {
    case 'prompted':
      return [{ kind: 'prompt', seq, at, text: operation.text }];
    case 'call-began': {
      const { call, tool, names, input, decision } = operation;
      const outcome = decision === 'deny' ? 'denied' : (ends.get(call) ?? null);
      const about =
        names.length > 0 ? names.join(' ') : aboutInput(input !== null && 'json' in input ? input.json : '');
      return [{ kind: 'call', seq, at, call, tool, about, outcome }];
    }
    case 'checkpoint-saved':
      return TOLD_CHECKPOINTS.has(operation.reason) && operation.replaces === undefined
        ? [{ kind: 'checkpoint', seq, at, checkpoint: checkpointId(seq), reason: operation.reason }]
        : [];
    default:
      return [];
  }
}

type Said = { readonly seq: Seq; readonly at: number; readonly message: Message; readonly summary: boolean };

/** What the model got says most; where only what the human sees was kept, that. */
async function saidMessages(session: SessionId, messages: Messages): Promise<readonly Said[]> {
  const all = await messages.read(session);
  const model = all.filter(({ history }) => history === 'model');
  return (model.length > 0 ? model : all).flatMap(({ seq, at, saidAt, form, json, summary }) =>
    json === null
      ? []
      : [{ seq, at: saidAt ?? at, message: readMessage(form, JSON.parse(json)), summary: summary === true }],
  );
}

/** By a call, the message that asked for it. */
function askedIn(all: readonly Said[]): ReadonlyMap<string, Seq> {
  const asked = new Map<string, Seq>();
  for (const { seq, message } of all)
    for (const block of message.blocks) if (block.type === 'tool-call') asked.set(block.call, seq);
  return asked;
}

function withMessage(entry: TimelineEntry, asked: ReadonlyMap<string, Seq>): TimelineEntry {
  const message = entry.kind === 'call' ? asked.get(entry.call) : undefined;
  return entry.kind === 'call' && message !== undefined ? { ...entry, message } : entry;
}

/** Without what is told already: prompts that hooks announced, and calls that were recorded as they ran. */
function saidIn(all: readonly Said[], told: readonly TimelineEntry[]): readonly TimelineEntry[] {
  const prompts = new Set(told.flatMap((entry) => (entry.kind === 'prompt' ? [entry.text.trim()] : [])));
  const calls = new Set(told.flatMap((entry) => (entry.kind === 'call' ? [entry.call] : [])));
  const outcomes = new Map(
    all.flatMap(({ message }) =>
      message.blocks.flatMap((block) => (block.type === 'tool-result' ? [[block.call, block.outcome] as const] : [])),
    ),
  );
  return all.flatMap(({ seq, at, message, summary }) => {
    const texts = message.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    const text = texts.join('\n\n').trim();
    const isTold = text === '' || (message.role === 'user' && [text, ...texts].some((one) => prompts.has(one.trim())));
    const entries: TimelineEntry[] = isTold ? [] : [{ kind: 'message', seq, at, role: message.role, text, summary }];
    for (const block of message.blocks) {
      if (block.type !== 'tool-call' || calls.has(block.call)) continue;
      const about = aboutInput(JSON.stringify(block.input) ?? '');
      const { call, tool } = block;
      entries.push({ kind: 'call', seq, at, call, tool, about, outcome: outcomes.get(call) ?? null });
    }
    return entries;
  });
}

const TELLING = ['command', 'file_path', 'path', 'pattern', 'query', 'url', 'description'];

/** The field of an input that says what the call is for. */
function aboutInput(json: string): string {
  if (json === '') return '';
  const input = JSON.parse(json) as unknown;
  if (typeof input !== 'object' || input === null) return typeof input === 'string' ? input : '';
  const fields = input as Readonly<Record<string, unknown>>;
  const told = TELLING.map((name) => fields[name]).find((value) => typeof value === 'string');
  return typeof told === 'string' ? told : '';
}
