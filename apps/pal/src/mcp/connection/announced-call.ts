import { isDeepStrictEqual } from 'node:util';
import type { Client } from '@palimpsest/protocol';
import { said } from '../../face/client.js';
import { type CallFacts, isSameTool } from './call-facts.js';

/** Who asks: the call is recorded under these names. */
export type Caller = { readonly session: string; readonly callId: string };

export type SoughtCall = {
  readonly tool: string;
  readonly facts: CallFacts;
  /** The arguments of a call that writes, as they came; null for one that only reads. */
  readonly asked: Readonly<Record<string, unknown>> | null;
};

/**
 * A client with hooks announces a call before it sends it to us: then it is that call, and not a second one that does
 * the same. It is known by a name that the client gives both times or, if it gives none, by being open and asking for
 * exactly the same; a mere read that somebody else announced must not count as ours, so there a name is needed.
 */
export async function announcedCall(client: Client, sought: SoughtCall): Promise<Caller | null> {
  const { facts, asked } = sought;
  if (facts.session !== null || facts.callId !== null) return byName(client, sought);
  return asked === null ? null : byInput(client, sought.tool, asked);
}

async function byName(client: Client, { tool, facts: { session, callId } }: SoughtCall): Promise<Caller | null> {
  const { openCalls } = said(await client.status());
  const same = openCalls.filter(
    (call) =>
      isSameTool(call.tool, tool) &&
      (callId === null || call.callId === callId) &&
      (session === null || call.session === session),
  );
  return same.length === 1 ? { session: same[0]!.session, callId: same[0]!.callId } : null;
}

/** Hooks announce a call right before it comes; further back there is no use in looking. */
const LOOK_BACK = 200;

async function byInput(client: Client, tool: string, asked: object): Promise<Caller | null> {
  const { seq } = said(await client.listOperations({ query: { limit: 1 } }));
  const since = Math.max(0, seq - LOOK_BACK);
  const operations = said(await client.listOperations({ query: { since, limit: LOOK_BACK } }))
    .operations as readonly CallWords[];
  const ended = new Set(operations.filter(({ kind }) => kind === 'call-ended').map(keyOf));
  for (const began of operations.toReversed()) {
    if (began.kind !== 'call-began' || ended.has(keyOf(began)) || !isSameTool(began.tool ?? '', tool)) continue;
    if (isDeepStrictEqual(await inputOf(client, began), asked)) return { session: began.session!, callId: began.call! };
  }
  return null;
}

type CallWords = {
  readonly kind: string;
  readonly session?: string;
  readonly call?: string;
  readonly tool?: string;
  readonly input?: { readonly json: string } | { readonly content: string } | null;
};

function keyOf({ session, call }: CallWords): string {
  return JSON.stringify([session, call]);
}

async function inputOf(client: Client, { input }: CallWords): Promise<unknown> {
  if (input === undefined || input === null) return null;
  return JSON.parse(
    'json' in input
      ? input.json
      : new TextDecoder().decode(said(await client.getContent({ params: { content: input.content } }))),
  );
}
