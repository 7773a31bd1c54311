import { request as httpRequest, type IncomingMessage } from 'node:http';
import { AUTHORIZATION, bearer, type RequestLike, type ResponseLike } from '@palimpsest/protocol/light';
import type { DaemonInfo } from './discovery.js';

/** Stands for wherever the daemon is; `httpSend` puts the real address in its place. */
export const LOOPBACK_URL = 'http://127.0.0.1';

export type HttpAnswer = ResponseLike & { readonly body: IncomingMessage };

/** A request over Node's own HTTP, which loads in a fraction of the time that `fetch` takes. */
export function httpSend(
  { port, token }: DaemonInfo,
  path: string,
  { method, headers, body, signal }: RequestLike,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = httpRequest(
      {
        host: '127.0.0.1',
        port,
        path,
        method: method.toUpperCase(),
        headers: { ...headers, ...length, [AUTHORIZATION]: bearer(token) },
        ...(signal === undefined ? {} : { signal }),
      },
      (message) => resolve(answerOf(message)),
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

function answerOf(message: IncomingMessage): HttpAnswer {
  return {
    status: message.statusCode ?? 0,
    headers: {
      get(name) {
        const value = message.headers[name.toLowerCase()];
        return value === undefined ? null : String(value);
      },
    },
    body: message,
    text: async () => (await wholeOf(message)).toString('utf8'),
    async arrayBuffer() {
      const { buffer, byteOffset, byteLength } = await wholeOf(message);
      return (buffer as ArrayBuffer).slice(byteOffset, byteOffset + byteLength);
    },
  };
}

async function wholeOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
