import { afterAll, describe, expect, test } from 'vitest';
import { User } from '../cli/pal.fixture.js';
import { McpClient } from './client.fixture.js';

const user = new User();
afterAll(() => user.leave());

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('introductions', () => {
  test.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
  ])('[AGT2c] a client that asks for %s gets %s', async (asked, got) => {
    const client = new McpClient(user.workspace());
    const { result } = await client.introduce('probe', asked);
    expect(result).toMatchObject({
      protocolVersion: got,
      serverInfo: { name: 'palimpsest' },
      capabilities: { tools: {}, resources: {} },
    });
    expect(await client.tools()).not.toHaveLength(0);
    expect(await client.leave()).toMatchObject({ exit: 0, stderr: '' });
  });

  test('[AGT2c] a client that looks first, as Claude Code does, may then begin in the old way', async () => {
    const client = new McpClient(user.workspace());
    const looked = await client.ask('server/discover', { _meta: ENVELOPE });
    expect(looked.result).toMatchObject({ supportedVersions: expect.arrayContaining(['2026-07-28']) });
    const { result } = await client.introduce('claude-code', '2025-11-25', { roots: {} });
    expect(result).toMatchObject({ protocolVersion: '2025-11-25' });
    expect(await client.tools()).not.toHaveLength(0);
    await client.leave();
  });

  test('[AGT2c] a client of 2026-07-28 says who it is with every request', async () => {
    const workspace = user.workspace();
    const client = new McpClient(workspace);
    const asked = { name: 'pal_read', arguments: { path: 'a.txt' }, _meta: ENVELOPE };
    const { result } = await client.ask('tools/call', asked);
    expect(result).toMatchObject({ structuredContent: { content: 'one\ntwo\nthree\n' } });
    await client.leave();
    const { sessions } = await workspace.json<{ sessions: { agent: string; state: string }[] }>('session', 'list');
    expect(sessions).toMatchObject([{ agent: 'modern', state: 'ended' }]);
  });

  test('[AGT2c] whatever is no message is passed over, and the connection lives on', async () => {
    const client = await McpClient.started(user.workspace());
    client.send('this is not JSON');
    client.send('[]');
    client.send('{"jsonrpc":"2.0"}');
    expect(await client.ask('ping')).toMatchObject({ result: {} });
    expect(await client.ask('no/such/method')).toMatchObject({ error: { code: -32601 } });
    expect(await client.ask('tools/call', { name: 'pal_nothing' })).toMatchObject({ error: { code: -32602 } });
    expect((await client.leave()).exit).toBe(0);
  });
});

describe('what is offered', () => {
  test('[AGT2c] every tool has a title, schemas, and says whether it changes anything', async () => {
    const client = await McpClient.started(user.workspace());
    const tools = await client.tools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
    for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
      expect(name).toMatch(/^pal_[a-z_]+$/);
      expect(title, name).not.toBe('');
      expect(description.length, name).toBeGreaterThan(20);
      expect(inputSchema, name).toMatchObject({ type: 'object' });
      // What a hook answers is read from the text alone.
      if (name === 'pal_hook') expect(outputSchema).toBeUndefined();
      else expect(outputSchema, name).toMatchObject({ type: 'object', properties: expect.anything() });
      expect(annotations, name).toMatchObject({
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
        openWorldHint: false,
      });
    }
    const looking = tools.filter(({ annotations }) => annotations.readOnlyHint).map(({ name }) => name);
    expect(looking).toEqual(LOOKING);
    const replacing = tools.filter(({ annotations }) => annotations.destructiveHint).map(({ name }) => name);
    expect(replacing).toEqual(REPLACING);
    await client.leave();
  });

  test('[AGT2c] looking around records nothing and starts no session', async () => {
    const workspace = user.workspace();
    const client = await McpClient.started(workspace);
    await client.call('pal_status');
    await client.call('pal_changes');
    await client.call('pal_stale');
    await client.leave();
    expect(await workspace.json('session', 'list')).toEqual({ sessions: [] });
  });
});

const TOOLS = [
  ...['pal_status', 'pal_changes', 'pal_diff', 'pal_stale', 'pal_blame', 'pal_log', 'pal_search'],
  ...['pal_opened', 'pal_open', 'pal_patches', 'pal_context'],
  ...['pal_checkpoint_save', 'pal_checkpoint_list', 'pal_checkpoint_diff', 'pal_restore_plan', 'pal_restore_apply'],
  ...['pal_accept', 'pal_reject', 'pal_attribute', 'pal_undo'],
  ...['pal_note_read', 'pal_acknowledge', 'pal_read', 'pal_edit', 'pal_write', 'pal_hook'],
];
const LOOKING = [
  ...['pal_status', 'pal_changes', 'pal_diff', 'pal_stale', 'pal_blame', 'pal_log', 'pal_search'],
  ...['pal_opened', 'pal_patches', 'pal_checkpoint_list', 'pal_checkpoint_diff', 'pal_restore_plan'],
];
const REPLACING = ['pal_restore_apply', 'pal_reject', 'pal_undo', 'pal_edit', 'pal_write'];
