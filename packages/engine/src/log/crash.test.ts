import { join } from 'node:path';
import { asSeq, filesOf } from '@palimpsest/core';
import { beforeAll, expect, test } from 'vitest';
import { newFolder } from '../../../../test/folder.fixture.js';
import { until } from '../../../../test/patience.fixture.js';
import { Chance, cases, SEED } from '../../../../test/search.fixture.js';
import { bundleProgram, startProgram } from './child.fixture.js';
import type { Log } from './log.js';
import { openLog } from './open-log.js';

const folder = newFolder();
const KILLS = cases({ brief: 3, long: 6 });
const APPENDS = 60;
const chance = new Chance(SEED);
let program = '';

beforeAll(async () => {
  program = await bundleProgram('./crash-program.fixture.ts', folder);
});

test.each(['alone', 'replacing'])('[SRV5a] kill -9 at any moment loses nothing acknowledged (%s)', async (mode) => {
  const file = join(folder, `${mode}.db`);
  let acknowledged = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const child = startProgram(program, file, mode);
    // Counted in appends and not in time, since on a busy machine a child may get no time at all.
    const appends = 1 + chance.below(APPENDS);
    await until(() => child.lines.length >= appends || child.process.exitCode !== null);
    child.process.kill('SIGKILL');
    await child.ended;
    expect(child.lines.length).toBeGreaterThanOrEqual(appends);
    acknowledged = Math.max(acknowledged, Number(child.lines.at(-1)));
    expectWhole(file, acknowledged, `killed after ${appends} appends`);
  }
});

/** Everything acknowledged is there, without a gap, and the known files agree with the last operation. */
function expectWhole(file: string, acknowledged: number, when: string): void {
  const opened = openLog({ file });
  if (!opened.ok) throw new Error(`${JSON.stringify(opened.error)} ${when}`);
  const log = opened.value;
  expect(log.last, when).toBeGreaterThanOrEqual(acknowledged);
  // At most the one append whose acknowledgement was cut off.
  expect(log.last, when).toBeLessThanOrEqual(acknowledged + 1);
  expect(log.read(0, log.last + 1).map((operation) => operation.seq)).toEqual(
    Array.from({ length: log.last }, (_, index) => index + 1),
  );
  expectFilesAgree(log, when);
  log.close();
}

function expectFilesAgree(log: Log, when: string): void {
  const states = new Map([...log.files.all()].map((state) => [state.path as string, state]));
  const path = filesOf(log.get(asSeq(log.last)) ?? failHere(when))[0]?.path ?? failHere(when);
  expect(states.get(path)?.size, when).toBe(log.last);
  const sizes = new Set(
    [...states.values()].filter((state) => state.path.startsWith('table/')).map((state) => state.size),
  );
  // A replacement is seen whole or not at all: never rows of two.
  expect(sizes.size, when).toBeLessThanOrEqual(1);
}

function failHere(when: string): never {
  throw new Error(`the last operation names no file, ${when}`);
}
