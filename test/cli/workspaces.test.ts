import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../patience.fixture.js';
import { ended, User } from './pal.fixture.js';

let user: User;
beforeEach(() => {
  user = new User();
});
afterEach(() => user.leave());

type Facts = {
  id: string;
  root: string;
  open: boolean;
  there: boolean;
  bytes: number;
  waiting: object | null;
  usedAt: string;
};

test('[INT4a] all that are known, with what waits, open or closed, there or not', async () => {
  const [one, other] = [user.workspace(), user.workspace()];
  await one.call('S', 'c1', 'Write', { file_path: 'n.txt', content: 'n\n' }, () => one.write('n.txt', 'n\n'));
  await other.pal('status');
  const facts = async () => {
    const { workspaces } = await user.workspace().json<{ workspaces: Facts[] }>('workspaces');
    return [one, other].map(({ root }) => workspaces.find((each) => each.root === root)!);
  };
  const waiting = [
    { changes: 1, conflicts: 0 },
    { changes: 0, conflicts: 0 },
  ];
  expect(await facts()).toMatchObject(waiting.map((each) => ({ open: true, there: true, waiting: each })));
  await one.pal('stop');
  renameSync(other.root, `${other.root}-moved`);
  expect(await facts()).toMatchObject([
    { open: false, there: true, waiting: waiting[0] },
    { open: false, there: false, waiting: waiting[1] },
  ]);
  const { stdout } = await one.pal('workspaces');
  expect(stdout).toContain(`${other.root} (gone)`);
  expect(stdout).toMatch(/1 change /);
});

test('[INT4a] the last use is when somebody last asked for it, not when it was closed', async () => {
  const workspace = user.workspace();
  await workspace.pal('status');
  const usedAt = async () => (await workspace.json<{ workspaces: Facts[] }>('workspaces')).workspaces[0]!.usedAt;
  const before = await usedAt();
  expect(Date.parse(before)).toBeLessThanOrEqual(Date.now());
  await workspace.pal('stop');
  expect(await usedAt()).toBe(before);
  await workspace.pal('status');
  expect(await usedAt()).not.toBe(before);
});

test('[INT4a] a folder that was refused is not one of them, and nothing is kept of it', async () => {
  const refused = await user.pal(['status'], { cwd: user.environment.HOME! });
  expect(refused.stderr).toContain('too wide');
  expect(readdirSync(join(user.data, 'workspaces'))).toEqual([]);
});

test('[INT4b] forgetting one says first what would go, and leaves the files', async () => {
  const workspace = user.workspace();
  await workspace.call('S', 'c1', 'Write', { file_path: 'n', content: 'n' }, () => workspace.write('n', 'n'));
  const kept = () => readdirSync(join(user.data, 'workspaces'));
  expect(kept()).toHaveLength(1);
  expect((await workspace.pal('forget-workspace', '.')).stdout).toContain('1 change in it');
  expect((await workspace.pal('forget-workspace', 'nowhere')).exit).toBe(4);
  expect((await workspace.pal('forget-workspace', '', '--yes')).exit).toBe(2);
  expect((await workspace.pal('reject', '--path', '')).exit).toBe(2);
  expect(kept()).toHaveLength(1);
  expect((await workspace.pal('forget-workspace', '.', '--yes')).stdout).toContain('its own files are as they were');
  expect([kept(), workspace.read('n')]).toEqual([[], 'n']);
  expect((await workspace.json<{ pending: object }>('status')).pending).toMatchObject({ changes: 0 });
});

test('[INT4c] status is shown again when something changes, and a refusal rings', async () => {
  const workspace = user.workspace();
  await workspace.pal('status');
  const child = user.start(['-C', workspace.root, 'status', '--watch', '--notify', 'bell', '--json']);
  const seen = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]!.setEncoding('utf8').on('data', (text: string) => {
      seen[name] += text;
    });
  const over = ended(child);
  await until(() => seen.stdout.includes('\n'));
  writeFileSync(join(workspace.root, 'n.txt'), 'n\n');
  const edit = { session: 'S', tool: 'Edit', input: { file_path: 'a.txt', old_string: 'one', new_string: '1' } };
  await workspace.say(['tool', 'begin'], { ...edit, callId: 'c1' });
  await until(() => seen.stderr.includes('\u0007'));
  child.kill('SIGTERM');
  await over;
  const documents = seen.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { seq: number });
  expect(documents.length).toBeGreaterThan(1);
  expect(documents.at(-1)!.seq).toBeGreaterThan(documents[0]!.seq);
});

test('[INT4d] at a terminal the next command is named once, and never elsewhere', async () => {
  const workspace = user.workspace();
  await workspace.call('S', 'c1', 'Write', { file_path: 'n', content: 'n' }, () => workspace.write('n', 'n'));
  const shown = async (terminal: string, ...words: string[]) => {
    const { stdout, stderr } = await user.pal(words, {
      cwd: workspace.root,
      env: { PAL_TERMINAL: terminal, NO_COLOR: '1' },
    });
    return `${stdout}${stderr}`.match(/→ `pal [^`]*`/g) ?? [];
  };
  expect(await shown('80', 'status')).toEqual(['→ `pal show`']);
  expect(await shown('80', 'changes')).toEqual([expect.stringMatching(/^→ `pal show c\d+\.1`$/)]);
  expect(await shown('80', 'run', '--', 'touch', 'made')).toEqual([
    expect.stringMatching(/^→ `pal show --session run-/),
  ]);
  for (const command of [['status'], ['changes'], ['status', '--json']])
    expect(await shown('', ...command)).toEqual([]);
  expect(await shown('80', 'status', '--json')).toEqual([]);
  expect(existsSync(join(workspace.root, 'made'))).toBe(true);
});
