import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { until } from '../patience.fixture.js';
import { PAL, User } from './pal.fixture.js';

const user = new User();
afterAll(() => user.leave());

test('[INT1e] an old Node can read the first file, and is told which one is needed', async () => {
  expect(readFileSync(PAL, 'utf8')).not.toMatch(/=>|`|\bconst\b|\blet\b|\bclass\b|\basync\b|\?\?|\?\.|\.\.\./);
  const old = join(user.folder, 'old.cjs');
  writeFileSync(old, "Object.defineProperty(process.versions, 'node', { value: '12.22.1' });");
  for (const words of [['status'], ['--version'], ['hook', 'claude', 'PreToolUse']]) {
    const ran = await user.pal(words, { env: { NODE_OPTIONS: `--require ${old}` } });
    expect([ran.exit, ran.stdout]).toEqual([1, '']);
    expect(ran.stderr).toContain('Node 20.19 or newer is needed, and this is 12.22.1');
  }
});

test('[INT1f] without git the demo says so', async () => {
  const bin = join(user.folder, 'bin');
  mkdirSync(bin);
  symlinkSync(process.execPath, join(bin, 'node'));
  const ran = await user.pal(['demo', '--fast'], { env: { PATH: bin } });
  expect([ran.exit, ran.stdout, ran.stderr]).toEqual([1, '', expect.stringContaining('git cannot be run')]);
});

test('[INT1f] a folder that is gone, and a relative data directory', async () => {
  const gone = join(user.folder, 'gone');
  mkdirSync(gone);
  const script = `rmdir '${gone}'; '${process.execPath}' '${PAL}'`;
  const inGone = (words: string) =>
    user.pal(['run', '--', 'sh', '-c', `cd '${gone}' && ${script} ${words} >&2; mkdir -p '${gone}'`], {
      cwd: user.workspace().root,
    });
  expect((await inGone('status')).stderr).toContain('the folder that you are in is gone');
  expect((await inGone('note < /dev/null')).stderr).toContain('the folder that you are in is gone');
  const ran = await user.pal(['status'], { env: { PALIMPSEST_HOME: 'data' }, cwd: dirname(gone) });
  expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining('must be an absolute path')]);
});

test('[INT1f] a topic that there is no help on', async () => {
  const about = async (...words: string[]) => {
    const { exit, stderr } = await user.pal(['help', ...words]);
    return [exit, stderr];
  };
  expect(await about('nonsense')).toEqual([2, expect.stringContaining('there is no help on nonsense')]);
  expect(await about('session', 'nonsense')).toEqual([2, expect.stringContaining('session list')]);
  expect(await about('session', 'list')).toEqual([0, '']);
});

test('[CAP12g] an ignore file with too many rules is told of in the status', async () => {
  const rules = Array.from({ length: 2_001 }, (_, index) => `rule-${index}\n`).join('');
  const workspace = user.workspace({ '.gitignore': rules });
  await until(async () => !(await workspace.json<{ takingStock: boolean }>('status')).takingStock);
  expect((await workspace.pal('status')).stdout).toContain('not all ignore rules of .gitignore are followed');
});
