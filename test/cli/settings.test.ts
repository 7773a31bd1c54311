import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { User } from './pal.fixture.js';

let user: User;
afterEach(() => user.leave());

test('[FRE4b] the policy of the guard is set per workspace, holds at once, and can be unset', async () => {
  user = new User();
  const [one, other] = [user.workspace(), user.workspace()];
  const edit = { session: 'S', tool: 'Edit', input: { file_path: 'a.txt', old_string: 'one', new_string: '1' } };
  const decide = async (workspace: typeof one, callId: string) =>
    (await workspace.say(['tool', 'begin', '--json'], { ...edit, callId })).exit;
  expect(await decide(one, 'c1')).toBe(5);
  expect((await one.pal('settings', 'guard.unseen', 'off')).exit).toBe(0);
  expect([await decide(one, 'c2'), await decide(other, 'c3')]).toEqual([0, 5]);
  const { set } = await one.json<{ set: object }>('settings');
  expect(set).toEqual({ 'guard.unseen': 'off' });
  await one.pal('settings', 'guard.unseen', '--unset');
  expect(await decide(one, 'c4')).toBe(5);
});

test('[INT2c] a settings file that is none is told of, nothing in it holds, and it is not written over', async () => {
  user = new User();
  const workspace = user.workspace();
  await workspace.pal('settings', 'guard.unseen', 'off');
  await workspace.pal('stop');
  const [folder] = readdirSync(join(user.data, 'workspaces'));
  const file = join(user.data, 'workspaces', folder!, 'settings.json');
  writeFileSync(file, '{"guard.unseen": "off",');
  expect((await workspace.pal('status')).stdout).toContain(`${file} is no settings file`);
  const changed = await workspace.pal('settings', 'guard.unseen', 'warn');
  expect([changed.exit, changed.stderr]).toEqual([1, expect.stringContaining(`${file} is damaged`)]);
  expect(readFileSync(file, 'utf8')).toBe('{"guard.unseen": "off",');
});

test('[INT2c] a setting or a value that there is not is refused, and nothing changes', async () => {
  user = new User();
  const workspace = user.workspace();
  expect((await workspace.pal('settings', 'guard.nothing', 'off')).exit).toBe(2);
  expect((await workspace.pal('settings', 'guard.stale', 'sometimes')).exit).toBe(2);
  expect((await workspace.json<{ set: object }>('settings')).set).toEqual({});
});

test('[INT2c] a value and --unset at once, or --unset of nothing, are refused, and nothing changes', async () => {
  user = new User();
  const workspace = user.workspace();
  await workspace.pal('settings', 'guard.unseen', 'off');
  const both = await workspace.pal('settings', 'guard.unseen', 'warn', '--unset');
  expect([both.exit, both.stderr]).toEqual([2, expect.stringContaining('either --unset or warn, not both')]);
  expect((await workspace.pal('settings', '--unset')).exit).toBe(2);
  expect((await workspace.json<{ set: object }>('settings')).set).toEqual({ 'guard.unseen': 'off' });
});

test('[INT2d] [INT2e] amounts as people write them, on the command line and by hand, and words for what cannot be', async () => {
  user = new User();
  const workspace = user.workspace();
  expect((await workspace.pal('settings', 'checkpoints.keptAgeMs', '30d')).stdout).toMatch(
    /^checkpoints\.keptAgeMs {2}30d {2}\(set here\)\n {2}Automatic ones older than this go\./,
  );
  const [folder] = readdirSync(join(user.data, 'workspaces'));
  writeFileSync(join(user.data, 'workspaces', folder!, 'settings.json'), '{"checkpoints.storeBytes": "2GB"}');
  const { effective } = await workspace.json<{ effective: { checkpoints: object } }>('settings');
  expect(effective.checkpoints).toMatchObject({ storeBytes: 2 * 1024 ** 3 });
  const wrong = async (...words: string[]) => (await workspace.pal('settings', ...words)).stderr;
  expect(await wrong('guard.stale', 'never')).toBe('pal: guard.stale must be deny, warn or off\n');
  expect(await wrong('callLifetimeMs', 'soon')).toContain('callLifetimeMs is a time such as');
  expect(await wrong('commitAccepts', 'perhaps')).toContain('commitAccepts must be true or false');
  expect(await wrong('checkpoints.keptCount', '--', '-5')).toBe('pal: checkpoints.keptCount must be 0 or more\n');
  expect(await wrong('checkpoints.keptCount', '9'.repeat(30))).toBe(
    'pal: checkpoints.keptCount must be at most 9007199254740991\n',
  );
  expect(await wrong('checkpoints.keptCount', '1.5')).toContain('checkpoints.keptCount must be a whole number');
  expect(await wrong('checkpoints.storeBytes', '--', '-1GB')).toContain('is a size such as');
  expect(await wrong('callLifetimeMs', `${'9'.repeat(30)}d`)).toContain('callLifetimeMs is a time such as');
  expect(await wrong('scratch', '[1]')).toBe('pal: scratch.0 must be a text\n');
});

test('[INT2d] a line of text is taken as it is written, whatever else it could mean', async () => {
  user = new User();
  const workspace = user.workspace();
  for (const line of ['npm ci && npm run build', 'true', '30', '["a"]', 'echo "x"']) {
    const { set } = await workspace.json<{ set: object }>('settings', 'worktree.setup', line);
    expect(set).toEqual({ 'worktree.setup': line });
  }
  const { set } = await workspace.json<{ set: object }>('settings', 'worktree.setup', '""');
  expect(set).toEqual({ 'worktree.setup': '' });
});
