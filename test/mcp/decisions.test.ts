import { afterAll, describe, expect, test } from 'vitest';
import { User, type Workspace } from '../cli/pal.fixture.js';
import { McpClient, type ToolAnswer } from './client.fixture.js';

const user = new User();
afterAll(() => user.leave());

async function together(): Promise<{ workspace: Workspace; client: McpClient }> {
  const workspace = user.workspace();
  const client = await McpClient.started(workspace);
  await client.call('pal_read', { path: 'a.txt' });
  return { workspace, client };
}

async function edit(client: McpClient, old_string: string, new_string: string): Promise<string> {
  const { data, text, failed } = await client.call('pal_edit', { path: 'a.txt', old_string, new_string });
  if (failed) throw new Error(text);
  return (data.changes as [{ id: string }])[0].id;
}

test('[AGT2j] what is done speaks of tools too, and of nothing to type', async () => {
  const { workspace, client } = await together();
  const said: string[] = [];
  const call = async (name: string, input: object = {}) => said.push((await client.call(name, input)).text);
  await call('pal_checkpoint_list');
  const change = await edit(client, 'two', '2');
  await call('pal_reject', { changes: [change] });
  await call('pal_undo');
  await call('pal_accept', { changes: [change] });
  const other = await edit(client, 'three', '3');
  workspace.write('a.txt', 'one\n2\nTHREE\n');
  await call('pal_reject', { changes: [other] });
  await call('pal_status');
  await call('pal_stale', { session: 'all' });
  expect(said.join('\n')).toContain('pal_undo takes this back');
  expect(said.join('\n')).toContain('pal_changes with the status "conflict" lists them');
  expect(said.join('\n')).not.toMatch(/`pal |`--/);
  await client.leave();
});

describe('checkpoints', () => {
  test('[AGT2b] saved, listed, compared; a restore is planned, then done exactly so, and can be undone', async () => {
    const { workspace, client } = await together();
    const saved = await client.call('pal_checkpoint_save', { message: 'before' });
    expect(saved).toMatchObject({ failed: false, data: { checkpoint: { reason: 'manual', message: 'before' } } });
    const { id } = saved.data.checkpoint as { id: string };
    expect((await client.call('pal_checkpoint_list')).text).toContain(id);
    await edit(client, 'two', '2');

    expect(await client.call('pal_checkpoint_diff', { from: id })).toMatchObject({
      data: { files: [{ path: 'a.txt', kind: 'modify' }] },
    });
    expect((await client.call('pal_checkpoint_diff', { from: id, path: 'a.txt' })).text).toContain('-two\n+2\n');
    const plan = await client.call('pal_restore_plan', { checkpoint: id });
    expect(plan).toMatchObject({ failed: false, data: { writes: ['a.txt'], deletes: [] } });
    const { token } = plan.data as { token: string };
    expect(workspace.read('a.txt')).toBe('one\n2\nthree\n');

    expect(await client.call('pal_restore_apply', { checkpoint: id, token: 'made-up' })).toMatchObject({
      failed: true,
    });
    workspace.write('a.txt', 'one\n2\nthree\nfour\n');
    expect(await client.call('pal_restore_apply', { checkpoint: id, token })).toMatchObject({ failed: true });
    expect(workspace.read('a.txt')).toBe('one\n2\nthree\nfour\n');
    const again = (await client.call('pal_restore_plan', { checkpoint: id })).data as { token: string };
    expect(await client.call('pal_restore_apply', { checkpoint: id, token: again.token })).toMatchObject({
      failed: false,
      data: { written: ['a.txt'], rescue: expect.any(String) },
    });
    expect(workspace.read('a.txt')).toBe('one\ntwo\nthree\n');
    expect(await client.call('pal_undo')).toMatchObject({ failed: false });
    expect(workspace.read('a.txt')).toBe('one\n2\nthree\nfour\n');
    await client.leave();
  });

  test('[AGT2b] they are resources too, and ids of nothing are refused', async () => {
    const { client } = await together();
    const { data } = await client.call('pal_checkpoint_save');
    const { id } = data.checkpoint as { id: string };
    await edit(client, 'two', '2');
    const { result } = await client.ask('resources/list');
    const uris = (result!.resources as { uri: string }[]).map(({ uri }) => uri);
    expect(uris).toContain(`palimpsest://checkpoints/${id}`);
    const read = await client.ask('resources/read', { uri: `palimpsest://checkpoints/${id}` });
    expect(read.result).toMatchObject({ contents: [{ text: expect.stringContaining('M a.txt') }] });
    expect(await client.ask('resources/read', { uri: 'palimpsest://checkpoints/k99999' })).toHaveProperty('error');
    for (const [tool, args] of [
      ['pal_checkpoint_diff', { from: 'k99999' }],
      ['pal_checkpoint_diff', { from: id, to: '../x' }],
      ['pal_restore_plan', { checkpoint: '../../x' }],
      ['pal_restore_plan', { checkpoint: id, paths: ['../outside'] }],
      ['pal_restore_apply', { checkpoint: id }],
    ] as const)
      expect((await client.call(tool, args)).failed, `${tool} ${JSON.stringify(args)}`).toBe(true);
    await client.leave();
  });
});

describe('review', () => {
  test('[AGT2b] accept, reject with a dry run first, undo, blame', async () => {
    const { workspace, client } = await together();
    const first = await edit(client, 'one', '1');
    const second = await edit(client, 'three', '3');
    workspace.write('a.txt', '1\ntwo\n3\nmine\n');

    const rehearsed = await client.call('pal_reject', { changes: [second], dry_run: true });
    expect(rehearsed).toMatchObject({ failed: false, data: { rejected: [second], conflicts: [] } });
    expect(workspace.read('a.txt')).toBe('1\ntwo\n3\nmine\n');
    expect(await client.call('pal_reject', { changes: [second], comment: 'no digits' })).toMatchObject({
      failed: false,
      data: { written: ['a.txt'] },
    });
    expect(workspace.read('a.txt')).toBe('1\ntwo\nthree\nmine\n');
    expect(await client.call('pal_accept', { changes: [first] })).toMatchObject({ data: { accepted: [first] } });
    expect(statusesIn(await client.call('pal_changes', { status: 'all' }))).toMatchObject({
      [first]: 'accepted',
      [second]: 'rejected',
    });
    const { data } = await client.call('pal_blame', { path: 'a.txt' });
    const authors = (data.lines as { text: string; author: { kind: string } }[]).map(({ text, author }) => [
      text,
      author.kind,
    ]);
    expect(authors[0]).toEqual(['1', 'agent']);
    expect(await client.call('pal_undo', { dry_run: true })).toMatchObject({ failed: false });
    for (const [tool, args] of [
      ['pal_accept', {}],
      ['pal_accept', { changes: ['../x'] }],
      ['pal_reject', { changes: ['c99999.1'] }],
      ['pal_blame', { path: '../x' }],
      ['pal_blame', { path: 'nothing' }],
    ] as const)
      expect((await client.call(tool, args)).failed, `${tool} ${JSON.stringify(args)}`).toBe(true);
    await client.leave();
  });
});

function statusesIn({ data }: ToolAnswer): Record<string, string> {
  return Object.fromEntries((data.changes as { id: string; status: string }[]).map(({ id, status }) => [id, status]));
}
