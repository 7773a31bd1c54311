import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VERSION } from '@palimpsest/protocol/light';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SILENCE } from '../agents/hook-event.js';
import { wire } from '../agents/wire/wiring.js';
import { quickHook } from '../hook/quick-hook.js';
import { askLoopback, parseAnswer } from '../loopback.js';
import { must, Stage } from './app.fixture.js';
import { makeDataDirectory, writeDiscovery } from './discovery.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'pal-findings-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('`pal init --shared` in a repository that leads elsewhere', () => {
  const shared = () => {
    const surroundings = { environment: { PATH: '' }, platform: process.platform, home: join(folder, 'home') };
    const data = join(folder, 'data');
    const workspace = join(folder, 'work');
    return wire(['claude'], { surroundings, data, workspace, scope: 'shared', strictness: 'lenient' }, 'do');
  };
  beforeEach(() => {
    mkdirSync(join(folder, 'work/.claude'), { recursive: true });
    writeFileSync(join(folder, 'precious'), '{}');
  });

  test('[SEC4] a draft that is a link is not written through', () => {
    symlinkSync(join(folder, 'precious'), join(folder, 'work/.claude/settings.json.pal-draft'));
    shared();
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('{}');
    expect(readFileSync(join(folder, 'work/.claude/settings.json'), 'utf8')).toContain('hook claude');
  });

  test('[SEC4] a configuration that is a link out of the workspace is an obstacle', () => {
    symlinkSync(join(folder, 'precious'), join(folder, 'work/.claude/settings.json'));
    expect(shared()[0]?.obstacles).toHaveLength(1);
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('{}');
  });

  test('[SEC4] a configuration folder that is a link out of the workspace is an obstacle', () => {
    rmSync(join(folder, 'work/.claude'), { recursive: true });
    mkdirSync(join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'work/.claude'));
    expect(shared()[0]?.obstacles).toHaveLength(1);
    expect(statSync(join(folder, 'elsewhere/settings.json'), { throwIfNoEntry: false })).toBeUndefined();
  });
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

  test('[SEC3] a hook sends neither token nor payload to a port whose process is gone', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const info = { pid, token: 'secret', version: VERSION, startedAt: new Date().toISOString() };
    await strange('HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n{"deny":"no!"}', async (port, heard) => {
      writeDiscovery(folder, { ...info, port });
      const call = { agent: 'claude', event: 'Stop', stdin: '{"a":1}', environment: {}, cwd: folder };
      expect(await quickHook({ ...call, data: folder, otherwise: SILENCE })).toBeNull();
      expect(heard()).toBe('');
    });
  });

  test('[SEC3] neither does the script that stands in for it', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const info = { pid, token: 'secret', version: VERSION, startedAt: new Date().toISOString() };
    await strange('HTTP/1.1 200 OK\r\nx-pal-exit: 2\r\n\r\nno!', async (port, heard) => {
      writeDiscovery(folder, { ...info, port });
      const script = fileURLToPath(new URL('../../plugins/hook.sh', import.meta.url));
      const child = spawn('bash', [script, '/bin/true', 'pal', 'hook', 'claude', 'Stop'], {
        env: { PATH: process.env.PATH, PALIMPSEST_HOME: folder },
      });
      child.stdin.end('{"a":1}');
      expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
      expect(heard()).toBe('');
    });
  });

  test('[AGT3] an answer that only drips is given up in time', async () => {
    await strange('HTTP/1.1 200 OK\r\n\r\n', async (port) => {
      const began = performance.now();
      const asked = { port, method: 'POST', path: '/', headers: {}, body: '', timeoutMs: 200 };
      expect(await askLoopback(asked)).toBeNull();
      expect(performance.now() - began).toBeLessThan(2_000);
    });
  });

  test('[AGT3] a chunk of a negative size is no answer', () => {
    const bytes = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n-7\r\nhello\r\n0\r\n\r\n';
    expect(parseAnswer(Buffer.from(bytes))).toBeNull();
  });
});

test('[SEC4] what a hook says has no terminal escapes of a file in it', async () => {
  const stage = new Stage();
  try {
    const root = stage.makeRoot();
    const file = join(root, 'a\u001b]0;owned\u0007\u009b2J\u202e.txt');
    writeFileSync(file, 'one\n');
    const payload = { session_id: 's', tool_use_id: 't', tool_name: 'Write', cwd: root };
    const answer = await stage.client(root).call('takeHook', {
      params: { agent: 'claude', event: 'PreToolUse' },
      body: { directory: root, payload: { ...payload, tool_input: { file_path: file, content: 'two\n' } } },
    });
    const { deny } = must(answer);
    expect(deny).toContain('has not been read');
    for (const character of ['\u001b', '\u0007', '\u009b', '\u202e']) expect(deny).not.toContain(character);
  } finally {
    await stage.close();
  }
});

test.skipIf(process.platform === 'win32')('[SEC3] a data directory that others may write to is closed to them', () => {
  const data = join(folder, 'data');
  mkdirSync(data);
  chmodSync(data, 0o777);
  makeDataDirectory(data);
  expect(statSync(data).mode & 0o777).toBe(0o700);
});
