import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { User, type Workspace } from '../cli/pal.fixture.js';
import { McpClient } from './client.fixture.js';

const user = new User();
afterAll(() => user.leave());

async function together(files?: Record<string, string>): Promise<{ workspace: Workspace; client: McpClient }> {
  const workspace = user.workspace(files);
  return { workspace, client: await McpClient.started(workspace) };
}

describe('notices', () => {
  test('[AGT2i] they come until they are acknowledged, and the file stays stale', async () => {
    const { workspace, client } = await together();
    await client.call('pal_read', { path: 'a.txt' });
    workspace.write('a.txt', 'one\ntwo\nTHREE\n');
    const told = await client.call('pal_stale');
    expect(told).toMatchObject({ data: { files: [{ state: 'stale' }], notices: [{ path: 'a.txt' }] } });
    expect(told.text).toContain(`pal_acknowledge with up_to ${String(told.data.seq)}`);
    expect(await client.call('pal_stale')).toMatchObject({ data: { notices: [{ path: 'a.txt' }] } });
    expect(await client.call('pal_acknowledge', { up_to: told.data.seq })).toMatchObject({ failed: false });
    const after = await client.call('pal_stale');
    expect(after).toMatchObject({ data: { files: [{ path: 'a.txt', state: 'stale' }], notices: [] } });
    const edit = { path: 'a.txt', old_string: 'THREE', new_string: '3' };
    expect(await client.call('pal_edit', edit)).toMatchObject({ failed: true, error: { code: 'denied' } });
    await client.leave();
  });

  test('[AGT2j] an error names the tool that helps', async () => {
    const { client } = await together();
    const { text, error } = await client.call('pal_checkpoint_diff', { from: 'k99' });
    expect(text).toContain('pal_checkpoint_list');
    expect(error.hint).toContain('pal_checkpoint_list');
    expect((await client.call('pal_diff', { change: 'c99' })).text).not.toMatch(/`pal |--/);
    expect(await client.call('pal_acknowledge', { up_to: 1 })).toMatchObject({
      failed: true,
      error: { code: 'unknown-session', hint: expect.stringContaining('pal_status') },
    });
    await client.leave();
  });
});

describe('guarded file tools', () => {
  test('[AGT2a] read, edit, write: each change is recorded once, under the call and the name of the client', async () => {
    const { workspace, client } = await together();
    expect(await client.call('pal_read', { path: 'a.txt' })).toMatchObject({
      failed: false,
      text: 'one\ntwo\nthree\n',
      data: { path: 'a.txt', startLine: 1, endLine: 3, totalLines: 3 },
    });
    const edited = await client.call('pal_edit', { path: './a.txt', old_string: 'two', new_string: "$& $1 $$ '" });
    expect(edited).toMatchObject({
      failed: false,
      data: { path: 'a.txt', changes: [{ kind: 'modify', added: 1, removed: 1 }] },
    });
    expect(workspace.read('a.txt')).toBe("one\n$& $1 $$ '\nthree\n");
    await client.call('pal_write', { path: join(workspace.root, 'new/deep/b.txt'), content: 'b\n' });
    expect(workspace.read('new/deep/b.txt')).toBe('b\n');
    await client.leave();
    const { changes } = await workspace.json<{ changes: object[] }>('changes');
    expect(changes).toMatchObject([
      { path: 'a.txt', agent: 'probe', tool: 'Edit', evidence: 'exact', status: 'pending' },
      { path: 'new/deep/b.txt', agent: 'probe', tool: 'Write', kind: 'create', evidence: 'exact' },
    ]);
  });

  test('[AGT2a] an edit of what was never read, or has changed since, is refused with the reason, and then goes through', async () => {
    const { workspace, client } = await together();
    const edit = { path: 'a.txt', old_string: 'three', new_string: '3' };
    const unseen = await client.call('pal_edit', edit);
    expect(unseen).toMatchObject({ failed: true, error: { code: 'denied' } });
    expect(unseen.text).toContain('has not been read in this session');
    expect(await client.call('pal_write', { path: 'a.txt', content: 'x' })).toMatchObject({ failed: true });

    await client.call('pal_read', { path: 'a.txt' });
    workspace.write('a.txt', 'one\ntwo\nTHREE three\n');
    const stale = await client.call('pal_edit', edit);
    expect(stale).toMatchObject({ failed: true, error: { code: 'denied' } });
    expect(stale.text).toContain('+THREE three');
    expect(await client.call('pal_stale')).toMatchObject({ data: { files: [{ path: 'a.txt', state: 'stale' }] } });
    expect(workspace.read('a.txt')).toBe('one\ntwo\nTHREE three\n');

    await client.call('pal_read', { path: 'a.txt' });
    expect(await client.call('pal_edit', edit)).toMatchObject({ failed: false });
    expect(workspace.read('a.txt')).toBe('one\ntwo\nTHREE 3\n');
    await client.leave();
  });

  test('[FRE3c] a part that was read again does not cover for the rest of the file', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`);
    const text = (changed: readonly string[]) => `${changed.join('\n')}\n`;
    const { workspace, client } = await together({ 'a.txt': text(lines) });
    await client.call('pal_read', { path: 'a.txt' });
    workspace.write('a.txt', text(lines.with(49, 'human')));
    await client.call('pal_read', { path: 'a.txt', start_line: 1, end_line: 5 });
    const old = await client.call('pal_write', { path: 'a.txt', content: text(lines.with(2, 'mine')) });
    expect(old).toMatchObject({ failed: true, error: { code: 'denied' } });
    expect(old.text).toContain('-line 50\n+human');
    expect(old.text).toContain('Read a.txt again, at least line 50');
    expect(await client.call('pal_stale')).toMatchObject({
      data: {
        files: [
          {
            state: 'stale',
            now: {
              lines: [
                [1, 49],
                [51, 60],
              ],
            },
          },
        ],
      },
    });
    const edit = (at: number) => ({ path: 'a.txt', old_string: `line ${at}\n`, new_string: `LINE ${at}\n` });
    expect(await client.call('pal_edit', edit(3))).toMatchObject({ failed: false });
    expect(await client.call('pal_edit', edit(33))).toMatchObject({ failed: true, error: { code: 'denied' } });
    await client.call('pal_read', { path: 'a.txt', start_line: 50, end_line: 60 });
    expect(await client.call('pal_edit', edit(33))).toMatchObject({ failed: false });
    const whole = lines.with(2, 'LINE 3').with(32, 'LINE 33').with(49, 'human');
    expect(await client.call('pal_write', { path: 'a.txt', content: text(whole.with(0, 'mine')) })).toMatchObject({
      failed: false,
    });
    expect(workspace.read('a.txt')).toBe(text(whole.with(0, 'mine')));
    await client.leave();
  });

  test('[AGT2a] text that is not there, or there twice, is refused and the file is unchanged', async () => {
    const { workspace, client } = await together({ 'a.txt': 'x = 1\nx = 1\n' });
    await client.call('pal_read', { path: 'a.txt' });
    const twice = await client.call('pal_edit', { path: 'a.txt', old_string: 'x = 1', new_string: 'y' });
    expect(twice).toMatchObject({ failed: true, error: { code: 'ambiguous' } });
    expect(twice.text).toContain('2 times');
    expect(await client.call('pal_edit', { path: 'a.txt', old_string: 'z', new_string: 'y' })).toMatchObject({
      failed: true,
      error: { code: 'no-match' },
    });
    expect(await client.call('pal_edit', { path: 'a.txt', old_string: 'x', new_string: 'x' })).toMatchObject({
      failed: true,
    });
    expect(await client.call('pal_edit', { path: 'none', old_string: 'x', new_string: 'y' })).toMatchObject({
      failed: true,
      error: { code: 'no-such-file' },
    });
    expect(workspace.read('a.txt')).toBe('x = 1\nx = 1\n');
    const all = { path: 'a.txt', old_string: 'x = 1', new_string: 'y', replace_all: true };
    expect(await client.call('pal_edit', all)).toMatchObject({ failed: false });
    expect(workspace.read('a.txt')).toBe('y\ny\n');
    await client.leave();
  });

  test('[AGT2e] line endings and modes stay as they are', async () => {
    const { workspace, client } = await together({ 'run.sh': 'one\r\ntwo\r\nthree\r\n' });
    chmodSync(join(workspace.root, 'run.sh'), 0o750);
    await client.call('pal_read', { path: 'run.sh' });
    await client.call('pal_edit', { path: 'run.sh', old_string: 'one\ntwo', new_string: '1\n2' });
    expect(workspace.read('run.sh')).toBe('1\r\n2\r\nthree\r\n');
    expect(statSync(join(workspace.root, 'run.sh')).mode & 0o777).toBe(0o750);
    await client.leave();
  });

  test('[AGT2a] of a long file a part is shown, and only that part counts as seen', async () => {
    const text = Array.from({ length: 5_000 }, (_, at) => `line ${at + 1}\n`).join('');
    const { client } = await together({ 'long.txt': text });
    const shown = await client.call('pal_read', { path: 'long.txt' });
    expect(shown.data).toMatchObject({ startLine: 1, endLine: 2_000, totalLines: 5_000 });
    expect(shown.text).toContain('lines 1–2000 of 5000');
    const part = await client.call('pal_read', { path: 'long.txt', start_line: 4_999, end_line: 9_999 });
    expect(part.data).toMatchObject({ content: 'line 4999\nline 5000\n', startLine: 4_999, endLine: 5_000 });
    expect(await client.call('pal_stale')).toMatchObject({ data: { files: [{ seen: { lines: expect.anything() } }] } });
    expect(await client.call('pal_read', { path: 'long.txt', start_line: 5_001 })).toMatchObject({ failed: true });
    await client.leave();
  });
});

describe('looking around', () => {
  test('[AGT2b] status, changes, diff, log and notes tell what the daemon knows', async () => {
    const { workspace, client } = await together();
    await workspace.call('s', 'c1', 'Bash', { command: 'make' }, () => workspace.write('a.txt', 'one\n2\nthree\n'));
    expect(await client.call('pal_status')).toMatchObject({
      data: { workspace: { root: workspace.root, git: true }, pending: { changes: 1 }, sessions: [{ id: 's' }] },
    });
    const { data, text } = await client.call('pal_changes', { session: 's' });
    const [{ id }] = data.changes as [{ id: string }];
    expect(text).toContain(id);
    const nobody = await client.call('pal_changes', { session: 'nobody' });
    expect([nobody.failed, nobody.text]).toEqual([true, expect.stringContaining('there is no session nobody')]);
    for (const asked of [{ change: id }, { path: 'a.txt' }]) {
      const diff = await client.call('pal_diff', asked);
      expect(diff).toMatchObject({ failed: false, data: { changes: [id], cut: false } });
      expect(diff.text).toContain('-two\n+2\n');
    }
    const log = await client.call('pal_log', { limit: 2 });
    expect(log.data.operations).toHaveLength(2);
    expect((log.data.operations as { seq: number }[]).at(-1)!.seq).toBe(log.data.seq);

    expect(await client.call('pal_note_read', { path: 'a.txt', lines: [1, 2] })).toMatchObject({ failed: false });
    expect(await client.call('pal_stale')).toMatchObject({
      data: { files: [{ path: 'a.txt', state: 'fresh', seen: { lines: [[1, 2]] } }] },
    });
    await client.leave();
  });

  test('[AGT2b] changes are resources: listed, described by a template, read as diffs', async () => {
    const { workspace, client } = await together();
    await workspace.call('s', 'c1', 'Bash', { command: 'make' }, () => workspace.write('a.txt', 'one\n2\nthree\n'));
    const listed = (await client.ask('resources/list')).result as { resources: { uri: string; title: string }[] };
    expect(listed.resources[0]).toMatchObject({ title: 'modify a.txt', mimeType: 'text/x-diff' });
    const uri = listed.resources[0]!.uri;
    expect(uri).toMatch(/^palimpsest:\/\/changes\/c\d+\.1$/);
    const { result } = await client.ask('resources/read', { uri });
    expect(result).toMatchObject({ contents: [{ uri, text: expect.stringContaining('-two\n+2\n') }] });
    expect((await client.ask('resources/templates/list')).result).toMatchObject({
      resourceTemplates: expect.arrayContaining([
        expect.objectContaining({ uriTemplate: 'palimpsest://changes/{id}' }),
      ]),
    });
    for (const unknown of ['palimpsest://changes/c999.1', 'palimpsest://changes/..%2f..', 'file:///etc/passwd', 'x'])
      expect(await client.ask('resources/read', { uri: unknown })).toMatchObject({
        error: { code: expect.any(Number) },
      });
    await client.leave();
  });
});
