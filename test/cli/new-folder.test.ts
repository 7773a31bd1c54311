import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { User } from './pal.fixture.js';

const user = new User();
afterAll(() => user.leave());

test('[REV3c] [REV9a] [CHK3i] a new folder goes and comes back whole: reject, undo, redo, restore, undo', async () => {
  const workspace = user.workspace();
  const pal = async (...args: string[]) =>
    expect(await workspace.pal(...args), args.join(' ')).toMatchObject({ exit: 0 });
  const seen = () => (existsSync(join(workspace.root, 'f')) ? readdirSync(join(workspace.root, 'f')).sort() : null);
  const { id } = (await workspace.json<{ checkpoint: { id: string } }>('checkpoint', 'save')).checkpoint;
  await pal('run', '--', 'sh', '-c', 'mkdir -p f/g; echo 1 >f/a; echo 2 >f/b; echo 3 >f/g/c');
  const made = ['a', 'b', 'g'];
  await pal('reject', '--all');
  expect(seen()).toBe(null);
  await pal('undo');
  expect(seen()).toEqual(made);
  await pal('redo');
  expect(seen()).toBe(null);
  await pal('undo');
  await pal('checkpoint', 'restore', id);
  expect(seen()).toBe(null);
  await pal('undo');
  expect(seen()).toEqual(made);
});
