import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../../../test/folder.fixture.js';
import { judgeDropped } from '../doctor/agents.js';
import { droppedRemarks } from '../hook/missed-remark.js';
import { clineDropped } from './cline-log.js';

const BASE = '"pid":1,"hostname":"vm","name":"cline.cli","component":"main"';
/** As the real program wrote them: of a plugin that took too long to load, and of one that failed. */
const LATE = `{"level":30,"time":"TIME",${BASE},"msg":"plugin loading failed; continuing without plugins (plugin-sandbox call timed out after 4000ms: initialize)"}`;
const FAILED = `{"level":40,"time":"TIME",${BASE},"stack":"Error: boom","pluginPath":"/h/.cline/plugins/palimpsest.js","msg":"Plugin initialization failed (load) for /h/.cline/plugins/palimpsest.js"}`;
const OTHERS = FAILED.replaceAll('palimpsest.js', 'other.js');

function around(...lines: readonly string[]) {
  const home = newFolder();
  mkdirSync(join(home, '.cline/data/logs'), { recursive: true });
  const now = new Date().toISOString();
  writeFileSync(
    join(home, '.cline/data/logs/cline.log'),
    lines.map((line) => `${line.replace('TIME', now)}\n`).join(''),
  );
  return { environment: {}, home, platform: 'linux' } as const;
}

test.each([
  ['too slow to load', [LATE], 'timed out after 4000ms'],
  ['failed', [FAILED, OTHERS], 'Plugin initialization failed'],
])('[AGT3g] Cline says in its log that our plugin %s; doctor and status pass it on', (_, lines, why) => {
  const surroundings = around(...lines);
  const dropped = clineDropped(surroundings, Date.now() - 60_000);
  expect(dropped?.why).toContain(why);
  expect(judgeDropped('cline', dropped, Date.now())).toMatchObject([
    { state: 'careful', message: expect.stringContaining('Cline went on without our plugin') },
  ]);
  expect(droppedRemarks(surroundings)).toEqual([expect.stringContaining('Cline went on without our plugin')]);
});

test.each([
  ['nothing', []],
  ['another plugin', [OTHERS]],
  ['nonsense', ['{"msg":"plugin loading failed; continuing without plugins"', 'x']],
  ['another day', [LATE.replace('TIME', '2020-01-01T00:00:00.000Z')]],
])('[AGT3g] %s in the log is no reason to say so', (_, lines) => {
  const surroundings = around(...lines);
  expect(clineDropped(surroundings, Date.now() - 60_000)).toBeNull();
  expect(droppedRemarks(surroundings)).toEqual([]);
});

test('[AGT3g] no log at all is no reason either', () => {
  expect(clineDropped({ environment: {}, home: newFolder(), platform: 'linux' }, 0)).toBeNull();
  expect(judgeDropped('cline', null, Date.now())).toEqual([]);
});
