import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { User } from '../cli/pal.fixture.js';
import { McpClient } from './client.fixture.js';

const user = new User();
afterAll(() => user.leave());

/** What a client leaves standing for a field that the event does not have. */
const PLACEHOLDER = '$' + '{tool_response}';

test('[AGT2f] hooks that come as calls of a tool are taken, and answered in the form that both clients read', async () => {
  const workspace = user.workspace();
  const file = join(workspace.root, 'a.txt');
  const client = await McpClient.started(workspace, 'claude-code');
  const hook = (hook_event_name: string, tool_use_id: string, tool_name: string, input: Record<string, string>) =>
    client.call('pal_hook', {
      agent: 'claude',
      hook_event_name,
      session_id: 'claude-1',
      cwd: workspace.root,
      tool_name,
      tool_use_id,
      tool_input: JSON.stringify({ file_path: file, ...input }),
      tool_response: hook_event_name === 'PreToolUse' ? PLACEHOLDER : '',
    });
  const read = {};
  expect(await hook('PreToolUse', 't1', 'Read', read)).toMatchObject({ failed: false, text: '{}', data: {} });
  expect(JSON.parse((await hook('PostToolUse', 't1', 'Read', read)).text)).toEqual({});
  workspace.write('a.txt', 'one\nTWO\nthree\n');
  const edit = { old_string: 'two', new_string: '2' };
  const denied = JSON.parse((await hook('PreToolUse', 't2', 'Edit', edit)).text) as object;
  expect(denied).toEqual({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('+TWO'),
    },
  });

  await hook('PreToolUse', 't3', 'Read', read);
  await hook('PostToolUse', 't3', 'Read', read);
  const mended = { old_string: 'TWO', new_string: '2' };
  expect(await hook('PreToolUse', 't4', 'Edit', mended)).toMatchObject({ text: '{}' });
  workspace.write('a.txt', 'one\n2\nthree\n');
  await hook('PostToolUse', 't4', 'Edit', mended);
  expect(await workspace.json('changes')).toMatchObject({
    changes: [{ session: 'claude-1', callId: 't4', tool: 'Edit', evidence: 'exact' }],
  });
  await client.leave();
});

test('[SEC4h] a hook that cannot be understood never stands in the way', async () => {
  const client = await McpClient.started(user.workspace());
  for (const strange of [
    { agent: 'codex', hook_event_name: 'NoSuchEvent' },
    { agent: 'codex', hook_event_name: 'PreToolUse', session_id: ['x'], tool_input: 'x' },
    { agent: 'claude', hook_event_name: 'PreToolUse', session_id: 's', ['__proto__']: { a: 1 }, '': 2 },
    { agent: 'claude', hook_event_name: '../../x', session_id: 's', cwd: '/nowhere/at/all' },
  ])
    expect(await client.call('pal_hook', strange)).toMatchObject({ failed: false, text: '{}' });
  expect(await client.call('pal_hook', { agent: 'nobody', hook_event_name: 'x' })).toMatchObject({ failed: true });
  await client.leave();
});
