import {
  callsIn,
  failed,
  type HistoryName,
  isNestedTooDeeply,
  type KeptJson,
  type MessageAdded,
  type MessageForm,
  type MessageSource,
  type Operation,
  type Outcome,
  ok,
  parseCallId,
  readMessage,
  type Seq,
  type SessionId,
} from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';

/** A message to be kept. */
export type NewMessage = {
  readonly history: HistoryName;
  readonly form: MessageForm;
  /** The message as JSON text, which is kept exactly so; or as a value. */
  readonly json?: string | undefined;
  readonly value?: unknown;
  /** Calls that it is about besides those that it names itself. */
  readonly calls?: readonly string[] | undefined;
  /** The message of the other history that it stands beside: by its seq, or as the nth of those given together with it. */
  readonly beside?: number | { readonly nth: number } | undefined;
  readonly source?: MessageSource | undefined;
  readonly turn?: string | undefined;
  readonly saidAt?: number | undefined;
  readonly summary?: boolean | undefined;
  readonly usage?: MessageAdded['usage'] | undefined;
};

/** A message as it is kept. `json` is null once it was forgotten. */
export type KeptMessage = Omit<MessageAdded, 'kind' | 'body'> & {
  readonly seq: Seq;
  readonly at: number;
  readonly json: string | null;
};

/** The operation that a message becomes, but for where its body is kept. */
export type ParsedMessage = {
  readonly json: string;
  readonly operation: (body: KeptJson, first: number) => MessageAdded;
};

export function parseNewMessage(given: NewMessage, session: SessionId, index: number): Outcome<ParsedMessage, Refusal> {
  const json = given.json ?? JSON.stringify(given.value);
  if (json === undefined) return bad(index, 'has neither json nor a value');
  if (isNestedTooDeeply(json)) return bad(index, 'is nested too deep');
  const value = parsed(json);
  if (value === NOT_JSON) return bad(index, 'is not JSON');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return bad(index, 'is not a JSON object');
  const message = readMessage(given.form, value);
  const calls = [...new Set([...callsIn(message), ...(given.calls ?? [])])].map(parseCallId);
  // What an agent calls by an id that cannot be one of a call was never a call of ours.
  const named = calls.flatMap((call) => (call.ok ? [call.value] : []));
  const { beside, source, turn, saidAt, usage } = given;
  if (saidAt !== undefined && !Number.isFinite(saidAt)) return bad(index, 'has a time that is none');
  return ok({
    json,
    operation: (body, first) => ({
      kind: 'message-added',
      ...{ session, history: given.history, role: message.role, form: given.form, body, calls: named },
      ...(beside === undefined ? {} : { beside: (typeof beside === 'number' ? beside : first + beside.nth) as Seq }),
      ...(source === undefined ? {} : { source }),
      ...(turn === undefined ? {} : { turn }),
      ...(saidAt === undefined ? {} : { saidAt }),
      ...(given.summary === true ? { summary: true as const } : {}),
      ...(usage === undefined ? {} : { usage }),
    }),
  });
}

export function keptMessage(operation: Operation & MessageAdded, json: string | null): KeptMessage {
  const { kind: _, body: __, ...facts } = operation;
  return { ...facts, json };
}

const NOT_JSON = Symbol('not JSON');

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return NOT_JSON;
  }
}

function bad(index: number, why: string): Outcome<never, Refusal> {
  return failed({ code: 'bad-input', why: `message ${index + 1} ${why}` });
}
