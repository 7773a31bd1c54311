import { afterAll, expect, test } from 'vitest';
import { McpClient } from '../mcp/client.fixture.js';
import { User } from './pal.fixture.js';

const user = new User();
afterAll(() => user.leave());

type Context = {
  readonly session: string | null;
  readonly blocks: readonly {
    readonly kind: string;
    readonly path?: string;
    readonly text: string;
    readonly reason: string;
  }[];
  readonly tokens: number;
  readonly budget: number;
  readonly left: number;
};

test('[CTX1a] the command and the tool answer alike; asking changes nothing, and being told by the tool is having seen', async () => {
  const workspace = user.workspace();
  await workspace.json('session', 'start', '--id', 'S', '--agent', 'test');
  await workspace.json('pin', 'a.txt', '--session', 'S');
  const ask = ['context', '--prompt', 'explain a.txt', '--session', 'S', '--budget', '500'] as const;
  const first = await workspace.json<Context>(...ask);
  expect(first).toMatchObject({
    session: 'S',
    budget: 500,
    blocks: [{ kind: 'open-file', path: 'a.txt', reason: 'pinned' }],
  });
  expect(first.tokens + first.left).toBe(500);
  expect(await workspace.json<Context>(...ask)).toEqual(first);
  const text = (await workspace.pal(...ask)).stdout;
  expect(text).toContain('== open file a.txt (pinned; ');
  expect(text).toContain('one\ntwo\nthree\n');
  expect(text).toContain(' of 500, for session S');

  const client = await McpClient.started(workspace);
  await client.call('pal_open', { act: 'pin', paths: ['a.txt'] });
  const told = await client.call('pal_context', { prompt: 'explain a.txt', budget: 500 });
  expect((told.data as unknown as Context).blocks).toEqual(first.blocks);
  expect(told.text).toBe(first.blocks[0]!.text);
  const again = await client.call('pal_context', { prompt: 'explain a.txt', budget: 500 });
  expect(again.text).toBe('nothing to add to what you have seen');
  const edited = await client.call('pal_edit', { path: 'a.txt', old_string: 'two', new_string: '2' });
  expect(edited.failed).toBe(false);
  const { patches } = (await client.call('pal_patches')).data as { patches: { path: string; summary: string }[] };
  expect(patches).toMatchObject([{ path: 'a.txt', summary: 'changed with Edit, +1 −1' }]);
  await client.leave();
});

test('[OPN1a] [PAT3d] open files and patches by their commands', async () => {
  const workspace = user.workspace();
  await workspace.call('S', 'c1', 'Write', { file_path: 'n', content: 'n' }, () => workspace.write('n', 'n'));
  const opened = async () => (await workspace.json<{ files: { path: string; pinned: boolean }[] }>('opened')).files;
  expect((await opened()).map(({ path }) => path)).toEqual(['n']);
  await workspace.json('open', '*.txt', '--pin');
  expect((await opened()).map(({ path, pinned }) => [path, pinned])).toEqual([
    ['a.txt', true],
    ['n', false],
  ]);
  await workspace.json('clear');
  expect((await opened()).map(({ path }) => path)).toEqual(['a.txt']);
  await workspace.json('clear', '--pins');
  expect(await opened()).toEqual([]);
  expect((await workspace.pal('close', 'a.txt')).exit).toBe(4);
  expect((await workspace.pal('patches', 'show', '1')).stdout).toContain('+n\n');
  await workspace.json('patches', 'clear', '--session', 'S');
  expect((await workspace.pal('patches', 'show', '1')).exit).toBe(4);
});
