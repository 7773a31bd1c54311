import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { User, type Workspace } from '../cli/pal.fixture.js';
import { LIMIT_MS } from '../patience.fixture.js';

const TEXT = '1\n2\n3\n4\n5\n6\n7\n';
const EDITED = TEXT.replace('2\n', 'two\n');
const WITH_MINE = EDITED.replace('6\n', 'mine\n');

let user: User;
let workspace: Workspace;
beforeEach(async () => {
  user = new User();
  workspace = user.workspace({ 'a.txt': TEXT, 'b.txt': 'b\n' });
  await hook('SessionStart', { source: 'startup' });
  await call('t0', 'Bash', { command: 'echo made > c.txt' }, () => workspace.write('c.txt', 'made\n'));
  await call('t1', 'Read', { file_path: join(workspace.root, 'a.txt') }, () => undefined);
});
afterEach(() => user.leave());

test.each([
  ['between the begin and the tool', 'begin'],
  ['between the tool and the end', 'tool'],
] as const)('[CAP3g] a daemon killed %s: the edit is the call’s, a person’s line is not', async (_, when) => {
  const input = { file_path: join(workspace.root, 'a.txt'), old_string: '2\n', new_string: 'two\n' };
  await hook('PreToolUse', { tool_use_id: 't2', tool_name: 'Edit', tool_input: input });
  if (when === 'begin') process.kill(daemonPid(), 'SIGKILL');
  workspace.write('a.txt', WITH_MINE);
  if (when === 'tool') process.kill(daemonPid(), 'SIGKILL');
  await hook('PostToolUse', { tool_use_id: 't2', tool_name: 'Edit', tool_input: input, tool_response: {} });
  const changes = await ofFile('a.txt');
  expect(changes.filter(({ callId }) => callId !== null).map(({ callId }) => callId)).toEqual(['t2']);
  expect(await blamed('two')).toBe('agent');
  expect(await blamed('mine')).not.toBe('agent');
  expect(await denied()).toEqual([]);
});

test('[CAP3h] a daemon that is held up for longer than hooks wait: what ran is not denied, and is the call’s', async () => {
  workspace.write('a.txt', TEXT.replace('7\n', 'seven\n'));
  await workspace.json('status');
  // The agent has not seen the person's line: in time, this would be denied.
  const input = { file_path: join(workspace.root, 'a.txt'), old_string: '2\n', new_string: 'two\n' };
  const pid = daemonPid();
  process.kill(pid, 'SIGSTOP');
  try {
    await hook('PreToolUse', { tool_use_id: 't2', tool_name: 'Edit', tool_input: input });
    workspace.write('a.txt', EDITED.replace('7\n', 'seven\n'));
    await hook('PostToolUse', { tool_use_id: 't2', tool_name: 'Edit', tool_input: input, tool_response: {} });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await expect.poll(() => blamed('two'), { timeout: LIMIT_MS, interval: 200 }).toBe('agent');
  expect(await blamed('seven')).toBe('human');
  expect(await denied()).toEqual([]);
});

test('[CAP4e] a shell in the background that writes later is not taken for a person', async () => {
  const input = { command: 'sleep 1; make', run_in_background: true };
  await call('t3', 'Bash', input, () => undefined);
  workspace.write('b.txt', 'made later\n');
  const [change] = await ofFile('b.txt');
  expect(change).toMatchObject({ status: 'pending', session: null, candidates: [{ session: 'S', callId: 't3' }] });
  await hook('Stop', { stop_hook_active: false, background_tasks: [] });
  workspace.write('b.txt', 'mine\n');
  expect((await ofFile('b.txt')).at(-1)).toMatchObject({ author: { kind: 'human' } });
});

type Change = {
  readonly callId: string | null;
  readonly session: string | null;
  readonly status: string;
  readonly author: { readonly kind: string };
};

function hook(event: string, more: object) {
  const payload = { session_id: 'S', cwd: workspace.root, hook_event_name: event, ...more };
  return workspace.say(['hook', 'claude', event], payload);
}

async function call(id: string, tool: string, input: object, act: () => void): Promise<void> {
  const facts = { tool_use_id: id, tool_name: tool, tool_input: input };
  await hook('PreToolUse', facts);
  act();
  await hook('PostToolUse', { ...facts, tool_response: {} });
}

async function ofFile(path: string): Promise<readonly Change[]> {
  await workspace.json('blame', path);
  const { changes } = await workspace.json<{ changes: readonly Change[] }>(
    'changes',
    '--status',
    'all',
    '--path',
    path,
  );
  return changes;
}

async function blamed(text: string): Promise<string | undefined> {
  const { lines } = await workspace.json<{ lines: readonly { text: string; author: { kind: string } }[] }>(
    'blame',
    'a.txt',
  );
  return lines.find((line) => line.text === text)?.author.kind;
}

async function denied(): Promise<readonly unknown[]> {
  const { operations } = await workspace.json<{ operations: readonly { kind: string; decision?: string }[] }>('log');
  return operations.filter(({ kind, decision }) => kind === 'call-began' && decision === 'deny');
}

function daemonPid(): number {
  return (JSON.parse(readFileSync(join(user.data, 'daemon.json'), 'utf8')) as { pid: number }).pid;
}
