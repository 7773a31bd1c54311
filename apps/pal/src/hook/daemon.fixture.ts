import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DEADLINE, VERSION } from '@palimpsest/protocol/light';
import { afterwards } from '../../../../test/afterwards.fixture.js';
import { writeDiscovery } from '../link/discovery.js';

/** `exit` goes with an answer in plain text only. */
export type Answer = { readonly status?: number; readonly exit?: string; readonly body?: string };

type Heard = { readonly body: string; readonly authorization: string | undefined; readonly deadline: number };

const running = new Set<Server>();
afterwards('test', () => {
  for (const server of running) {
    server.closeAllConnections();
    server.close();
  }
  running.clear();
});

/** Something that answers as the daemon of `data` would, `null` never, until it leaves or the test is over. */
export async function daemon(
  data: string,
  answer: (body: string) => Answer | null,
  version = VERSION,
): Promise<{ readonly heard: readonly Heard[]; readonly leave: () => Promise<void> }> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const asked = Buffer.concat(chunks).toString('utf8');
      heard.push({
        body: asked,
        authorization: request.headers.authorization,
        deadline: Number(request.headers[DEADLINE]),
      });
      const said = answer(asked);
      if (said === null) return;
      const { status = 200, exit, body = '' } = said;
      // The script leaves an answer in chunks to the whole program.
      response.setHeader('content-length', Buffer.byteLength(body));
      if (exit !== undefined) response.setHeader('X-Pal-Exit', exit);
      response.writeHead(status).end(body);
    });
  });
  running.add(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  // Nothing is sent to a process that is gone, or that we may not ask.
  writeDiscovery(data, { pid: process.pid, port, token: 'tok-en_1', version, startedAt: new Date().toISOString() });
  return { heard, leave: () => new Promise((resolve) => server.close(() => resolve())) };
}
