import { spawn, spawnSync } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { VERSION } from '@palimpsest/protocol/light';
import { beforeEach, describe, expect, test } from 'vitest';
import { newFolder } from '../../../../test/folder.fixture.js';
import { SILENCE } from '../agents/hook-event.js';
import { writeDiscovery } from '../link/discovery.js';
import { askLoopback, parseAnswer } from '../link/loopback.js';
import { askRunning } from './ask-hook.js';

let folder: string;
beforeEach(() => {
  folder = newFolder();
});

describe('somebody else at the port of a daemon that is gone', () => {
  async function strange(answer: string, work: (port: number, heard: () => string) => Promise<void>): Promise<void> {
    let heard = '';
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        heard += bytes.toString('latin1');
        socket.write(answer);
        const drip = setInterval(() => socket.write('x'), 20).unref();
        socket.on('close', () => clearInterval(drip));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      await work((server.address() as AddressInfo).port, () => heard);
    } finally {
      server.close();
    }
  }

  test('[SEC3f] a hook sends neither token nor payload to a port whose process is gone', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const info = { pid, token: 'secret', version: VERSION, startedAt: new Date().toISOString() };
    await strange('HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n{"deny":"no!"}', async (port, heard) => {
      writeDiscovery(folder, { ...info, port });
      const call = { agent: 'claude', event: 'Stop', stdin: '{"a":1}', environment: {}, cwd: folder } as const;
      expect(await askRunning({ ...call, data: folder, until: Date.now() + 60_000, otherwise: SILENCE })).toBeNull();
      expect(heard()).toBe('');
    });
  });

  test('[SEC3f] neither does the script that stands in for it', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const info = { pid, token: 'secret', version: VERSION, startedAt: new Date().toISOString() };
    await strange('HTTP/1.1 200 OK\r\nx-pal-exit: 2\r\n\r\nno!', async (port, heard) => {
      writeDiscovery(folder, { ...info, port });
      const script = fileURLToPath(new URL('../../bundle/hook.sh', import.meta.url));
      const child = spawn('bash', [script, '/bin/true', 'pal', 'hook', 'claude', 'Stop'], {
        env: { PATH: process.env.PATH, PALIMPSEST_HOME: folder },
      });
      child.stdin.end('{"a":1}');
      expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
      expect(heard()).toBe('');
    });
  });

  test('[AGT3a] an answer that only drips is given up', async () => {
    await strange('HTTP/1.1 200 OK\r\n\r\n', async (port) => {
      const asked = { port, method: 'POST', path: '/', headers: {}, body: '', timeoutMs: 200 };
      expect(await askLoopback(asked)).toMatchObject({ status: null, isLate: true });
    });
  });

  test('[AGT3a] a chunk of a negative size is no answer', () => {
    const bytes = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n-7\r\nhello\r\n0\r\n\r\n';
    expect(parseAnswer(Buffer.from(bytes))).toBeNull();
  });
});
