import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { documentOf, type Ran, User } from '../cli/pal.fixture.js';

let user: User;
let mounted: string | null = null;
afterEach(async () => {
  await user.pal(['stop']);
  if (mounted !== null) spawnSync('umount', ['-l', mounted]);
  mounted = null;
  user.leave();
});

test('[SRV5e] on a full disk there is a clear error, nothing is lost, and work goes on when there is space again', async (context) => {
  user = new User();
  mkdirSync(user.data, { recursive: true, mode: 0o700 });
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=6m,mode=0700', 'tmpfs', user.data]).status !== 0) {
    return context.skip('a small disk cannot be mounted here');
  }
  mounted = user.data;
  const workspace = user.workspace({ 'a.txt': 'one\n' });
  const write = (call: string, path: string, text: string) =>
    workspace.call('S', call, 'Write', { file_path: path, content: text }, () => workspace.write(path, text));
  expect((await write('c1', 'kept.txt', 'kept\n')).exit).toBe(0);
  const filler = join(user.data, 'filler');
  fill(filler);
  const failures: Ran[] = [];
  for (let n = 0; n < 6; n++) {
    // An agent whose hook fails goes on all the same.
    const [path, content] = [`full-${n}.bin`, randomText(200_000)];
    const call = { session: 'S', callId: `full-${n}` };
    failures.push(
      await workspace.say(['tool', 'begin', '--json'], { ...call, tool: 'Write', input: { file_path: path, content } }),
    );
    workspace.write(path, content);
    failures.push(await workspace.say(['tool', 'end', '--json'], call));
  }
  const refused = failures.filter((ran) => ran.exit !== 0);
  expect(refused.length).toBeGreaterThan(0);
  for (const ran of refused) {
    const { error } = JSON.parse(ran.stdout) as { error: { code: string; message: string } };
    expect(error.code).toBe('no-space');
    expect(error.message).toMatch(/full|space/);
  }
  rmSync(filler);
  expect((await write('c2', 'after.txt', 'after\n')).exit).toBe(0);
  const { changes } = await workspace.json<{ changes: { path: string }[] }>('changes', '--status', 'all');
  const paths = changes.map((change) => change.path);
  for (const path of ['kept.txt', 'after.txt', ...Array.from({ length: 6 }, (_, n) => `full-${n}.bin`)])
    expect(
      paths.filter((other) => other === path),
      path,
    ).toHaveLength(1);
  expect(documentOf<{ seq: number }>(await workspace.pal('status', '--json')).seq).toBeGreaterThan(0);
  await workspace.pal('stop');
  const stores = execFileSync('find', [user.data, '-name', 'content.git'], { encoding: 'utf8' }).trim().split('\n');
  for (const store of stores)
    execFileSync('git', ['fsck', '--full'], { env: { PATH: process.env.PATH, GIT_DIR: store }, stdio: 'pipe' });
});

function fill(path: string): void {
  spawnSync('dd', ['if=/dev/zero', `of=${path}`, 'bs=4096'], { stdio: 'ignore' });
}

/** Does not compress, so that it needs the space it seems to need. */
function randomText(length: number): string {
  let text = '';
  let state = length;
  while (text.length < length) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    text += `${state.toString(36)}${Math.random().toString(36).slice(2)}\n`;
  }
  return text;
}
