import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { createServer as createPlain } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { askLoopback, parseAnswer } from './loopback.js';

async function asked(server: Server, body: string, timeoutMs = 5_000) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await askLoopback({
      port,
      method: 'POST',
      path: '/v1/x?y=1',
      headers: { 'x-name': 'value' },
      body,
      timeoutMs,
    });
  } finally {
    server.close();
  }
}

describe('one request on loopback', () => {
  const echo =
    (how: 'length' | 'chunks'): RequestListener =>
    (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (chunk: Buffer) => void parts.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(parts);
        response.statusCode = request.url === '/v1/x?y=1' && request.headers['x-name'] === 'value' ? 201 : 400;
        if (how === 'length') response.setHeader('content-length', body.length);
        for (let at = 0; at < body.length; at += 7) response.write(body.subarray(at, at + 7));
        response.end();
      });
    };

  test.each(['length', 'chunks'] as const)('[SRV1f] what Node’s server says is understood, by %s', async (how) => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 300 }), async (body) => {
        expect(await asked(createServer(echo(how)), body)).toEqual({ status: 201, body });
      }),
      { numRuns: 25 },
    );
  });

  test.each([
    ['nothing', ''],
    ['half a head', 'HTTP/1.1 200 OK\r\ncontent-le'],
    ['half a body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345'],
    ['half a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab'],
    ['chunks without an end', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n'],
    ['another protocol', 'SSH-2.0-OpenSSH\r\n\r\n'],
  ])('[SRV1f] %s is no answer', async (_, said) => {
    const server = createPlain((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(said));
    });
    expect(await asked(server, '{}')).toMatchObject({ status: null, isLate: false });
    expect(parseAnswer(Buffer.from(said))).toBeNull();
  });

  test('[SRV1f] a server that says nothing is waited for no longer than said', async () => {
    const server = createPlain((socket) => void socket.on('error', () => undefined).resume());
    expect(await asked(server, '{}', 50)).toMatchObject({ status: null, isLate: true });
  });

  test('[SRV1f] nobody at the port is no answer', async () => {
    expect(
      await askLoopback({ port: 1, method: 'POST', path: '/', headers: {}, body: '', timeoutMs: 1000 }),
    ).toMatchObject({ status: null, isLate: false });
  });
});
