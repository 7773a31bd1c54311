import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VERSION } from '@palimpsest/protocol/light';
import { beforeEach, describe, expect, test } from 'vitest';
import { newFolder } from '../../../../test/folder.fixture.js';
import { until } from '../../../../test/patience.fixture.js';
import { AGENTS } from '../agents/agents.js';
import { writeDiscovery } from '../link/discovery.js';
import { type Answer, daemon } from './daemon.fixture.js';
import { readMissed } from './missed.js';

const SCRIPT = fileURLToPath(new URL('../../bundle/hook.sh', import.meta.url));

let folder: string;
let data: string;
beforeEach(() => {
  folder = newFolder();
  data = join(folder, 'data');
  mkdirSync(data);
  // Stands for `node pal.js`: says that it was asked, and what with.
  writeFileSync(join(folder, 'node'), '#!/bin/sh\nshift\necho "$@" "$(cat | head -c 100)" >&2\nexit 7\n');
  chmodSync(join(folder, 'node'), 0o755);
});

function run(stdin: string, options: readonly string[] = [], cwd = folder) {
  return new Promise<{ exit: number | null; stdout: string; stderr: string }>((resolve) => {
    const words = ['-p', SCRIPT, join(folder, 'node'), 'pal', 'hook', 'codex', 'PreToolUse', ...options];
    const child = spawn('bash', words, { cwd, env: { PATH: process.env.PATH, PALIMPSEST_HOME: data, HOME: folder } });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => {
      said.stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      said.stderr += chunk.toString();
    });
    child.on('close', (exit) => resolve({ exit, ...said }));
    child.stdin.end(stdin);
  });
}

describe('the hook that bash runs', () => {
  test('[AGT1c] a denial goes to stderr with exit 2, byte for byte', async () => {
    const reason = 'ö "x" \\n %s $HOME `id`\n\n  indented\n';
    const { heard } = await daemon(data, () => ({ exit: '2', body: reason }));
    expect(await run('{"a":"ä\\n"}')).toEqual({ exit: 2, stdout: '', stderr: reason });
    expect(heard.map(({ body, authorization }) => [JSON.parse(body), authorization])).toEqual([
      [{ directory: folder, payload: { a: 'ä\n' } }, 'Bearer tok-en_1'],
    ]);
  });

  test('[AGT1c] context goes to stdout, silence says nothing', async () => {
    await daemon(data, () => ({ exit: '0', body: '{"x":1}' }));
    expect(await run('{}')).toMatchObject({ exit: 0, stdout: '{"x":1}', stderr: '' });
    await daemon(data, () => ({ exit: '0' }));
    expect(await run('{}')).toMatchObject({ exit: 0, stdout: '', stderr: '' });
  });

  test('[AGT3d] a large payload arrives whole', async () => {
    const { heard } = await daemon(data, () => ({ exit: '0' }));
    const payload = JSON.stringify({ text: 'é'.repeat(40_000) });
    expect((await run(payload)).exit).toBe(0);
    expect(heard[0]?.body).toContain(payload);
  });

  test('[CAP9a] a folder with quotes and backslashes in its name', async () => {
    const strange = join(folder, 'a "b\\ $(touch x) é');
    mkdirSync(strange);
    const { heard } = await daemon(data, () => ({ exit: '0' }));
    await run('{}', [], strange);
    expect(heard.map(({ body }) => JSON.parse(body))).toMatchObject([{ directory: strange }]);
  });

  test.each<[string, Answer | 'gone' | 'none']>([
    ['no daemon', 'none'],
    ['a daemon that is gone', 'gone'],
    ['an error', { status: 503 }],
    ['an older daemon', { status: 200, body: '{}' }],
  ])('[AGT3d] %s is left to pal, with the payload and the exit code', async (_, answer) => {
    if (answer === 'gone') await (await daemon(data, () => ({}))).leave();
    else if (answer !== 'none') await daemon(data, () => answer);
    const { stderr, exit } = await run('{"a":1}', ['--strict']);
    expect([exit, stderr]).toEqual([7, 'hook codex PreToolUse --strict {"a":1}\n']);
  });

  test('[AGT3f] what is left to pal has the time that is left, counted from when the hook began', async () => {
    writeFileSync(join(folder, 'node'), '#!/bin/sh\necho "$PAL_UNTIL_MS"\n');
    const before = Date.now();
    const { stdout } = await run('{}');
    const began = Number(stdout) - AGENTS.codex.waits.deadlineMs;
    expect(began).toBeGreaterThanOrEqual(before - 1);
    expect(began).toBeLessThanOrEqual(Date.now() + 1);
  });

  test('[AGT3f] a pal that takes longer than the agent waits is left to go on, and the hook is over', async () => {
    const gate = join(folder, 'gate');
    execFileSync('mkfifo', [gate]);
    // Until somebody opens the gate, which happens when the hook has ended.
    writeFileSync(
      join(folder, 'node'),
      `#!/bin/sh\ncat >/dev/null\nread line <'${gate}'\necho "$line" >'${folder}/done'\n`,
    );
    expect(await run('{}')).toEqual({ exit: 0, stdout: '', stderr: '' });
    writeFileSync(gate, 'went on\n');
    await until(() => existsSync(join(folder, 'done')));
  });

  test('[AGT3d] somebody who hangs up at once is left to pal too', async () => {
    const rude = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => rude.listen(0, '127.0.0.1', resolve));
    const { port } = rude.address() as AddressInfo;
    writeDiscovery(data, { pid: process.pid, port, token: 'tok-en_1', version: VERSION, startedAt: 'now' });
    const payload = `{"a":"${'x'.repeat(1_000_000)}"}`;
    for (let time = 0; time < 5; time++) expect((await run(payload)).exit).toBe(7);
    rude.close();
  });

  test('[AGT3d] a payload that a daemon which does not read would keep us with is left to pal', async () => {
    const deaf = createServer({ pauseOnConnect: true });
    await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
    const { port } = deaf.address() as AddressInfo;
    writeDiscovery(data, { pid: process.pid, port, token: 'tok-en_1', version: VERSION, startedAt: 'now' });
    // On a busy machine the agent is not kept waiting until so much has been handed over; pal gets it all the same.
    const got = join(folder, 'got');
    writeFileSync(join(folder, 'node'), `#!/bin/sh\nwc -c >'${got}.part' && mv '${got}.part' '${got}'\n`);
    const payload = `{"a":"${'x'.repeat(12_000_000)}"}`;
    await run(payload);
    await until(() => existsSync(got));
    expect(Number(readFileSync(got, 'utf8'))).toBe(payload.length);
    deaf.close();
  });

  test('[AGT3b] no answer in time is silence, and the user can see it', async () => {
    await daemon(data, () => null);
    expect(await run('{}')).toEqual({ exit: 0, stdout: '', stderr: '' });
    expect(readMissed(data, 0)).toMatchObject([{ agent: 'codex', event: 'PreToolUse', directory: folder }]);
  });

  test('[AGT3c] strict: no answer in time is a failure', async () => {
    await daemon(data, () => null);
    expect(await run('{}', ['--strict'])).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('could not be asked'),
    });
  });
});
