import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { newFolder } from '../../../../test/folder.fixture.js';
import { bundleProgram, type Program, startProgram } from './child.fixture.js';
import { lockWorkspace, type WorkspaceLock } from './lock.js';

const folder = newFolder();
let program = '';

beforeAll(async () => {
  program = await bundleProgram('./lock-program.fixture.ts', join(folder, 'program'));
});

async function take(dir: string): Promise<WorkspaceLock> {
  const taken = await lockWorkspace(dir);
  if (!taken.ok) throw new Error(JSON.stringify(taken.error));
  return taken.value;
}

test('[SRV5b] [I1] one process has it, and the other is told who', async () => {
  const dir = newFolder();
  const lock = await take(dir);
  const other = startProgram(program, dir);
  expect(await other.firstLine).toBe(`held by ${process.pid}`);
  lock.release();
  lock.release();
  const next = startProgram(program, dir);
  expect(await next.firstLine).toBe('got');
  next.process.stdin?.end();
  await next.ended;
  (await take(dir)).release();
});

test('[SRV5b] it is held against the same process too', async () => {
  const dir = newFolder();
  const lock = await take(dir);
  expect(await lockWorkspace(dir)).toEqual({ ok: false, error: { code: 'held', dir, pid: process.pid } });
  lock.release();
  (await take(dir)).release();
});

test('[SRV5b] two workspaces do not wait for each other', async () => {
  const [dir, other] = [newFolder(), newFolder()];
  const locks = [await take(dir), await take(other)];
  locks[0]!.release();
  (await take(dir)).release();
  expect(await lockWorkspace(other)).toMatchObject({ ok: false, error: { code: 'held', dir: other } });
  locks[1]!.release();
});

test('[SRV5b] kill -9 frees it, and the name left behind is not believed', async () => {
  const dir = newFolder();
  const holder = startProgram(program, dir);
  expect(await holder.firstLine).toBe('got');
  holder.process.kill('SIGKILL');
  await holder.ended;
  const lock = await take(dir);
  writeFileSync(join(dir, 'workspace.lock.pid'), 'nonsense');
  expect(await lockWorkspace(dir)).toEqual({ ok: false, error: { code: 'held', dir, pid: null } });
  lock.release();
});

test('[SRV5b] a folder that is not there is an answer, not a crash', async () => {
  const dir = join(folder, 'nowhere');
  expect(await lockWorkspace(dir)).toMatchObject({ ok: false, error: { code: 'unavailable', dir } });
});

test('[SRV5b] of 50 processes at once exactly one gets it; when it is killed, exactly one of the next', async () => {
  const dir = newFolder();
  for (const racers of [50, 10]) {
    const all: readonly Program[] = Array.from({ length: racers }, () => startProgram(program, dir));
    const answers = await Promise.all(all.map((racer) => racer.firstLine));
    const winners = all.filter((_, index) => answers[index] === 'got');
    expect(winners).toHaveLength(1);
    const pid = winners[0]?.process.pid;
    expect(answers.filter((answer) => answer === `held by ${pid}`)).toHaveLength(racers - 1);
    winners[0]?.process.kill('SIGKILL');
    await Promise.all(all.map((racer) => racer.ended));
  }
});
