/**
 * What a hook needs to talk to the daemon, and nothing that takes time to load: no schemas. The full client is built on
 * it.
 */

import type { FetchLike, ResponseLike } from './fetch-like.js';
import { ENDPOINTS, type EndpointName, type PathParams, pathOf, type QueryParams } from './routes/endpoints.js';

export type { ExitCode } from './exit.js';
export { EXIT } from './exit.js';
export type { FetchLike, RequestLike, ResponseLike } from './fetch-like.js';
export type { EndpointName, PathParams } from './routes/endpoints.js';
export { ENDPOINTS, pathOf } from './routes/endpoints.js';
export { PROTOCOL_VERSION, VERSION } from './version.js';

export const AUTHORIZATION = 'authorization';
export const CONTENT_TYPE = 'content-type';
export const LAST_EVENT_ID = 'last-event-id';
/** Until when the sender waits for the answer, in milliseconds since the epoch. */
export const DEADLINE = 'x-pal-deadline';
/** The session that the sender runs within, percent-encoded. */
export const WITHIN = 'x-pal-within';
/** The exit code that a hook ends with, where the answer is asked for as plain text: for a shell, which reads no JSON. */
export const HOOK_EXIT = 'x-pal-exit';
/** The key of a page that was let in, along with its cookie. */
export const PAGE_KEY = 'x-pal-page';
export const JSON_TYPE = 'application/json';

export function bearer(token: string): string {
  return `Bearer ${token}`;
}

/** Where the daemon is. `baseUrl` has no slash at its end. */
export type DaemonAddress = { readonly fetch: FetchLike; readonly baseUrl: string; readonly token: string };

export type RequestParts = {
  readonly params?: PathParams;
  readonly query?: QueryParams;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
};

export { isNestedTooDeeply } from '@palimpsest/core';

export function sendRequest(address: DaemonAddress, name: EndpointName, parts: RequestParts): Promise<ResponseLike> {
  const endpoint = ENDPOINTS[name];
  const headers: Record<string, string> = { ...parts.headers, [AUTHORIZATION]: bearer(address.token) };
  // Without a body too: a request that changes something must be one that a form of a web page cannot send.
  if (endpoint.method !== 'get') headers[CONTENT_TYPE] = JSON_TYPE;
  return address.fetch(`${address.baseUrl}${pathOf(endpoint, parts.params, parts.query)}`, {
    method: endpoint.method.toUpperCase(),
    headers,
    ...(endpoint.method === 'get' ? {} : { body: JSON.stringify(parts.body ?? {}) }),
    ...(parts.signal === undefined ? {} : { signal: parts.signal }),
  });
}
