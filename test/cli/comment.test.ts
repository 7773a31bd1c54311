import { afterEach, beforeEach, expect, test } from 'vitest';
import { User, type Workspace } from './pal.fixture.js';

let user: User;
let workspace: Workspace;
beforeEach(() => {
  user = new User();
  workspace = user.workspace();
});
afterEach(() => user.leave());

test('[REV14a] `pal comment` tells whoever changed the file last, or who is named', async () => {
  expect((await workspace.pal('comment', 'a.txt:2', 'why?')).exit).toBe(4);
  await workspace.call('S', 'r', 'Read', { file_path: 'a.txt' }, () => undefined);
  await workspace.call('S', 'e', 'Write', { file_path: 'a.txt', content: 'x\n' }, () =>
    workspace.write('a.txt', 'x\n'),
  );
  const { stdout, exit } = await workspace.pal('comment', 'a.txt:1-1', 'why x?');
  expect([exit, stdout]).toEqual([0, 'session S hears it with its next message\n']);
  const begun = await workspace.say(['tool', 'begin', '--json'], {
    session: 'S',
    callId: 'n',
    tool: 'Read',
    input: {},
  });
  expect(begun.stdout).toContain('says about a.txt:1: why x?');
  expect((await workspace.pal('comment', 'a.txt', ' ')).exit).toBe(2);
});
