import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { User, type Workspace } from '../cli/pal.fixture.js';
import { McpClient } from './client.fixture.js';

const user = new User();
afterAll(() => user.leave());

/** A workspace with every kind of way out of it. */
function withWaysOut(): { workspace: Workspace; outside: string } {
  const outside = join(user.folder, 'outside');
  mkdirSync(outside, { recursive: true });
  writeFileSync(join(outside, 'secret.txt'), 'secret\n');
  const workspace = user.workspace({ 'a.txt': 'one\n', 'in/b.txt': 'b\n' });
  symlinkSync(outside, join(workspace.root, 'way-out'));
  symlinkSync(join(outside, 'secret.txt'), join(workspace.root, 'leak.txt'));
  symlinkSync(join(outside, 'not-yet.txt'), join(workspace.root, 'dangling.txt'));
  symlinkSync('in/b.txt', join(workspace.root, 'inner.txt'));
  execFileSync('mkfifo', [join(workspace.root, 'pipe')]);
  return { workspace, outside };
}

describe('hostile paths', () => {
  test('[SEC4b] nothing outside the workspace, and nothing of git, is read or written, by any spelling', async () => {
    const { workspace, outside } = withWaysOut();
    const client = await McpClient.started(workspace);
    const paths = [
      '../outside/secret.txt',
      join(outside, 'secret.txt'),
      'way-out/secret.txt',
      'way-out/new.txt',
      'leak.txt',
      'dangling.txt',
      'in/../../outside/new.txt',
      '.git/config',
      '.GIT/config',
      'in/.git/hooks/post-commit',
      '/etc/passwd',
      'a.txt/below',
      '.',
      '',
      'in',
      'pipe',
      'nul\0byte',
      'x'.repeat(5_000),
    ];
    const before = workspace.read('.git/config');
    for (const path of paths) {
      for (const [tool, rest] of [
        ['pal_read', {}],
        ['pal_edit', { old_string: 'secret', new_string: 'x' }],
        ['pal_write', { content: 'x' }],
      ] as const) {
        const answer = await client.call(tool, { path, ...rest });
        expect(answer.failed, `${tool} ${path}`).toBe(true);
        expect(answer.text, `${tool} ${path}`).not.toContain('secret\n');
        expect(answer.text.length, `${tool} ${path}`).toBeLessThan(600);
      }
    }
    expect(readdirSync(outside)).toEqual(['secret.txt']);
    expect(workspace.read('.git/config')).toBe(before);
    expect(existsSync(join(workspace.root, '.git/hooks/post-commit'))).toBe(false);
    expect(workspace.read('a.txt')).toBe('one\n');
    expect(readdirSync(workspace.root).filter((name) => name.startsWith('.tmp'))).toEqual([]);
    await client.leave();
  });

  test('[FRE6] a link that stays inside is the file that it leads to', async () => {
    const { workspace } = withWaysOut();
    const client = await McpClient.started(workspace);
    expect(await client.call('pal_read', { path: 'inner.txt' })).toMatchObject({ data: { path: 'in/b.txt' } });
    expect(await client.call('pal_edit', { path: 'inner.txt', old_string: 'b', new_string: 'c' })).toMatchObject({
      failed: false,
    });
    expect(workspace.read('in/b.txt')).toBe('c\n');
    await client.leave();
  });
});

describe('hostile input', () => {
  test('[SEC4h] ids of nothing, ids that look like paths, and wrong types are answers with a reason', async () => {
    const client = await McpClient.started(user.workspace());
    const wrong: [string, unknown][] = [
      ['pal_diff', { change: '../../etc/passwd' }],
      ['pal_diff', { change: 'c999.1' }],
      ['pal_diff', { change: '' }],
      ['pal_diff', {}],
      ['pal_diff', { change: 'c1.1', path: 'a.txt' }],
      ['pal_diff', { path: '../x' }],
      ['pal_changes', { status: 'all of them' }],
      ['pal_changes', { limit: -1 }],
      ['pal_changes', { limit: 1e9 }],
      ['pal_log', { since: 'x' }],
      ['pal_stale', { session: 'nobody' }],
      ['pal_read', { path: ['a.txt'] }],
      ['pal_read', { path: 'a.txt', start_line: 0 }],
      ['pal_read', { path: 'a.txt', start_line: 3, end_line: 1 }],
      ['pal_edit', { path: 'a.txt', old_string: '', new_string: 'x' }],
      ['pal_write', { path: 'a.txt' }],
      ['pal_note_read', { path: 'missing.txt' }],
      ['pal_note_read', { path: 'a.txt', lines: [1] }],
      ['pal_note_read', { path: '../../etc/passwd' }],
    ];
    for (const [tool, args] of wrong) {
      const { failed, text } = await client.call(tool, args);
      expect(failed, `${tool} ${JSON.stringify(args)}`).toBe(true);
      expect(text.length, tool).toBeGreaterThan(5);
      expect(text, tool).not.toMatch(/\bat .*\.js:\d+/);
    }
    expect(await client.call('pal_status')).toMatchObject({ failed: false });
    await client.leave();
  });

  test('[SEC4h] what a client says of itself is a name and nothing else', async () => {
    const workspace = user.workspace();
    const client = new McpClient(workspace);
    await client.introduce('../../evil \u001b[31m');
    const meta = { threadId: '../../../x', 'claudecode/toolUseId': 'a/../../b', progressToken: 1 };
    expect(await client.call('pal_read', { path: 'a.txt' }, meta)).toMatchObject({ failed: false });
    expect(
      await client.call('pal_read', { path: 'a.txt' }, { threadId: { a: 1 }, other: 'x'.repeat(100_000) }),
    ).toMatchObject({
      failed: false,
    });
    await client.leave();
    const { sessions } = await workspace.json<{ sessions: { id: string }[] }>('session', 'list');
    expect(sessions.map(({ id }) => id)).toContain('../../../x');
    expect(readdirSync(user.folder).sort()).not.toContain('x');
  });

  test('[SEC4h] text of many megabytes is refused or written whole, and the connection lives on', async () => {
    const workspace = user.workspace();
    const client = await McpClient.started(workspace);
    const large = 'x'.repeat(11 * 1024 * 1024);
    expect(await client.call('pal_write', { path: 'large.txt', content: large })).toMatchObject({
      failed: true,
      error: { code: 'too-large' },
    });
    expect(existsSync(join(workspace.root, 'large.txt'))).toBe(false);
    const fitting = 'y'.repeat(6 * 1024 * 1024);
    expect(await client.call('pal_write', { path: 'fitting.txt', content: fitting })).toMatchObject({ failed: false });
    expect(workspace.read('fitting.txt') === fitting).toBe(true);
    expect(await client.call('pal_read', { path: 'fitting.txt' })).toMatchObject({
      failed: true,
      error: { code: 'too-large' },
    });
    writeFileSync(join(workspace.root, 'binary'), Buffer.from([0, 255, 254, 1]));
    expect(await client.call('pal_read', { path: 'binary' })).toMatchObject({
      failed: true,
      error: { code: 'not-text' },
    });
    await client.leave();
  });
});
