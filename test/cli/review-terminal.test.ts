import { execFileSync, spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../patience.fixture.js';
import { PAL, User, type Workspace } from './pal.fixture.js';

const LINES = Array.from({ length: 60 }, (_, index) => `const line${index + 1} = 1;`);
const text = (changed: Readonly<Record<number, string>> = {}) =>
  `${LINES.map((line, index) => changed[index + 1] ?? line).join('\n')}\n`;
const BOTH = { 5: 'const five = 5;', 40: 'const forty = 40;' };

const hasTmux = spawnSync('tmux', ['-V']).status === 0;
if (!hasTmux) {
  if (process.env.CI) throw new Error('`pal review` is not tested: `apt-get install tmux`');
  process.stdout.write('SKIPPED `pal review` in a terminal: `apt-get install tmux`\n');
}

describe.skipIf(!hasTmux).each([80, 140])('pal review at %i columns', (columns) => {
  const socket = `pal-review-${process.pid}-${columns}`;
  const tmux = (...args: readonly string[]) => execFileSync('tmux', ['-L', socket, ...args], { encoding: 'utf8' });
  const screen = () => tmux('capture-pane', '-p');
  const shows = (words: string) => until(() => screen().includes(words));
  let user: User;
  let workspace: Workspace;

  beforeEach(async () => {
    user = new User();
    workspace = user.workspace({ 'src/app.ts': text() });
    await workspace.call('S', 'r', 'Read', { file_path: 'src/app.ts' }, () => undefined);
    const input = { file_path: 'src/app.ts', content: text(BOTH) };
    await workspace.call('S', 'e', 'Write', input, () => workspace.write('src/app.ts', text(BOTH)));
    const size = ['-x', String(columns), '-y', '24'];
    const command = `cd '${workspace.root}' && '${process.execPath}' '${PAL}' review; echo "left with $?"; cat`;
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', 'new-session', '-d', ...size, command], {
      env: { ...user.environment, TERM: 'xterm-256color' },
    });
  });
  afterEach(() => {
    spawnSync('tmux', ['-L', socket, 'kill-server']);
    user.leave();
  });

  test('[UI7a] a hunk is rejected, undone, the terminal resized, a reason given, and the screen given back', async () => {
    await shows('1 of 2');
    expect(screen()).toMatch(/\+const five = 5;/);
    tmux('send-keys', 'j');
    await shows('2 of 2');
    tmux('send-keys', 'r');
    await shows('rejected line 40 of src/app.ts');
    expect(workspace.read('src/app.ts')).toBe(text({ 5: BOTH[5] }));
    tmux('send-keys', 'u');
    await shows('undone');
    expect(workspace.read('src/app.ts')).toBe(text(BOTH));
    tmux('resize-window', '-x', '60', '-y', '15');
    await until(() => screen().trimEnd().split('\n').length === 15);
    tmux('send-keys', 'g', 'c');
    await shows('why?');
    tmux('send-keys', '-l', 'five is a number');
    tmux('send-keys', 'Enter');
    await shows('rejected line 5');
    tmux('send-keys', 'A');
    await shows('nothing waits for review');
    expect(workspace.read('src/app.ts')).toBe(text({ 40: BOTH[40] }));
    tmux('send-keys', 'q');
    await shows('left with 0');
    expect(screen()).toContain('nothing is left to review');
  });

  test('[UI7a] what happens meanwhile shows up by itself', async () => {
    await shows('1 of 2');
    await workspace.call('S', 'n', 'Write', { file_path: 'n.txt', content: 'n\n' }, () =>
      workspace.write('n.txt', 'n\n'),
    );
    await shows('1 of 3');
    await workspace.pal('accept', '--all');
    await shows('nothing waits for review');
    tmux('send-keys', 'q');
    await shows('left with 0');
  });
});
