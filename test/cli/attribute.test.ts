import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { McpClient } from '../mcp/client.fixture.js';
import { LIMIT_MS } from '../patience.fixture.js';
import { documentOf, ended, User, type Workspace } from './pal.fixture.js';

const user = new User();
afterAll(() => user.leave());

type Change = {
  readonly id: string;
  readonly session: string | null;
  readonly status: string;
  readonly candidates?: readonly { readonly session: string; readonly callId: string }[];
};
type Run = { readonly session: string; readonly changes: readonly Change[]; readonly perhaps: readonly Change[] };

/** Two commands that run at once, and may write anything; the second one writes a file. */
async function overlapping(workspace: Workspace): Promise<readonly [Run, Run]> {
  const flag = (name: string) => join(workspace.root, '..', `${workspace.root.split('/').at(-1)}.${name}`);
  const waiting = (mine: string, other: string) =>
    `touch '${flag(mine)}'; until [ -e '${flag(other)}' ]; do sleep 0.05; done; node -e 0`;
  const runFirst = ['run', '--json', '--agent', 'one', '--', 'sh', '-c', waiting('first', 'done')];
  // Listened to from the start: it may end before the other.
  const first = ended(user.start(runFirst, { cwd: workspace.root }));
  await expect.poll(() => existsSync(flag('first')), { timeout: LIMIT_MS }).toBe(true);
  const second = await user.pal(
    [
      'run',
      '--json',
      '--',
      'sh',
      '-c',
      `node -e 'require("fs").writeFileSync("new.txt", "made")'; touch '${flag('done')}'`,
    ],
    {
      cwd: workspace.root,
    },
  );
  return [documentOf<Run>(await first), documentOf<Run>(second)];
}

test('[REV1d] [REV1f] what either of two commands may have made is pending, and can be given to one and rejected with it', async () => {
  const workspace = user.workspace();
  const [first, second] = await overlapping(workspace);
  expect([first.changes, second.changes]).toEqual([[], []]);
  const [change] = second.perhaps;
  expect(new Set(change!.candidates!.map(({ session }) => session))).toEqual(new Set([first.session, second.session]));
  expect(first.perhaps.map(({ id }) => id)).toEqual([change!.id]);
  const listed = await workspace.pal('changes');
  expect(listed.stdout).toMatch(new RegExp(`^${change!.id}.* (one or run|run or one)\\? `, 'm'));
  const shown = (await workspace.pal('show')).stdout;
  expect(shown).toContain(`maybe   one, session ${first.session}, call run`);
  expect(shown).toContain(`pal attribute ${change!.id} SESSION`);
  expect((await workspace.pal('status')).stdout).toContain('1 of them by an unknown hand');
  expect(await workspace.pal('attribute', change!.id, 'run-')).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('several sessions begin with run-'),
  });
  const left = await workspace.json<{ rejected: string[]; left: { id: string }[] }>(
    'reject',
    '--session',
    second.session,
  );
  expect([left.rejected, left.left.map(({ id }) => id)]).toEqual([[], [change!.id]]);
  const given = await workspace.json<{ change: Change }>('attribute', change!.id, second.session.slice(0, -1));
  expect(given.change).toMatchObject({ session: second.session, status: 'pending' });
  expect((await workspace.pal('undo')).stdout).toContain('saying whose it was');
  expect(
    (await workspace.json<{ change: Change }>('attribute', change!.id, `${first.session}:run`)).change.session,
  ).toBe(first.session);
  const rejected = await workspace.json<{ rejected: string[] }>('reject', '--session', first.session);
  expect(rejected.rejected).toEqual([change!.id]);
  expect(existsSync(join(workspace.root, 'new.txt'))).toBe(false);
  expect((await workspace.pal('attribute', 'c9999.1', first.session)).exit).toBe(4);
});

test('[REV1f] the same through MCP, with how the session begins', async () => {
  const workspace = user.workspace();
  const [first, second] = await overlapping(workspace);
  const [change] = second.perhaps;
  const client = await McpClient.started(workspace);
  const begins = second.session.slice(0, -2);
  expect(first.session.startsWith(begins)).toBe(false);
  const given = await client.call('pal_attribute', { change: change!.id, session: begins });
  expect(given).toMatchObject({ failed: false, data: { change: { id: change!.id, session: second.session } } });
  expect(await client.call('pal_attribute', { change: change!.id, session: 'nobody' })).toMatchObject({ failed: true });
  expect(await client.call('pal_undo')).toMatchObject({ failed: false, data: { kind: 'attributed' } });
  await client.leave();
});

test('[REV3i] and rejected without being given to anybody, by name', async () => {
  const workspace = user.workspace();
  const [, second] = await overlapping(workspace);
  expect((await workspace.pal('reject', second.perhaps[0]!.id)).exit).toBe(0);
  expect(existsSync(join(workspace.root, 'new.txt'))).toBe(false);
});

test('[CAP4h] an agent with hooks within `pal run` is the author of what it does', async () => {
  const workspace = user.workspace();
  const pal = `'${process.execPath}' '${new URL('../../apps/pal/bin/pal.js', import.meta.url).pathname}'`;
  const hook = (event: string, more: object) =>
    `echo '${JSON.stringify({ session_id: 'inner', cwd: workspace.root, tool_use_id: 't1', tool_name: 'Bash', tool_input: { command: 'make' }, ...more })}' | ${pal} hook claude ${event}`;
  const script = [
    hook('PreToolUse', {}),
    'echo made > new.txt',
    hook('PostToolUse', { tool_response: {} }),
    'echo by itself > other.txt',
  ].join('\n');
  const ran = documentOf<Run>(await user.pal(['run', '--json', '--', 'sh', '-c', script], { cwd: workspace.root }));
  expect([ran.changes.length, ran.perhaps]).toEqual([1, []]);
  const { changes } = await workspace.json<{ changes: readonly (Change & { path: string })[] }>('changes');
  expect(changes.map(({ path, session }) => [path, session])).toEqual([
    ['new.txt', 'inner'],
    ['other.txt', ran.session],
  ]);
});
