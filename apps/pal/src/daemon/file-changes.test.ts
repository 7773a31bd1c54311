import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventParser } from '@palimpsest/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AUTHORITY, must, Stage, TOKEN } from './app.fixture.js';

const stage = new Stage();
let root: string;
const headers = { authorization: `Bearer ${TOKEN}`, host: AUTHORITY, 'content-type': 'application/json' };
const ask = (path: string, method = 'GET') => stage.app.request(`http://${AUTHORITY}${path}`, { method, headers });

type Listed = { readonly tool_call_id: string; readonly file_path: string };

async function listed(): Promise<readonly Listed[]> {
  const answer = (await (await ask('/sessions/sess/file-changes')).json()) as {
    readonly file_changes: readonly Listed[];
  };
  return answer.file_changes;
}

type Decided = { readonly file_changes: readonly Listed[] };
type Told = { readonly event: string; readonly data: Record<string, unknown>; readonly id: string | null };

async function eventsUntil(holds: (told: readonly Told[]) => boolean): Promise<readonly Told[]> {
  const parser = new EventParser();
  const told: Told[] = [];
  const reader = (await ask('/sessions/sess/events?since=0')).body!.getReader();
  while (!holds(told)) {
    const { value } = await reader.read();
    for (const { event, data, id } of parser.push(new TextDecoder().decode(value))) {
      told.push({ event, data: JSON.parse(data) as Told['data'], id });
    }
  }
  await reader.cancel();
  return told;
}

beforeAll(async () => {
  root = stage.makeRoot();
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src', 'a.ts'), 'one\ntwo\n');
  const client = stage.client(root);
  must(await client.startSession({ body: { id: 'sess', agent: 'claude' } }));
  must(await client.addNote({ body: { kind: 'read', session: 'sess', path: 'src/a.ts' } }));
  const edit = { file_path: 'src/a.ts', old_string: 'two', new_string: 'TWO' };
  must(
    await client.beginCall({
      body: {
        session: 'sess',
        callId: 'edit',
        tool: 'Edit',
        input: edit,
        agentId: 'agent-1',
        messageIndex: 3,
      },
    }),
  );
  writeFileSync(join(root, 'src', 'a.ts'), 'one\nTWO\n');
  must(await client.endCall({ body: { session: 'sess', callId: 'edit' } }));
  must(await client.beginCall({ body: { session: 'sess', callId: 'sh', tool: 'Bash', input: { command: 'make' } } }));
  writeFileSync(join(root, 'x.bin'), Buffer.from([0xff, 0, 1]));
  writeFileSync(join(root, 'y.txt'), 'y\n');
  must(await client.endCall({ body: { session: 'sess', callId: 'sh' } }));
});
afterAll(() => stage.close());

test('[SRV2a] the changes of a session are listed in the field names of the earlier tracker', async () => {
  const file_changes = await listed();
  expect(file_changes).toHaveLength(3);
  expect(file_changes[0]).toMatchObject({
    file_path: join(root, 'src/a.ts'),
    agent_id: 'agent-1',
    change_type: 'modify',
    tool_call_id: 'edit',
    tool_name: 'Edit',
    message_index: 3,
    old_content: 'one\ntwo\n',
    new_content: 'one\nTWO\n',
    pre_tool_content: 'one\ntwo\n',
    added_ranges: [{ startLine: 2, endLine: 2 }],
    removed_ranges: [{ startLine: 2, endLine: 2 }],
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    status: 'pending',
  });
});

test('[SRV2a] a call that changed several files has numbered records, and bytes that are no text are base64', async () => {
  const file_changes = await listed();
  const made = file_changes.slice(1);
  expect(new Set(made.map((record) => record.tool_call_id))).toEqual(new Set(['sh:0', 'sh:1']));
  const binary = made.find((record) => record.file_path.endsWith('x.bin'));
  expect(binary).toMatchObject({
    change_type: 'create',
    old_content: null,
    new_content: '/wAB',
    base64_fields: ['new_content'],
  });
});

test('[SRV2b] events have the names of the earlier tracker, ids, and no contents', async () => {
  const events = await eventsUntil((told) => told.filter(({ event }) => event === 'file_changed').length === 3);
  expect(events.map(({ event }) => event)).toEqual(['hello', 'file_changed', 'file_changed', 'file_changed']);
  expect(events[1]!.data).toMatchObject({
    tool_call_id: 'edit',
    file_path: join(root, 'src/a.ts'),
    new_content: null,
    status: 'pending',
  });
  expect(Number(events[1]!.id)).toBeGreaterThan(0);
});

test('[SRV2c] a call that is not there cannot be decided on', async () => {
  expect((await ask('/sessions/sess/file-changes/none/accept', 'POST')).status).toBe(404);
});

test('[SRV2c] a record is accepted and another one rejected by their ids, and the file follows', async () => {
  const accepted = (await (await ask('/sessions/sess/file-changes/edit/accept', 'POST')).json()) as Decided;
  expect(accepted.file_changes).toMatchObject([
    { status: 'accepted', tool_call_id: 'edit', file_path: join(root, 'src/a.ts') },
  ]);
  const text = (await listed()).find((record) => record.file_path.endsWith('y.txt'))!;
  const rejected = (await (
    await ask(`/sessions/sess/file-changes/${text.tool_call_id}/reject`, 'POST')
  ).json()) as Decided;
  expect(rejected.file_changes).toMatchObject([{ status: 'rejected', tool_call_id: text.tool_call_id }]);
  expect([existsSync(join(root, 'y.txt')), existsSync(join(root, 'x.bin'))]).toEqual([false, true]);
});

test('[SRV2c] all that is left of a session is rejected at once', async () => {
  const rejected = (await (await ask('/sessions/sess/file-changes/reject-all', 'POST')).json()) as Decided;
  expect(rejected.file_changes).toMatchObject([{ status: 'rejected', file_path: join(root, 'x.bin') }]);
  expect(existsSync(join(root, 'x.bin'))).toBe(false);
  expect(readFileSync(join(root, 'src', 'a.ts'), 'utf8')).toBe('one\nTWO\n');
});

test('[SRV2b] verdicts are told as the earlier tracker told them', async () => {
  const events = await eventsUntil((told) => told.filter(({ event }) => event === 'file_change_status').length === 3);
  const statuses = events.filter(({ event }) => event === 'file_change_status').map(({ data }) => data);
  expect(statuses).toMatchObject([
    { status: 'accepted', tool_call_id: 'edit', file_path: join(root, 'src/a.ts') },
    { status: 'rejected', file_path: join(root, 'y.txt') },
    { status: 'rejected', file_path: join(root, 'x.bin') },
  ]);
});

test('[SRV2a] a session that nobody has is not found', async () => {
  expect((await ask('/sessions/none/file-changes')).status).toBe(404);
});

test('[SRV2a] a session that two workspaces have must be told apart', async () => {
  const other = stage.client(stage.makeRoot('other'));
  must(await other.startSession({ body: { id: 'sess', agent: 'codex' } }));
  expect((await ask('/sessions/sess/file-changes')).status).toBe(409);
  const named = await ask(`/sessions/sess/file-changes?workspace=${must(await other.workspaceId())}`);
  expect(await named.json()).toEqual({ file_changes: [] });
});
