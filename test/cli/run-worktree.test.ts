import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionJson } from '@palimpsest/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runGit } from '../git.fixture.js';
import { until } from '../patience.fixture.js';
import { documentOf, User, type Workspace } from './pal.fixture.js';

let user: User;
beforeAll(() => {
  user = new User();
});
afterAll(() => user.leave());

type Ran = {
  readonly session: string;
  readonly exitCode: number;
  readonly worktree: { readonly path: string; readonly mode: string; readonly portBase: number };
};

async function inWorktree(workspace: Workspace, mode: string, script: string): Promise<Ran> {
  return documentOf<Ran>(await workspace.pal('run', '--worktree', mode, '--json', '--', 'sh', '-c', script));
}

describe('pal run --worktree', () => {
  test('[SYN7e] the command runs in a folder of its own with what is there now, and is told where it is', async () => {
    const workspace = user.workspace({ 'a.txt': 'committed\n', '.gitignore': '.env\n' });
    workspace.write('a.txt', 'edited\n');
    workspace.write('new.txt', 'untracked\n');
    workspace.write('.env', 'KEY=1\n');
    const say = 'pwd; cat a.txt new.txt; ls .env; echo $PAL_WORKTREE $PAL_PORT_BASE; git status --porcelain';
    const ran = await workspace.pal('run', '--worktree', 'auto', '--', 'sh', '-c', say);
    const { sessions } = await workspace.json<{ sessions: readonly SessionJson[] }>('session', 'list');
    const { path, portBase } = sessions[0]!.worktree!;
    expect(ran.stdout).toBe(`${path}\nedited\nuntracked\n${path} ${portBase}\n M a.txt\n?? new.txt\n`);
    expect(path.startsWith(join(user.data, 'workspaces'))).toBe(true);
    expect(path.split('/').at(-1)).toBe(workspace.root.split('/').at(-1));
    expect(ran.stderr).toContain(`pal: it worked in ${path}`);
    expect(runGit(workspace.root, ['status', '--porcelain'])).toBe(' M a.txt\n?? new.txt\n');
  });

  test('[SYN7e] in a folder of the workspace it runs in the same folder there', async () => {
    const workspace = user.workspace({ 'deep/er/a.txt': 'a\n' });
    const cwd = join(workspace.root, 'deep/er');
    const ran = await user.pal(['run', '--worktree', 'auto', '--', 'pwd'], { cwd });
    expect(ran.stdout).toMatch(/\/worktrees\/.*\/deep\/er\n$/);
  });

  test('[SYN7c] auto flows back at once, review when it is accepted', async () => {
    const workspace = user.workspace();
    await inWorktree(workspace, 'auto', 'echo made > made.txt');
    expect(workspace.read('made.txt')).toBe('made\n');
    const { session } = await inWorktree(workspace, 'review', 'echo proposed > proposed.txt');
    expect(existsSync(join(workspace.root, 'proposed.txt'))).toBe(false);
    expect((await workspace.pal('accept', '--session', session)).exit).toBe(0);
    await until(() => existsSync(join(workspace.root, 'proposed.txt')));
    expect(workspace.read('proposed.txt')).toBe('proposed\n');
  });

  test('[SYN7f] when the worktree cannot be made the command does not run, and nothing is left', async () => {
    const workspace = user.workspace();
    expect((await workspace.pal('settings', 'worktree.setup', 'echo no such tool >&2; exit 9')).exit).toBe(0);
    const ran = await workspace.pal('run', '--worktree', 'auto', '--json', '--', 'sh', '-c', 'echo ran > ran.txt');
    expect([ran.exit === 0, existsSync(join(workspace.root, 'ran.txt'))]).toEqual([false, false]);
    expect(ran.stdout).toContain('no such tool');
    expect(existsSync(join(workspace.root, '.git/worktrees'))).toBe(false);
    const { sessions } = await workspace.json<{ sessions: readonly SessionJson[] }>('session', 'list');
    expect(sessions).toEqual([]);
  });

  test('[SYN7a] a command of pal in a worktree is about the workspace', async () => {
    const workspace = user.workspace();
    const { worktree } = await inWorktree(workspace, 'auto', 'true');
    const status = documentOf<{ workspace: { root: string } }>(
      await user.pal(['-C', worktree.path, 'status', '--json']),
    );
    expect(status.workspace.root).toBe(workspace.root);
    expect(readdirSync(join(user.data, 'workspaces')).length).toBe(
      (await workspace.json<{ workspaces: readonly object[] }>('workspaces')).workspaces.length,
    );
  });

  test('[SYN7g] Claude Code gets its worktree from us, and its session works there', async () => {
    const workspace = user.workspace();
    workspace.write('dirty.txt', 'dirty\n');
    const hook = (event: string, payload: object, ...more: string[]) =>
      workspace.say(['hook', 'claude', event, ...more], { session_id: 'c-1', hook_event_name: event, ...payload });
    const made = await hook('WorktreeCreate', { cwd: workspace.root, name: 'my-feature' }, '--worktree', 'auto');
    expect([made.exit, made.stderr]).toEqual([0, '']);
    const path = made.stdout.trim();
    expect(readFileSync(join(path, 'dirty.txt'), 'utf8')).toBe('dirty\n');
    await hook('SessionStart', { cwd: path, source: 'startup' });
    const call = {
      cwd: path,
      tool_use_id: 't1',
      tool_name: 'Write',
      tool_input: { file_path: join(path, 'n.txt'), content: 'n\n' },
    };
    await hook('PreToolUse', call);
    writeFileSync(join(path, 'n.txt'), 'n\n');
    await hook('PostToolUse', { ...call, tool_response: {} });
    await until(() => existsSync(join(workspace.root, 'n.txt')));
    const { changes } = await workspace.json<{ changes: readonly object[] }>('changes', '--path', 'n.txt');
    expect(changes).toMatchObject([{ session: 'c-1', agent: 'claude', path: 'n.txt' }]);
    const again = await hook('WorktreeCreate', { cwd: path, name: 'agent-1' }, '--worktree', 'review');
    expect([again.exit, again.stdout.trim() === path]).toEqual([0, false]);
    const nowhere = await hook('WorktreeCreate', { cwd: join(user.folder, 'gone'), name: 'x' }, '--worktree', 'auto');
    expect([nowhere.exit === 0, nowhere.stdout]).toEqual([false, '']);
  });
});

test('[SYN7h] pal init wires the making of worktrees only when it is asked to, and never into shared files', async () => {
  const workspace = user.workspace();
  const settings = join(user.environment.HOME!, '.claude/settings.json');
  mkdirSync(join(settings, '..'), { recursive: true });
  const hooks = () => JSON.parse(readFileSync(settings, 'utf8')).hooks as Record<string, unknown>;
  await workspace.pal('init', '--agent', 'claude');
  expect(Object.keys(hooks())).not.toContain('WorktreeCreate');
  const judged = async () => {
    const { checks } = await workspace.json<{ checks: readonly { check: string; message: string }[] }>('doctor');
    return checks
      .filter(({ check }) => check.startsWith('agent'))
      .map(({ message }) => message)
      .join('\n');
  };
  const before = await judged();
  await workspace.pal('init', '--agent', 'claude', '--worktree', 'review');
  expect(JSON.stringify(hooks().WorktreeCreate)).toMatch(/pal\.js hook claude WorktreeCreate --worktree review/);
  expect(await judged()).toBe(before);
  expect((await workspace.pal('init', '--agent', 'claude', '--worktree', 'auto', '--shared')).exit).toBe(2);
  await workspace.pal('init', '--remove');
  expect(existsSync(settings) && readFileSync(settings, 'utf8').includes('WorktreeCreate')).toBe(false);
});
