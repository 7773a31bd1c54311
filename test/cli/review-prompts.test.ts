import { afterEach, beforeEach, expect, test } from 'vitest';
import { User, type Workspace } from './pal.fixture.js';

const LINES = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
const text = (changed: Readonly<Record<number, string>> = {}) =>
  `${LINES.map((line, index) => changed[index + 1] ?? line).join('\n')}\n`;

let user: User;
let workspace: Workspace;
beforeEach(async () => {
  user = new User();
  workspace = user.workspace({ 'a.txt': text() });
  const after = text({ 5: 'five', 25: 'twenty-five' });
  await workspace.call('S', 'r', 'Read', { file_path: 'a.txt' }, () => undefined);
  await workspace.call('S', 'e', 'Write', { file_path: 'a.txt', content: after }, () =>
    workspace.write('a.txt', after),
  );
});
afterEach(() => user.leave());

const review = (...answers: readonly string[]) =>
  workspace.say(['review'], answers.map((line) => `${line}\n`).join(''));

test('[UI7e] line by line: one hunk is rejected with a reason, the other accepted, and a decision undone', async () => {
  const { stdout, exit } = await review('c keep it as it was', 'a');
  expect(exit).toBe(0);
  expect(stdout).toContain('a.txt:5');
  expect(stdout).toMatch(/^-line 5\n\+five$/m);
  expect(stdout.trimEnd()).toMatch(/nothing is left to review$/);
  expect(workspace.read('a.txt')).toBe(text({ 25: 'twenty-five' }));
  const told = await workspace.say(['tool', 'begin', '--json'], { session: 'S', callId: 'n', tool: 'Read', input: {} });
  expect(told.stdout).toContain('keep it as it was');
  await workspace.pal('undo');
  const again = await review('u', 'q');
  expect(again.stdout).toContain('undone:');
  expect(workspace.read('a.txt')).toBe(text({ 5: 'five', 25: 'twenty-five' }));
});

test('[UI7e] skipping, help and the end of the answers decide nothing', async () => {
  const { stdout } = await review('s', '?', 'nonsense');
  expect(stdout).toContain('reject this hunk');
  expect(stdout.trimEnd()).toMatch(/2 hunks wait for review$/);
  expect((await workspace.pal('review', '--json')).exit).toBe(2);
});
