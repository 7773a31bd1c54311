import type { Outcome } from '@palimpsest/core';
import { type ClientFailure, failureOfAnswer } from './client-failure.js';
import { chunksOf, type ResponseLike } from './fetch-like.js';
import type { OperationJson } from './json/operation-json.js';
import { LAST_EVENT_ID, type RequestParts } from './light.js';
import { EventParser, type ServerEvent } from './sse.js';

export type EventsOptions = {
  /** Operations after this one are told first; without it, only what happens from now on. */
  readonly since?: number;
  readonly signal?: AbortSignal;
};

/**
 * - `connected`: what follows comes after `seq`.
 * - `reset`: what lies between cannot be told; look at everything anew, then go on from `seq`.
 * - `disconnected`: nothing is missed by it, because coming back replays.
 * - `failed`: coming back is of no use; it is the last event.
 */
export type ClientEvent =
  | { readonly kind: 'connected'; readonly seq: number }
  | { readonly kind: 'operation'; readonly seq: number; readonly operation: OperationJson }
  | { readonly kind: 'reset'; readonly seq: number }
  | { readonly kind: 'disconnected' }
  | { readonly kind: 'failed'; readonly failure: ClientFailure };

export type Connect = (parts: RequestParts) => Promise<Outcome<ResponseLike, ClientFailure>>;

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/** Follows the events of a workspace over any number of connections; every operation is given once and in order. */
export async function* followEvents(
  connect: Connect,
  { since, signal }: EventsOptions,
): AsyncGenerator<ClientEvent, void, void> {
  const place: Place = { last: since ?? null };
  for (let waitMs = FIRST_WAIT_MS; !aborted(signal); waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    const response = await connect(partsAt(place, signal));
    if (response.ok && response.value.status !== 200) {
      const failure = failureOfAnswer(response.value.status, await textOf(response.value));
      if (!PASSING.has(response.value.status)) {
        yield { kind: 'failed', failure };
        return;
      }
    } else if (response.ok) {
      waitMs = FIRST_WAIT_MS;
      yield* readEvents(response.value, place, signal);
      if (aborted(signal)) return;
      yield { kind: 'disconnected' };
    } else if (response.error.status !== null && !PASSING.has(response.error.status)) {
      yield { kind: 'failed', failure: response.error };
      return;
    }
    await pause(waitMs, signal);
  }
}

/** Where the reader is; null until the daemon has said. */
type Place = { last: number | null };

/** A daemon that is stopping is soon followed by another. */
const PASSING: ReadonlySet<number> = new Set([502, 503, 504]);

function partsAt({ last }: Place, signal: AbortSignal | undefined): RequestParts {
  return {
    ...(last === null ? {} : { headers: { [LAST_EVENT_ID]: String(last) } }),
    ...(signal === undefined ? {} : { signal }),
  };
}

async function* readEvents(
  response: ResponseLike,
  place: Place,
  signal: AbortSignal | undefined,
): AsyncGenerator<ClientEvent, void, void> {
  if (response.body === null) return;
  const parser = new EventParser();
  const decoder = new TextDecoder();
  try {
    for await (const chunk of chunksOf(response.body)) {
      for (const event of parser.push(decoder.decode(chunk, { stream: true }))) {
        const told = eventOf(event, place);
        if (told === 'resync') return;
        if (told !== null) yield told;
      }
      if (aborted(signal)) return;
    }
  } catch (error) {
    // A connection that breaks is what coming back is for; anything else is a bug.
    if (error instanceof SyntaxError) throw error;
  }
}

function eventOf({ event, data, id }: ServerEvent, place: Place): ClientEvent | 'resync' | null {
  const seq = Number(id);
  switch (event) {
    case 'operation': {
      if (place.last !== null && seq <= place.last) return null;
      place.last = seq;
      return { kind: 'operation', seq, operation: JSON.parse(data) as OperationJson };
    }
    case 'hello':
      place.last ??= seq;
      return { kind: 'connected', seq };
    case 'reset':
      place.last = seq;
      return { kind: 'reset', seq };
    case 'resync':
      return 'resync';
    default:
      return null;
  }
}

async function textOf(response: ResponseLike): Promise<string> {
  try {
    return await response.text();
  } catch {
    return ''; // The status alone has to do.
  }
}

function aborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted ?? false;
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
}
