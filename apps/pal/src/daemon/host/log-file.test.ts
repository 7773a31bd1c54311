import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { newFolder } from '../../../../../test/folder.fixture.js';
import { LOG_NAME, LogFile } from './log-file.js';

let folder: string;
beforeEach(() => {
  folder = newFolder();
});

const lines = (name = LOG_NAME) =>
  readFileSync(join(folder, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test('[SRV5i] a log is one JSON object a line, for the user alone', () => {
  const log = new LogFile(folder, () => 0);
  log.write('started', { port: 1 });
  log.fault('broke', new Error('a\nb'));
  expect(lines()).toMatchObject([
    { at: '1970-01-01T00:00:00.000Z', event: 'started', port: 1 },
    { event: 'broke', error: expect.stringContaining('a\nb') },
  ]);
  expect(statSync(join(folder, LOG_NAME)).mode & 0o777).toBe(0o600);
});

test('[SRV5i] a log is kept within its limit, the newest lines at hand, and goes on after a restart', () => {
  for (let run = 0; run < 4; run++) {
    const log = new LogFile(folder, () => 0, 1_000);
    for (let n = 0; n < 20; n++) log.write('line', { run, n });
  }
  expect(readdirSync(folder).sort()).toEqual([LOG_NAME, `${LOG_NAME}.1`, `${LOG_NAME}.2`]);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(1_000);
  expect(lines().at(-1)).toMatchObject({ run: 3, n: 19 });
});

test('[SRV5i] lines that could not be written are counted, and the daemon goes on', () => {
  const log = new LogFile(folder);
  rmSync(folder, { recursive: true });
  log.write('lost');
  log.write('lost too');
  folder = mkdtempSync(folder);
  expect(() => log.write('still lost')).not.toThrow();
});
