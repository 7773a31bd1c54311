import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { newFolder } from '../../../../test/folder.fixture.js';
import { some } from '../../../../test/search.fixture.js';
import { openWorkspace } from '../open-workspace.js';
import { stage } from '../stories/stage.fixture.js';
import { photograph, save, value } from './checkpoint.fixture.js';

const PROGRAM = fileURLToPath(new URL('./restore-process.mjs', import.meta.url));
/** How many are killed at the same time. */
const AT_ONCE = 3;

test('[CHK3e] kill -9 at any step of a restore: afterwards all is old or all is new, and it is said which', async () => {
  const at = await stage({ kind: 'plain', files: { 'a.txt': '1\n', 'd/gone.txt': '1\n' } });
  const saved = await save(at);
  const next = photograph(at.root);
  await at.agent('s').writeFile('made/m.txt', 'made\n');
  at.write('a.txt', 'mine\n');
  at.remove('d');
  await at.workspace.look();
  await at.close();
  const old = photograph(at.root);
  const folder = newFolder();
  const whole = await restoreIn(copyOf(at.folder, folder, 'whole'), saved.id, 0);
  expect(whole.code).toBe(0);
  const steps = Number(whole.said);
  expect(steps).toBeGreaterThan(15);
  const outcomes: string[] = [];
  const killed = some(
    Array.from({ length: steps }, (_, n) => n + 1),
    3,
  );
  const points = killed.values();
  const work = async () => {
    for (const point of points) outcomes.push(await killedAt(copyOf(at.folder, folder, `${point}`), point));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(outcomes.filter((outcome) => !['old', 'new, finished', 'new'].includes(outcome))).toEqual([]);
  expect(outcomes).toContain('old');
  expect(outcomes.filter((outcome) => outcome === 'new, finished').length).toBeGreaterThan((8 * killed.length) / steps);

  async function killedAt(copy: string, point: number): Promise<string> {
    await restoreIn(copy, saved.id, point);
    const opened = await openWorkspace(join(copy, 'work'), { data: join(copy, 'data'), environment: process.env });
    if (!opened.ok) throw new Error(`${JSON.stringify(opened.error)} after step ${point}`);
    const workspace = opened.value;
    await workspace.stockTaken();
    const now = photograph(join(copy, 'work'));
    const isNew = now.get('a.txt') === next.get('a.txt');
    expect(now, `after step ${point}`).toEqual(isNew ? next : old);
    expect(readdirSync(join(copy, 'work', '.')).filter((name) => name.startsWith('.tmp'))).toEqual([]);
    const restored = workspace.operations(0, 1000).filter(({ kind }) => kind === 'restored');
    expect(restored.length, `after step ${point}`).toBe(isNew ? 1 : 0);
    const changes = value(await workspace.changes({ status: 'all' }));
    expect(
      changes.filter(({ cause }) => cause === 'reconcile'),
      `after step ${point}`,
    ).toEqual([]);
    const remark = (await workspace.status()).remarks.find((line) => line.includes('interrupted'));
    value(await workspace.restore(saved.id));
    expect(photograph(join(copy, 'work'))).toEqual(next);
    await workspace.close();
    rmSync(copy, { recursive: true, force: true });
    const how = remark === undefined ? '' : remark.includes('finished') ? ', finished' : ', taken back';
    return `${isNew ? 'new' : 'old'}${how}`;
  }
});

function copyOf(from: string, folder: string, name: string): string {
  const copy = join(folder, name);
  // Times and all, so that the copy looks as untouched as what it was made from.
  if (process.platform === 'win32') cpSync(from, copy, { recursive: true, preserveTimestamps: true });
  else execFileSync('cp', ['-a', from, copy]);
  return copy;
}

async function restoreIn(copy: string, id: string, point: number) {
  const args = [PROGRAM, join(copy, 'work'), join(copy, 'data'), id, String(point)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}
