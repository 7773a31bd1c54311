import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeDiscovery } from '../daemon/discovery.js';
import { readMissed } from './missed.js';

const SCRIPT = fileURLToPath(new URL('../../plugins/hook.sh', import.meta.url));

let folder: string;
let data: string;
let server: Server | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pal-script-'));
  data = join(folder, 'data');
  mkdirSync(data);
  // Stands for `node pal.js`: says that it was asked, and what with.
  writeFileSync(join(folder, 'node'), '#!/bin/sh\nshift\necho "$@" "$(cat)"\nexit 7\n');
  chmodSync(join(folder, 'node'), 0o755);
});
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = null;
  rmSync(folder, { recursive: true, force: true });
});

type Answer = { readonly status?: number; readonly exit?: string; readonly body?: string };

/** Answers as the daemon does to one who takes plain text; `null` never. */
async function daemon(answer: Answer | null): Promise<{ body: string; token: string | undefined }> {
  const heard: { body: string; token: string | undefined } = { body: '', token: undefined };
  server = createServer((request, response) => {
    heard.token = request.headers.authorization;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      heard.body = Buffer.concat(chunks).toString('utf8');
      if (answer === null) return;
      const { status = 200, exit, body = '' } = answer;
      const length = String(Buffer.byteLength(body));
      response.writeHead(status, { 'content-length': length, ...(exit === undefined ? {} : { 'X-Pal-Exit': exit }) });
      response.end(body);
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  writeDiscovery(data, { pid: 1, port, token: 'tok-en_1', version: '0', startedAt: 'now' });
  return heard;
}

function run(stdin: string, options: readonly string[] = [], cwd = folder) {
  return new Promise<{ exit: number | null; stdout: string; stderr: string; ms: number }>((resolve) => {
    const began = performance.now();
    const words = ['-p', SCRIPT, join(folder, 'node'), 'pal', 'hook', 'codex', 'PreToolUse', ...options];
    const child = spawn('bash', words, { cwd, env: { PATH: process.env.PATH, PALIMPSEST_HOME: data, HOME: folder } });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => {
      said.stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      said.stderr += chunk.toString();
    });
    child.on('close', (exit) => resolve({ exit, ...said, ms: performance.now() - began }));
    child.stdin.end(stdin);
  });
}

describe('the hook that bash runs', () => {
  test('[AGT1] a denial goes to stderr with exit 2, byte for byte', async () => {
    const reason = 'ö "x" \\n %s $HOME `id`\n\n  indented\n';
    const heard = await daemon({ exit: '2', body: reason });
    const { ms: _, ...said } = await run('{"a":"ä\\n"}');
    expect(said).toEqual({ exit: 2, stdout: '', stderr: reason });
    expect(JSON.parse(heard.body)).toEqual({ directory: folder, payload: { a: 'ä\n' } });
    expect(heard.token).toBe('Bearer tok-en_1');
  });

  test('[AGT1] context goes to stdout, silence says nothing', async () => {
    await daemon({ exit: '0', body: '{"x":1}' });
    expect(await run('{}')).toMatchObject({ exit: 0, stdout: '{"x":1}', stderr: '' });
    await daemon({ exit: '0' });
    expect(await run('{}')).toMatchObject({ exit: 0, stdout: '', stderr: '' });
  });

  test('[AGT3] a large payload arrives whole', async () => {
    const heard = await daemon({ exit: '0' });
    const payload = JSON.stringify({ text: 'é'.repeat(200_000) });
    expect((await run(payload)).exit).toBe(0);
    expect(heard.body).toContain(payload);
  });

  test('[SEC4] a folder with quotes and backslashes in its name', async () => {
    const strange = join(folder, 'a "b\\ $(touch x) é');
    mkdirSync(strange);
    const heard = await daemon({ exit: '0' });
    await run('{}', [], strange);
    expect(JSON.parse(heard.body)).toMatchObject({ directory: strange });
  });

  test.each<[string, Answer | 'gone' | 'none']>([
    ['no daemon', 'none'],
    ['a daemon that is gone', 'gone'],
    ['an error', { status: 503 }],
    ['an older daemon', { status: 200, body: '{}' }],
  ])('[AGT3] %s is left to pal, with the payload and the exit code', async (_, answer) => {
    if (answer !== 'none') await daemon(answer === 'gone' ? {} : answer);
    if (answer === 'gone') await new Promise((resolve) => server!.close(resolve));
    const { stdout, exit } = await run('{"a":1}', ['--strict']);
    expect([exit, stdout]).toEqual([7, 'hook codex PreToolUse --strict {"a":1}\n']);
  });

  test('[AGT3] no answer in time is silence, and the user can see it', async () => {
    await daemon(null);
    const { exit, stdout, stderr, ms } = await run('{}');
    expect([exit, stdout, stderr]).toEqual([0, '', '']);
    expect(ms).toBeLessThan(4_000);
    expect(readMissed(data, 0)).toMatchObject([{ agent: 'codex', event: 'PreToolUse', directory: folder }]);
  });

  test('[AGT3] strict: no answer in time is a failure', async () => {
    await daemon(null);
    expect(await run('{}', ['--strict'])).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('could not be asked'),
    });
  });
});
