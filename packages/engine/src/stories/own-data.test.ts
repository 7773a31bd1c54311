import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type OpenOptions, openWorkspace } from '../open-workspace.js';
import type { Workspace } from '../workspace.js';

const ended: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'pal-own-')));
  ended.push(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

async function opened(root: string, options: OpenOptions): Promise<Workspace> {
  const answer = await openWorkspace(root, { environment: process.env, ...options });
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  ended.push(() => answer.value.close());
  await answer.value.stockTaken();
  return answer.value;
}

let calls = 0;
async function run(workspace: Workspace, act: () => void): Promise<readonly string[]> {
  const call = { session: 's', callId: `call-${calls++}` };
  await workspace.begin({ ...call, tool: 'Bash', input: { command: './anything' } });
  act();
  const end = await workspace.end(call);
  return end.ok ? end.value.changes.map(({ file }) => file.path) : [];
}

test('[CAP18a] our own data in the workspace is not part of it, nor is that of another workspace', async () => {
  const root = folder();
  const home = join(root, 'deep/home');
  const other = join(home, 'workspaces/other/log.sqlite');
  mkdirSync(join(home, 'workspaces/other'), { recursive: true });
  writeFileSync(other, 'of another workspace');
  writeFileSync(join(root, 'a'), 'a');
  const workspace = await opened(root, { data: join(home, 'workspaces/this'), own: [home] });
  expect((await workspace.status()).coverage.files).toBe(1);
  const changed = await run(workspace, () => {
    writeFileSync(join(root, 'b'), 'b');
    writeFileSync(other, 'more of it');
    writeFileSync(join(home, 'daemon.json'), '{}');
  });
  expect(changed).toEqual(['b']);
  await workspace.look();
  expect((await workspace.status()).coverage.files).toBe(2);
});

test('[CAP18a] the same through another spelling of it', async () => {
  const place = folder();
  const root = join(place, 'work');
  mkdirSync(join(root, 'home'), { recursive: true });
  symlinkSync(join(root, 'home'), join(place, 'spelled'));
  symlinkSync(root, join(place, 'work-spelled'));
  const data = join(place, 'spelled/data');
  const workspace = await opened(join(place, 'work-spelled'), { data });
  expect((await workspace.status()).coverage.files).toBe(0);
  expect(await run(workspace, () => writeFileSync(join(root, 'home/data/x'), 'x'))).toEqual([]);
  expect(await run(workspace, () => writeFileSync(join(root, 'home/y'), 'y'))).toEqual(['home/y']);
});

test('[CAP18b] a folder of the system or of our own data is refused as a workspace', async () => {
  const home = folder();
  const inside = join(home, 'workspaces/x');
  mkdirSync(inside, { recursive: true });
  const link = join(folder(), 'link');
  symlinkSync(home, link);
  for (const root of [home, inside, link])
    expect(await openWorkspace(root, { data: join(home, 'workspaces/y'), own: [home] })).toEqual({
      ok: false,
      error: { code: 'not-a-workspace', root, why: 'own-data' },
    });
  for (const root of ['/proc', '/proc/self', '/sys', '/sys/kernel', '/dev'])
    expect(await openWorkspace(root, { data: join(home, 'workspaces/y') })).toEqual({
      ok: false,
      error: { code: 'not-a-workspace', root, why: 'system' },
    });
});
