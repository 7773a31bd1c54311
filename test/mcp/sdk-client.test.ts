import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Ajv, AjvJsonSchemaValidator, addFormats } from '@modelcontextprotocol/client/validators/ajv';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/client/validators/cf-worker';
import { afterAll, describe, expect, test } from 'vitest';
import { PAL, User, type Workspace } from '../cli/pal.fixture.js';

const user = new User();
afterAll(() => user.leave());

/** The official client checks every answer against the schema of its tool, and throws where they do not fit. */
const VALIDATORS = [
  ['of JSON Schema 2020-12', () => new AjvJsonSchemaValidator()],
  // As the first generation of the SDK has it, and with it Gemini CLI and opencode.
  ['of draft 7, whatever the schema says it is', draft7],
  ['that compiles nothing', () => new CfWorkerJsonSchemaValidator()],
] as const;

describe.each(VALIDATORS)('a validator %s', (_, validator) => {
  test('[AGT2h] every tool is called, with something to tell, and each answer fits its schema', async () => {
    const workspace = user.workspace();
    const client = await connected(workspace, validator());
    const { tools } = await client.listTools();
    const answered = new Set<string>();
    const call = async (name: string, given: Readonly<Record<string, unknown>> = {}) => {
      answered.add(name);
      const { structuredContent, isError, content } = await client.callTool({ name, arguments: given });
      expect(isError, JSON.stringify(content)).not.toBe(true);
      return structuredContent as Readonly<Record<string, unknown>>;
    };

    await call('pal_read', { path: 'a.txt' });
    const { checkpoint } = (await call('pal_checkpoint_save')) as { checkpoint: { id: string } };
    const from = checkpoint.id;
    await call('pal_checkpoint_list');
    const edited = await call('pal_edit', { path: 'a.txt', old_string: 'two', new_string: '2' });
    const [{ id: change }] = edited.changes as [{ id: string }];
    await call('pal_write', { path: 'b.txt', content: 'b\n' });
    await call('pal_checkpoint_diff', { from });
    workspace.write('a.txt', 'one\n2\nthree\nfour\n');
    const stale = await call('pal_stale');
    expect(stale).toMatchObject({ files: [{ path: 'a.txt', state: 'stale' }, {}], notices: [{ path: 'a.txt' }] });
    await call('pal_acknowledge', { up_to: stale.seq });
    await call('pal_status');
    await call('pal_changes', { status: 'all' });
    await call('pal_diff', { change });
    await call('pal_blame', { path: 'a.txt' });
    await call('pal_log');
    await call('pal_open', { act: 'pin', paths: ['a.txt'] });
    const { files: opened } = await call('pal_opened');
    expect(opened).toMatchObject([{ path: 'a.txt' }, { path: 'b.txt' }]);
    await call('pal_context', { prompt: 'what does a.txt say?' });
    await call('pal_patches');
    await call('pal_patches', { show: 'b.txt' });
    await call('pal_search', { text: 'a.txt' });
    await call('pal_note_read', { path: 'a.txt', lines: [1, 2] });
    await call('pal_reject', { changes: [change] });
    await call('pal_undo');
    await call('pal_accept', { all: true });
    const { token } = await call('pal_restore_plan', { checkpoint: from });
    await call('pal_restore_apply', { checkpoint: from, token });
    await call('pal_hook', { agent: 'claude', hook_event_name: 'Stop', session_id: 'S', cwd: workspace.root });

    // What has no candidates cannot be attributed; that it has a schema like the others is all that can be seen here.
    const attributed = await client.callTool({ name: 'pal_attribute', arguments: { change, session: 'S' } });
    expect(attributed.isError).toBe(true);
    expect([...answered, 'pal_attribute'].sort()).toEqual(tools.map(({ name }) => name).sort());
    await client.close();
  });
});

test('[AGT2h] no schema has a list whose places differ: validators do not agree on how that is said', async () => {
  const client = await connected(user.workspace(), new AjvJsonSchemaValidator());
  const { tools } = await client.listTools();
  for (const { name, inputSchema, outputSchema } of tools) {
    const words = JSON.stringify([inputSchema, outputSchema]);
    expect(words, name).not.toMatch(/"(?:prefixItems|additionalItems|unevaluatedItems)"|"items":(?:false|\[)/);
  }
  await client.close();
});

async function connected(
  workspace: Workspace,
  jsonSchemaValidator: AjvJsonSchemaValidator | CfWorkerJsonSchemaValidator,
) {
  const client = new Client({ name: 'sdk', version: '1' }, { jsonSchemaValidator });
  const server = { command: process.execPath, args: [PAL, 'mcp'], cwd: workspace.root, env: user.environment };
  await client.connect(new StdioClientTransport(server));
  return client;
}

function draft7(): AjvJsonSchemaValidator {
  const ajv = new Ajv({ strict: false, validateFormats: true, validateSchema: false, allErrors: true });
  addFormats(ajv);
  return new AjvJsonSchemaValidator(ajv);
}
