import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LIMIT_MS } from '../../../../test/patience.fixture.js';
import { Stage } from './app.fixture.js';
import { type Listening, listen } from './server.js';

const stage = new Stage();
let server: Listening;

beforeAll(async () => {
  server = await listen((request) => stage.app.fetch(request));
});
afterAll(async () => {
  await server.close(0);
  await stage.close();
});

/** What comes back over a raw connection until the other side ends it. */
function exchange(text: string, host = '127.0.0.1'): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, host, () => socket.end(text));
    let got = '';
    socket.setTimeout(LIMIT_MS, () => socket.destroy(new Error('no answer')));
    socket.on('data', (chunk) => {
      got += chunk.toString();
    });
    socket.on('close', () => resolve(got));
    socket.on('error', reject);
  });
}

const close = 'connection: close\r\n\r\n';

test.each([
  ['no host', `GET /v1/health HTTP/1.1\r\n${close}`],
  ['a host that is no host', `GET /v1/health HTTP/1.1\r\nhost: a b/c@d\r\n${close}`],
  ['an address for a proxy', `GET http://evil.example/v1/health HTTP/1.1\r\nhost: 127.0.0.1\r\n${close}`],
  ['TRACE', `TRACE /v1/health HTTP/1.1\r\nhost: 127.0.0.1\r\n${close}`],
  ['dots in the path', `GET /v1/../../etc/passwd HTTP/1.1\r\nhost: 127.0.0.1\r\n${close}`],
  ['a path that is none', `GET //[ HTTP/1.1\r\nhost: 127.0.0.1\r\n${close}`],
  ['HTTP/1.0', `GET / HTTP/1.0\r\n\r\n`],
  ['nonsense', `\u0016\u0003\u0001 nonsense\r\n\r\n`],
  ['a header too large', `GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx: ${'y'.repeat(100_000)}\r\n${close}`],
])('[SEC3a] a stranger with %s gets a bare 401', async (_, text) => {
  const [head, body] = (await exchange(text)).split('\r\n\r\n');
  const [status, ...headers] = head!.split('\r\n');
  expect(status).toBe('HTTP/1.1 401 Unauthorized');
  expect(body).toBe('');
  const told = headers.map((header) => header.split(':')[0]!.toLowerCase());
  expect(told.filter((name) => !['content-length', 'connection', 'date', 'transfer-encoding'].includes(name))).toEqual(
    [],
  );
});

test('[SEC3d] only this machine can connect', async () => {
  const elsewhere = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  for (const { address } of elsewhere) {
    await expect(exchange(`GET / HTTP/1.1\r\n${close}`, address)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  }
  expect(await exchange(`GET / HTTP/1.1\r\n${close}`)).toContain('401');
});
