import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitEnvironment } from '../../../../test/git.fixture.js';
import { stage } from './stage.fixture.js';

test('[REC1a] a change carries who, what, where, before and after', async () => {
  const on = await stage({ files: { 'a.txt': 'one\ntwo\nthree\n' } });
  const agent = on.agent('S');
  await on.workspace.startSession({ id: 'S', agent: 'tester' });
  await agent.readFile('a.txt');
  await agent.begin('Edit', { file_path: 'a.txt', old_string: 'two', new_string: 'TWO\n2' }, 'toolu_1', {
    turn: 'p1',
    messageIndex: 7,
    agentId: 'sub',
  });
  on.write('a.txt', 'one\nTWO\n2\nthree\n');
  const [change] = (await agent.end('toolu_1')).changes;
  expect(change).toMatchObject({
    author: { kind: 'agent', session: 'S', agent: 'tester', call: 'toolu_1', tool: 'Edit' },
    evidence: 'exact',
    turn: 'p1',
    messageIndex: 7,
    agentId: 'sub',
    status: 'pending',
    path: 'a.txt',
    file: { before: { mode: '100644', size: 14 }, after: { size: 16 }, binary: false, reversible: true },
    hunks: [{ span: { oldStart: 2, oldLines: 1, newStart: 2, newLines: 2 }, status: 'pending' }],
  });
  const patch = await on.workspace.patch(change!.id);
  expect(patch.ok && new TextDecoder().decode(patch.value)).toContain('-two\n+TWO\n+2\n');
});

test('[REC1b] one call that touches many files gives many changes, found by the call', async () => {
  const on = await stage();
  await on.agent('S').call('Bash', { command: 'make' }, () => {
    for (let index = 0; index < 5; index++) on.write(`f${index}`, 'x\n');
  });
  const found = await on.workspace.changes({ call: 'call-1' });
  expect(found.ok && found.value.map((entry) => entry.path)).toEqual(['f0', 'f1', 'f2', 'f3', 'f4']);
});

test.each(['../../x', 'a:b', 'x'.repeat(300), '\u0001\u001b[31m\n', '.', '/etc/passwd', 'con', '\u0000'])(
  '[REC2a] a call and a session named %j change nothing about where data goes',
  async (id) => {
    const on = await stage();
    const around = readdirSync(on.folder);
    const agent = on.agent(id);
    await agent.begin('Write', { file_path: 'a.txt', content: 'x' }, id);
    on.write('a.txt', 'x');
    expect((await agent.end(id)).changes).toHaveLength(1);
    expect(readdirSync(on.folder)).toEqual(around);
    expect(
      readdirSync(on.data)
        .sort()
        .filter((name) => !/^(log\.sqlite|workspace\.lock|cookies$|content\.git$)/.test(name)),
    ).toEqual([]);
  },
);

test('[REC3a] two distant edits are two hunks, an inserted line is one added line', async () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}\n`);
  const on = await stage({ files: { 'a.txt': lines.join('') } });
  await on
    .agent('S')
    .call('Bash', { command: "sed -i 's/line 3$/LINE 3/; s/line 33$/LINE 33/; 20a inserted' a.txt" }, () =>
      on.shell("sed -i 's/line 3$/LINE 3/; s/line 33$/LINE 33/; 20a inserted' a.txt"),
    );
  const changes = await on.workspace.changes({});
  expect(changes.ok && changes.value[0]?.hunks.map((hunk) => hunk.span)).toEqual([
    { oldStart: 3, oldLines: 1, newStart: 3, newLines: 1 },
    { oldStart: 20, oldLines: 0, newStart: 21, newLines: 1 },
    { oldStart: 33, oldLines: 1, newStart: 34, newLines: 1 },
  ]);
});

test('[REC4a] equal bytes are stored once', async () => {
  const on = await stage();
  await on.agent('S').call('Bash', { command: 'make' }, () => {
    for (let index = 0; index < 30; index++) on.write(`f${index}`, 'the same bytes in every file\n'.repeat(100));
  });
  const changes = await on.workspace.changes({});
  expect(new Set(changes.ok ? changes.value.map((entry) => entry.file.after!.content) : []).size).toBe(1);
  const { store } = await on.workspace.status();
  expect(store.bytes).toBeLessThan(100_000);
});

test('[REC5a] a path outside the workspace is refused', async () => {
  const on = await stage({ files: { 'a.txt': 'a\n' } });
  writeFileSync(join(on.folder, 'outside.txt'), 'secret\n');
  on.link('way-out', on.folder);
  for (const path of ['../outside.txt', join(on.folder, 'outside.txt'), 'way-out/outside.txt', '/etc/passwd']) {
    const noted = await on.workspace.note({ kind: 'read', session: 'S', path });
    expect(noted, path).toMatchObject({ ok: false, error: { code: 'outside' } });
  }
  expect(await on.workspace.note({ kind: 'read', session: 'S', path: '.git/config' })).toMatchObject({
    ok: false,
    error: { code: 'bad-path' },
  });
});

test('[REC5b] a path in a session’s worktree means the workspace’s, also when the worktree is gone', async () => {
  const on = await stage({ files: { 'src/a.txt': 'a\n' } });
  const worktree = join(on.folder, 'worktree-of-s');
  await on.workspace.startSession({ id: 'S', agent: 'tester', worktree: { path: worktree, mode: 'auto' } });
  expect(await on.workspace.note({ kind: 'read', session: 'S', path: join(worktree, 'src/a.txt') })).toMatchObject({
    ok: true,
  });
  expect((await on.workspace.stale('S')).map(({ path }) => path)).toEqual(['src/a.txt']);
  await on.reopen();
  const found = await on.workspace.changes({ path: join(worktree, 'src/a.txt'), status: 'all' });
  expect(found).toEqual({ ok: true, value: [] });
});

test('[SEC4e] a repository with a hostile configuration runs nothing and changes nothing', async () => {
  const on = await stage({
    files: { 'a.txt': 'one\r\ntwo\r\n', 'b.txt': 'b\n', '.gitattributes': '*.txt text eol=lf filter=evil\n' },
  });
  await on.close();
  const marker = join(on.folder, 'ran');
  const evil = `touch ${marker}`;
  const settings: Record<string, string> = {
    'core.hooksPath': join(on.folder, 'hooks'),
    'core.fsmonitor': evil,
    'core.autocrlf': 'true',
    'filter.evil.clean': evil,
    'filter.evil.smudge': evil,
    'filter.evil.process': evil,
    'commit.gpgSign': 'true',
    'gpg.program': evil,
    'core.sshCommand': evil,
    'core.editor': evil,
    'diff.external': evil,
    'init.templateDir': join(on.folder, 'hooks'),
    'core.alternateRefsCommand': evil,
    'alias.cat-file': `!${evil}`,
  };
  for (const [key, value] of Object.entries(settings)) on.git('config', key, value);
  mkdirSync(join(on.folder, 'hooks'));
  writeFileSync(join(on.folder, 'hooks', 'post-checkout'), `#!/bin/sh\n${evil}\n`, { mode: 0o755 });
  const gitBefore = fingerprint(on.path('.git'));
  await on.open();
  expect(await on.agent('S').shell('echo x >> b.txt')).toEqual(['modify b.txt S/Bash window']);
  const changes = await on.workspace.changes({ status: 'all' });
  const before = await on.workspace.content((changes.ok ? changes.value[0]?.file.before?.content : '') ?? '');
  expect(before.ok && Buffer.from(before.value).toString()).toBe('b\n');
  on.write('a.txt', 'changed\n');
  await on.workspace.look();
  const all = await on.workspace.changes({ status: 'all', path: 'a.txt' });
  const old = await on.workspace.content((all.ok ? all.value[0]?.file.before?.content : '') ?? '');
  expect(old.ok && Buffer.from(old.value).toString()).toBe('one\r\ntwo\r\n');
  expect(existsSync(marker)).toBe(false);
  expect(fingerprint(on.path('.git'))).toBe(gitBefore);
});

test('[CAP9b] bytes that git converts on checkout are kept as they are on disk', async () => {
  const on = await stage({ kind: 'plain', files: { 'a.txt': 'one\r\ntwo\r\n' } });
  await on.close();
  on.git('init', '-q');
  on.git('config', 'core.autocrlf', 'true');
  on.git('add', '-A');
  on.git('commit', '-q', '-m', 'converted');
  const fresh = await stage({ kind: 'plain' });
  await fresh.close();
  execFileSync('cp', ['-a', `${on.root}/.`, fresh.root]);
  await fresh.open();
  await fresh.agent('S').shell('echo three >> a.txt');
  const changes = await fresh.workspace.changes({});
  const before = await fresh.workspace.content((changes.ok ? changes.value[0]?.file.before?.content : '') ?? '');
  expect(before.ok && Buffer.from(before.value).toString()).toBe('one\r\ntwo\r\n');
});

function fingerprint(folder: string): string {
  return execFileSync('bash', ['-c', 'find . -type f -print0 | sort -z | xargs -0 sha1sum'], {
    cwd: folder,
    encoding: 'utf8',
    env: gitEnvironment(),
  });
}
