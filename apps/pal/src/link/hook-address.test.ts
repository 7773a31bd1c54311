import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { AUTHORIZATION, bearer, CONTENT_TYPE, JSON_TYPE } from '@palimpsest/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../../test/patience.fixture.js';
import { must } from '../daemon/app.fixture.js';
import { Household, readDiscovery } from '../daemon/process.fixture.js';
import { isAlive } from './discovery.js';
import { type HookAddress, makeHookAddress, readHookAddress, removeHookAddress } from './hook-address.js';
import { askLoopback } from './loopback.js';

let house: Household;
beforeEach(() => {
  house = new Household();
});
afterEach(() => house.close());

const READ = { session_id: 's', tool_use_id: 't', tool_name: 'Read', tool_input: { file_path: 'a.txt' } };

async function ask(port: number, token: string, path: string, body: object = {}) {
  return askLoopback({
    port,
    method: 'POST',
    path,
    headers: { [AUTHORIZATION]: bearer(token), [CONTENT_TYPE]: JSON_TYPE },
    body: JSON.stringify(body),
    timeoutMs: 5_000,
  });
}

const hook = ({ port, token }: HookAddress, event: string, body: object) =>
  ask(port, token, `/v1/http-hooks/claude/${event}`, { cwd: house.root, ...body });

async function stopDaemon(): Promise<void> {
  const { pid } = readDiscovery(house.dataDir)!;
  must(await (await house.client()).shutdown());
  await until(() => !isAlive(pid));
}

test('[AGT1d] the address is made once, is the same for the next daemon, and is closed to others', async () => {
  const before = await makeHookAddress(house.dataDir);
  const { info } = await house.connection();
  expect(info.port).toBe(before.port);
  expect(await makeHookAddress(house.dataDir)).toEqual(before);
  expect(statSync(join(house.dataDir, 'hook-door.json')).mode & 0o777).toBe(0o600);
  await stopDaemon();
  expect((await house.connection()).info.port).toBe(before.port);
  removeHookAddress(house.dataDir);
  expect(readHookAddress(house.dataDir)).toBeNull();
});

test('[AGT1d] made while the daemon runs it is the daemon’s port, and works at once', async () => {
  const { info } = await house.connection();
  const address = await makeHookAddress(house.dataDir);
  expect(address.port).toBe(info.port);
  writeFileSync(join(house.root, 'a.txt'), 'one\n');
  expect(await hook(address, 'PreToolUse', READ)).toMatchObject({ status: 200, body: '{}' });
});

test('[AGT1d] its token opens the hooks and nothing else, and no other token opens these', async () => {
  const { info } = await house.connection();
  const path = '/v1/http-hooks/claude/Stop';
  expect((await ask(info.port, info.token, path))!.status).toBe(401);
  const address = await makeHookAddress(house.dataDir);
  expect((await ask(info.port, info.token, path))!.status).toBe(401);
  for (const other of ['/v1/shutdown', '/v1/workspaces', '/v1/hooks/claude/Stop', '/v1/http-hooks'])
    expect([other, (await ask(address.port, address.token, other))!.status]).toEqual([other, 401]);
  expect((await ask(address.port, address.token, path))!.status).toBe(400);
  removeHookAddress(house.dataDir);
  expect((await ask(address.port, address.token, path))!.status).toBe(401);
});

test('[AGT1c] an edit on old text is denied in the words of Claude Code', async () => {
  const { info } = await house.connection();
  const address = await makeHookAddress(house.dataDir);
  const file = join(house.root, 'a.txt');
  writeFileSync(file, 'one\ntwo\n');
  await hook(address, 'PreToolUse', { ...READ, tool_input: { file_path: file } });
  const response = { type: 'text', file: { filePath: file, content: 'one\ntwo\n', numLines: 2, startLine: 1 } };
  await hook(address, 'PostToolUse', { ...READ, tool_input: { file_path: file }, tool_response: response });
  writeFileSync(file, 'one\nTWO\n');
  const edit = { file_path: file, old_string: 'one', new_string: 'uno' };
  const answer = await hook(address, 'PreToolUse', { ...READ, tool_use_id: 'u', tool_name: 'Edit', tool_input: edit });
  expect(answer.status).toBe(200);
  expect(JSON.parse((answer as { body: string }).body)).toMatchObject({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('has changed since you last saw it'),
    },
  });
  expect(address.port).toBe(info.port);
});

test('[AGT3a] a port that somebody else has keeps nobody from the daemon', async () => {
  const address = await makeHookAddress(house.dataDir);
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(address.port, '127.0.0.1', resolve));
  try {
    const { info } = await house.connection();
    expect(info.port).not.toBe(address.port);
    expect(house.log()).toContain('port-taken');
    expect((await makeHookAddress(house.dataDir)).port).toBe(info.port);
  } finally {
    other.close();
  }
});

test('[AGT3a] what is no address is as none', async () => {
  mkdirSync(house.dataDir, { recursive: true });
  for (const text of ['', 'null', '{"port":"1","token":"x"}', '{"port":1}']) {
    writeFileSync(join(house.dataDir, 'hook-door.json'), text);
    expect(readHookAddress(house.dataDir)).toBeNull();
  }
  rmSync(join(house.dataDir, 'hook-door.json'));
  mkdirSync(join(house.dataDir, 'hook-door.json'));
  expect(readHookAddress(house.dataDir)).toBeNull();
  expect((await house.connection()).info.port).toBeGreaterThan(0);
});
