import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';

export type Listening = {
  readonly port: number;
  /** Takes no new connection; resolves when the last one is gone. Those still open after `graceMs` are cut. */
  close(graceMs: number): Promise<void>;
};

type Fetch = (request: Request) => Response | Promise<Response>;

/** Nobody but this machine can connect. The port is the system's choice unless one is given. */
const LOOPBACK = '127.0.0.1';

export async function listen(fetch: Fetch, port = 0): Promise<Listening> {
  const listener = getRequestListener(fetch, {
    // What cannot even be understood as a request gets the answer that strangers get.
    errorHandler: () => new Response(null, { status: 401, headers: { 'content-length': '0' } }),
  });
  const server = createServer(
    { requireHostHeader: false, noDelay: true },
    (request, response) => void listener(request, response),
  );
  server.on('clientError', (_, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
  return { port: (server.address() as AddressInfo).port, close: (graceMs) => close(server, graceMs) };
}

const SWEEP_MS = 10;

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // An answer may still be on its way out; when it is, its connection is idle.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
