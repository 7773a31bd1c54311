import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isAlive } from '../../apps/pal/src/link/discovery.js';
import { documentOf, User, type Workspace } from './pal.fixture.js';

let user: User;
let workspace: Workspace;
const MINE = '{\n  // mine\n  "model": "x"\n}\n';
const settings = () => join(user.environment.HOME!, '.gemini/settings.json');

beforeEach(async () => {
  user = new User();
  workspace = user.workspace();
  mkdirSync(join(user.environment.HOME!, '.gemini'));
  writeFileSync(settings(), MINE);
  await workspace.pal('init', '--agent', 'gemini', 'opencode', 'claude');
  await workspace.call('s', '1', 'Write', { file_path: 'new.txt' }, () => workspace.write('new.txt', 'x\n'));
});
afterEach(() => user.leave());

const daemonPid = async () => (await workspace.json<{ daemon: { pid: number } }>('status')).daemon.pid;

describe('pal uninstall', () => {
  test('[PKG2a] puts the files of all agents back, stops the daemon and keeps what was recorded', async () => {
    const pid = await daemonPid();
    const done = await user.pal(['uninstall']);
    expect(done).toMatchObject({ exit: 0, stderr: '' });
    expect(done.stdout).toContain(settings());
    expect(done.stdout).toContain(`the daemon (process ${pid}) was stopped`);
    expect(done.stdout).toContain('kept: the data of 1 workspace');
    expect(readFileSync(settings(), 'utf8')).toBe(MINE);
    expect(readdirSync(user.environment.HOME!)).toEqual(['.gemini']);
    expect(isAlive(pid)).toBe(false);
    expect(await workspace.json('changes')).toMatchObject({ changes: [{ path: 'new.txt', session: 's' }] });
  });

  test('[PKG2b] a dry run says the same and does nothing', async () => {
    const pid = await daemonPid();
    const wired = readFileSync(settings(), 'utf8');
    const planned = documentOf(await user.pal(['uninstall', '--data', '--dry-run', '--json']));
    expect(planned).toMatchObject({
      dryRun: true,
      daemon: { pid },
      data: { fate: 'removed', workspaces: 1, others: [] },
    });
    expect(readFileSync(settings(), 'utf8')).toBe(wired);
    expect(await daemonPid()).toBe(pid);
    expect(await workspace.json('changes')).toMatchObject({ changes: [{ path: 'new.txt' }] });
  });

  test('[SYN6g] neither the data nor a workspace goes while worktrees of sessions are among it', async () => {
    const [id] = readdirSync(join(user.data, 'workspaces'));
    const tree = join(user.data, 'workspaces', id!, 'worktrees/one/project');
    mkdirSync(tree, { recursive: true });
    writeFileSync(join(tree, '../mark.json'), '{}');
    for (const words of [
      ['uninstall', '--data', '--json'],
      ['forget-workspace', workspace.root, '--yes', '--json'],
    ]) {
      const refused = await user.pal(words);
      expect([refused.exit, documentOf(refused)]).toMatchObject([1, { error: { code: 'has-worktrees' } }]);
    }
    expect(existsSync(tree)).toBe(true);
    expect(readFileSync(settings(), 'utf8')).not.toBe(MINE);
    expect((await user.pal(['-C', tree, 'status', '--json'])).stdout).toContain(JSON.stringify(workspace.root));
  });

  test('[PKG2c] with --data all that we kept goes, and what is not ours stays', async () => {
    for (const path of ['notes.txt', 'workspaces/my-own/a.txt']) {
      mkdirSync(join(user.data, path, '..'), { recursive: true });
      writeFileSync(join(user.data, path), 'mine');
    }
    const done = documentOf<{ data: object }>(await user.pal(['uninstall', '--data', '--json']));
    expect(done.data).toMatchObject({ fate: 'removed', others: ['notes.txt', 'workspaces/my-own'] });
    expect(readdirSync(user.data).sort()).toEqual(['notes.txt', 'workspaces']);
    expect(readdirSync(join(user.data, 'workspaces'))).toEqual(['my-own']);
    expect(workspace.read('new.txt')).toBe('x\n');
  });

  test('[PKG2c] of a data directory that is ours alone nothing is left, and a second time finds nothing', async () => {
    expect((await user.pal(['uninstall', '--data'])).exit).toBe(0);
    expect(existsSync(user.data)).toBe(false);
    expect(await user.pal(['uninstall', '--data'])).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('no agent was wired up'),
    });
  });

  test('[PKG2d] while the file of one agent cannot be put back, the data stays', async () => {
    writeFileSync(settings(), 'not json');
    const done = await user.pal(['uninstall', '--data']);
    expect([done.exit, done.stdout]).toEqual([1, expect.stringContaining('was left alone')]);
    expect(readFileSync(settings(), 'utf8')).toBe('not json');
    expect(existsSync(join(user.data, 'wiring.json'))).toBe(true);
    expect(await workspace.json('changes')).toMatchObject({ changes: [{ path: 'new.txt' }] });
  });

  test('[PKG2e] files that a workspace shares are named and left', async () => {
    await workspace.pal('init', '--shared', '--agent', 'claude');
    const file = join(workspace.root, '.claude/settings.json');
    const before = readFileSync(file, 'utf8');
    expect(documentOf(await user.pal(['uninstall', '--json']))).toMatchObject({ shared: [file] });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});
