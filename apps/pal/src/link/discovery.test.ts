import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { newFolder } from '../../../../test/folder.fixture.js';
import { discoveryFile, makeDataDirectory, readDiscovery, removeDiscovery, writeDiscovery } from './discovery.js';

let folder: string;
beforeEach(() => {
  folder = newFolder();
});

const info = { pid: 1, port: 2, token: 't', version: 'v', startedAt: 's' };
const modeOf = (path: string) => statSync(path).mode & 0o777;

test('[SEC3e] only the user can read where the daemon is, even over a draft that was readable', () => {
  const draft = `${discoveryFile(folder)}.${process.pid}`;
  writeFileSync(draft, '');
  chmodSync(draft, 0o666);
  writeDiscovery(folder, info);
  expect(modeOf(discoveryFile(folder))).toBe(0o600);
  expect(readDiscovery(folder)).toEqual(info);
  expect(readdirSync(folder)).toEqual(['daemon.json']);
});

test('[SEC3e] a new data directory is for the user alone', () => {
  makeDataDirectory(join(folder, 'a', 'b'));
  expect([modeOf(join(folder, 'a')), modeOf(join(folder, 'a', 'b'))]).toEqual([0o700, 0o700]);
});

test.skipIf(process.platform === 'win32')('[SEC3e] a data directory that others may write to is closed to them', () => {
  const data = join(folder, 'data');
  mkdirSync(data);
  chmodSync(data, 0o777);
  makeDataDirectory(data);
  expect(modeOf(data)).toBe(0o700);
});

test.each([
  '',
  '{',
  '[]',
  'null',
  '{"pid":1}',
  JSON.stringify({ ...info, port: 0 }),
  JSON.stringify({ ...info, pid: '1' }),
  JSON.stringify({ ...info, token: '' }),
])('[SRV5f] the discovery file %j leads nowhere', (text) => {
  writeFileSync(discoveryFile(folder), text);
  expect(readDiscovery(folder)).toBeNull();
});

test('[SRV5f] a daemon removes only a file that speaks of itself', () => {
  writeDiscovery(folder, { ...info, token: 'next' });
  removeDiscovery(folder, info);
  expect(readDiscovery(folder)?.token).toBe('next');
  removeDiscovery(folder, { ...info, token: 'next' });
  expect(readDiscovery(folder)).toBeNull();
});
