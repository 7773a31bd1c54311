import {
  AUTHORIZATION,
  bearer,
  CONTENT_TYPE,
  DEADLINE,
  ENDPOINTS,
  type EndpointName,
  JSON_TYPE,
  type PathParams,
  pathOf,
} from '@palimpsest/protocol/light';
import type { DaemonInfo } from './discovery.js';
import { askLoopback, type LoopbackAnswer, type NoAnswer } from './loopback.js';

export type Question = {
  readonly params?: PathParams;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: string;
  readonly timeoutMs: number;
};

/** The fast path: one small request to a daemon that runs. The full client is made with `connect`. */
export function askDaemon(
  { port, token }: Pick<DaemonInfo, 'port' | 'token'>,
  name: EndpointName,
  { params = {}, headers = {}, body = '', timeoutMs }: Question,
): Promise<LoopbackAnswer | NoAnswer> {
  const endpoint = ENDPOINTS[name];
  return askLoopback({
    port,
    method: endpoint.method.toUpperCase(),
    path: pathOf(endpoint, params),
    headers: {
      [AUTHORIZATION]: bearer(token),
      [CONTENT_TYPE]: JSON_TYPE,
      [DEADLINE]: String(Date.now() + timeoutMs),
      ...headers,
    },
    body,
    timeoutMs,
  });
}
