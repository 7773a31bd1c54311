import type { Outcome } from '@palimpsest/core';
import type { Client, ClientFailure } from '@palimpsest/protocol';
import { createClient } from '@palimpsest/protocol/client';
import { PAGE_KEY } from '@palimpsest/protocol/light';
import { pageKey } from './entrance.js';

/** The daemon that served the page, about one of its workspaces. The cookie goes along by itself; there is no token here. */
export function clientOf(workspace?: string): Client {
  return createClient({
    baseUrl: location.origin,
    token: '',
    fetch: (url, { headers, ...request }) =>
      fetch(url, { ...request, headers: { ...headers, [PAGE_KEY]: pageKey() }, credentials: 'same-origin' }),
    ...(workspace === undefined ? {} : { workspace }),
  });
}

/** The answer, or an exception that the nearest `attempt` says to the person. */
export async function answer<T>(asked: Promise<Outcome<T, ClientFailure>>): Promise<T> {
  const outcome = await asked;
  if (outcome.ok) return outcome.value;
  throw new Refused(outcome.error);
}

export class Refused extends Error {
  readonly failure: ClientFailure;

  constructor(failure: ClientFailure) {
    super(failure.error.message);
    this.failure = failure;
  }

  get hint(): string | undefined {
    return this.failure.error.hint;
  }

  /** The daemon does not know this browser any more. */
  get isShutOut(): boolean {
    return this.failure.status === 401;
  }

  /** What was decided on is not what is there. */
  get isOutdated(): boolean {
    return this.failure.status === 409;
  }
}
