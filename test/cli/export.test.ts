import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { User } from './pal.fixture.js';

let user: User;
beforeAll(() => {
  user = new User();
});
afterAll(() => user.leave());

test('[SEC4c] an export is not led elsewhere by a link in its folder', async () => {
  const workspace = user.workspace({ 'a.txt': 'one\n', 'out/keep': '' });
  const precious = join(user.folder, 'precious');
  writeFileSync(precious, 'mine\n');
  symlinkSync(precious, join(workspace.root, 'out/task_metadata.json'));
  await workspace.pal('session', 'start', '--id', 's');
  const { exit } = await workspace.pal('session', 'export', 's', '--format', 'cline', '--out', 'out');
  expect(exit).toBe(0);
  expect(readFileSync(precious, 'utf8')).toBe('mine\n');
  expect(JSON.parse(workspace.read('out/task_metadata.json'))).toBeTypeOf('object');
});
