import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { User } from './pal.fixture.js';

let user: User;
beforeAll(() => {
  user = new User();
});
afterAll(() => user.leave());

const MODEL = JSON.stringify([
  { role: 'user', content: [{ type: 'text', text: 'fix the walrus' }], ts: 1_767_000_000_000 },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Looking.\u001b[31m' },
      { type: 'tool_use', id: 't1', name: 'read_file', input: { path: 'a.txt' } },
    ],
    ts: 1_767_000_001_000,
  },
]);

test('[CON2g] [CON2h] [CON5a] a task folder is taken up, shown, found, reduced and written again', async () => {
  const workspace = user.workspace({ 'a.txt': 'one\n' });
  const folder = join(user.folder, 'task-1');
  mkdirSync(folder);
  writeFileSync(join(folder, 'claude_messages.json'), MODEL);
  writeFileSync(join(folder, 'ui_messages.json'), '[{"ts":1,');
  const taken = await workspace.pal('session', 'import', folder, '--json');
  expect(JSON.parse(taken.stdout)).toMatchObject({
    messages: { model: 2, human: 0 },
    damaged: [{ name: 'ui_messages.json', why: 'not JSON' }],
  });
  expect(readdirSync(folder).sort()).toEqual(['claude_messages.json', 'ui_messages.json']);

  const shown = await workspace.pal('session', 'show', 'task-1');
  expect(shown.stdout).toMatch(/2025-12-29\n.*fix the walrus\n.*Looking\.\u241b\[31m\n.*· read_file a\.txt/);
  const found = await workspace.pal('session', 'search', 'walrus', '--json');
  expect(JSON.parse(found.stdout)).toMatchObject({ hits: [{ session: 'task-1', role: 'user', what: 'message' }] });
  expect((await workspace.pal('session', 'search', '??')).exit).toBe(2);
  const messages = await workspace.pal('session', 'messages', 'task-1', '--last', '1', '--json');
  expect(JSON.parse(messages.stdout)).toMatchObject({ messages: [{ role: 'assistant', calls: ['t1'] }], more: true });
  const history = await workspace.pal('session', 'history', 'task-1', '--form', 'anthropic', '--json');
  expect(JSON.parse(history.stdout)).toMatchObject({
    request: { messages: [{ role: 'user' }, { role: 'assistant' }] },
  });
  expect((await workspace.pal('session', 'history', 'task-1', '--reduce', '1')).exit).toBe(1);
  const report = await workspace.pal('session', 'export', 'task-1', '--format', 'md');
  expect(report.stdout).toContain('> fix the walrus\n\nLooking.');

  const written = await workspace.pal('session', 'export', 'task-1', '--format', 'roo', '--out', folder, '--json');
  expect(JSON.parse(written.stdout)).toMatchObject({
    aside: [join(folder, 'ui_messages.json.aside-1')],
    removed: join(folder, 'claude_messages.json'),
  });
  const text = (name: string) => readFileSync(join(folder, name), 'utf8');
  expect(text('api_conversation_history.json')).toBe(MODEL);
  expect(text('ui_messages.json.aside-1')).toBe('[{"ts":1,');
  expect(JSON.parse(text('ui_messages.json'))).toHaveLength(3);
});

test('[CON2g] a legacy file that is not what was taken over stays', async () => {
  const workspace = user.workspace({ 'a.txt': 'one\n' });
  const folder = join(user.folder, 'task-2');
  mkdirSync(folder);
  writeFileSync(join(folder, 'claude_messages.json'), MODEL);
  await workspace.pal('session', 'import', folder);
  writeFileSync(join(folder, 'claude_messages.json'), `${MODEL}\n`);
  const written = await workspace.pal('session', 'export', 'task-2', '--format', 'roo', '--out', folder, '--json');
  expect(JSON.parse(written.stdout)).toMatchObject({ removed: null });
  expect(readFileSync(join(folder, 'claude_messages.json'), 'utf8')).toBe(`${MODEL}\n`);
});
