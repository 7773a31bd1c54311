import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PROTOCOL_VERSION } from '@palimpsest/protocol/light';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../../test/patience.fixture.js';
import { discoveryFile, isAlive, writeDiscovery } from '../link/discovery.js';
import { must } from './app.fixture.js';
import { Household, readDiscovery } from './process.fixture.js';

let house: Household;
beforeEach(() => {
  house = new Household();
});
afterEach(() => house.close());

const begin = (callId: string) => ({ session: 's', callId, tool: 'Bash', input: { command: 'make' } });

test('[SRV5d] the daemon is started when it is needed, found again, and hidden from others', async () => {
  expect(await house.connect({ start: 'never' })).toMatchObject({
    ok: false,
    error: { error: { code: 'not-running' } },
  });
  const first = await house.connection();
  const second = await house.connection({ start: 'never' });
  expect(second.info).toEqual(first.info);
  expect(statSync(discoveryFile(house.dataDir)).mode & 0o777).toBe(0o600);
  expect(statSync(house.dataDir).mode & 0o777).toBe(0o700);
  const client = await house.client();
  const id = must(await client.workspaceId());
  expect(statSync(join(house.dataDir, 'workspaces', id)).mode & 0o777).toBe(0o700);
  expect(house.count('started')).toBe(1);
  expect(house.log()).not.toContain(first.info.token);
});

test('[SRV5d] it stops when asked, leaves nothing behind, and what was recorded is there the next time', async () => {
  const client = await house.client();
  must(await client.startSession({ body: { id: 's', agent: 'a' } }));
  const { pid } = readDiscovery(house.dataDir)!;
  must(await client.shutdown());
  await until(() => !isAlive(pid));
  expect(readDiscovery(house.dataDir)).toBeNull();
  expect(must(await client.getSession({ params: { session: 's' } })).session.agent).toBe('a');
  expect(house.count('stopped')).toBe(1);
});

test.each(['SIGTERM', 'SIGINT'] as const)('[SRV5d] on %s it finishes what it was asked', async (signal) => {
  const client = await house.client();
  must(await client.workspaceId());
  const { pid } = readDiscovery(house.dataDir)!;
  const calls = Array.from({ length: 20 }, (_, n) => client.beginCall({ body: begin(String(n)) }));
  process.kill(pid, signal);
  for (const call of await Promise.all(calls)) must(call);
  await until(() => !isAlive(pid));
  const { operations } = must(await client.listOperations());
  expect(operations.filter(({ kind }) => kind === 'call-began')).toHaveLength(20);
});

test('[SRV5f] a discovery file that leads to nobody is no obstacle', async () => {
  mkdirSync(house.dataDir);
  const nowhere = { pid: process.pid, port: 9, token: 'x', version: '0.1.0', startedAt: 'then' };
  for (const stale of [nowhere, { ...nowhere, pid: 2 ** 22 - 1 }]) {
    writeDiscovery(house.dataDir, stale);
    expect(await house.connect({ start: 'never' })).toMatchObject({ ok: false });
  }
  writeFileSync(discoveryFile(house.dataDir), '{"half');
  must(await (await house.client()).status());
});

test('[SRV5f] somebody else at the address is not taken for the daemon', async () => {
  // It answers for the daemon once, as one does that is replaced right after it was found.
  let found = false;
  const stranger = createServer((_, response) => {
    if (found) return response.writeHead(401).end();
    found = true;
    return response.end(JSON.stringify({ status: 'ok', protocol: PROTOCOL_VERSION }));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => stranger.once('listening', resolve));
  const { port } = stranger.address() as AddressInfo;
  mkdirSync(house.dataDir);
  writeDiscovery(house.dataDir, { pid: process.pid, port, token: 'x', version: '0.1.0', startedAt: 'then' });
  const client = await house.client();
  expect(found).toBe(true);
  must(await client.status());
  expect(readDiscovery(house.dataDir)!.port).not.toBe(port);
  stranger.close();
});

test('[SRV5a] killed in the middle of its work it comes back, and nothing that was answered is missing', async () => {
  const client = await house.client();
  const answered = new Set<string>();
  for (let round = 0; round < 3; round++) {
    const calls = Array.from({ length: 30 }, async (_, n) => {
      const id = `${round}-${n}`;
      const began = await client.beginCall({ body: begin(id) });
      if (began.ok) answered.add(id);
      return began;
    });
    await calls[5 + round * 8];
    process.kill(readDiscovery(house.dataDir)!.pid, 'SIGKILL');
    for (const call of await Promise.all(calls)) must(call);
  }
  const { operations } = must(await client.listOperations({ query: { limit: 10_000 } }));
  const recorded = operations.flatMap((operation) => (operation.kind === 'call-began' ? [String(operation.call)] : []));
  expect([...answered].filter((id) => !recorded.includes(id))).toEqual([]);
  expect(new Set(recorded).size).toBe(recorded.length);
  expect(house.count('started')).toBe(4);
});

test('[SRV5d] a newer version takes the place of an older one, which finishes first', async () => {
  const old = await house.client({ version: '0.1.0' });
  must(await old.workspaceId());
  const before = readDiscovery(house.dataDir)!;
  const underWay = Array.from({ length: 20 }, (_, n) => old.beginCall({ body: begin(String(n)) }));
  const newer = await house.client({ version: '0.2.0' });
  for (const call of await Promise.all(underWay)) must(call);
  expect(must(await newer.health()).version).toBe('0.2.0');
  expect(isAlive(before.pid)).toBe(false);
  const { operations } = must(await newer.listOperations());
  expect(operations.filter(({ kind }) => kind === 'call-began')).toHaveLength(20);
  // The face that was there before goes on with the new one.
  must(await old.status());
});

test('[SRV5d] an older version does not take the place of a newer one', async () => {
  await house.client({ version: '0.2.0' });
  const { pid } = readDiscovery(house.dataDir)!;
  const older = await house.client({ version: '0.1.0' });
  must(await older.status());
  expect(readDiscovery(house.dataDir)!.pid).toBe(pid);
});

test('[SRV5d] it stops by itself when nobody needs it, and not while a session is at work', async () => {
  const idle = await house.connection({ idleMs: 300 });
  await until(() => !isAlive(idle.info.pid));
  expect(readDiscovery(house.dataDir)).toBeNull();
  const client = await house.client({ idleMs: 300 });
  must(await client.beginCall({ body: begin('1') }));
  const { pid } = readDiscovery(house.dataDir)!;
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(isAlive(pid)).toBe(true);
  must(await client.endSession({ params: { session: 's' } }));
  await until(() => !isAlive(pid));
});

test('[SRV5g] a daemon that cannot start is told as such, with where to look', async () => {
  const failed = await house.connect({ entry: join(house.folder, 'missing.js'), timeoutMs: 500 });
  expect(failed).toMatchObject({
    ok: false,
    error: { exit: 1, error: { code: 'did-not-start', hint: expect.stringContaining('daemon.log') } },
  });
});

test('[SEC3g] the environment of one terminal does not become the daemon’s', async () => {
  const environment = {
    ...house.environment,
    GIT_DIR: '/nowhere',
    NODE_OPTIONS: '--bad-option',
    SECRET: 'x',
    LANG: 'C',
  };
  const { info } = await house.connection({ environment });
  if (process.platform !== 'linux') return;
  const started = readFileSync(`/proc/${info.pid}/environ`, 'utf8')
    .split('\0')
    .filter(Boolean)
    .map((entry) => entry.split('=')[0]);
  expect(new Set(started)).toEqual(new Set(['HOME', 'LANG', 'PATH']));
});
