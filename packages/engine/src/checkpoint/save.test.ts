import { symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fsck } from '../git/repository.fixture.js';
import { stage } from '../stories/stage.fixture.js';
import { reasons, refusal, save, storeGit, value } from './checkpoint.fixture.js';

test('[CHK1b] saved at the start, at a prompt, and around a call that changes files', async () => {
  const at = await stage({ files: { 'a.txt': 'one\n' } });
  value(await at.workspace.startSession({ id: 's', agent: 'x' }));
  value(await at.workspace.note({ kind: 'prompt', session: 's', text: 'go' }));
  const agent = at.agent('s');
  await agent.readFile('a.txt');
  await agent.edit('a.txt', 'one', 'two');
  await agent.shell('true');
  expect(await reasons(at)).toEqual(['start', 'prompt', 'before-tool(call-2)', 'after-tool(call-2)']);
  const list = await at.workspace.checkpoints();
  expect(new Set(list.slice(0, 3).map(({ commit }) => commit)).size, 'equal trees once').toBe(1);
  expect(storeGit(at, 'show', `${list[2]?.commit}:a.txt`)).toBe('one');
  expect(storeGit(at, 'show', `${list[3]?.commit}:a.txt`)).toBe('two');
  expect(await reasons(at, 'other')).toEqual([]);
});

test('[CHK1b] a call is saved as it began and ended, whatever came after', async () => {
  const at = await stage({ files: { 'a.txt': '1\n', 'b.txt': '1\n' } });
  const agent = at.agent('s');
  await agent.readFile('a.txt');
  const { callId } = await agent.begin('Edit', { file_path: at.path('a.txt'), old_string: '1', new_string: '2' });
  agent.applyEdit('a.txt', '1', '2');
  const ended = agent.end(callId);
  at.write('b.txt', 'later\n');
  await Promise.all([ended, at.workspace.look(), at.workspace.look()]);
  at.write('a.txt', '3\n');
  await at.workspace.look();
  const [before, after] = (await at.workspace.checkpoints()).slice(-2);
  expect(storeGit(at, 'show', `${before?.commit}:a.txt`)).toBe('1');
  expect(storeGit(at, 'show', `${after?.commit}:a.txt`)).toBe('2');
});

test('[CHK1a] by hand with a message: an ordinary commit under our refs', async () => {
  const at = await stage({ files: { 'a.txt': 'one\n', 'd/b.txt': 'b' } });
  at.chmod('d/b.txt', 0o755);
  const saved = await save(at, 'before the party\nsecond line');
  await save(at);
  await at.close();
  expect(storeGit(at, 'log', '-1', '--format=%s|%an', saved.commit)).toBe('before the party second line|Palimpsest');
  expect(storeGit(at, 'for-each-ref', '--format=%(refname) %(objectname)')).toContain(
    `refs/palimpsest/checkpoints/${saved.id} ${saved.commit}`,
  );
  expect(storeGit(at, 'ls-tree', '-r', '--format=%(objectmode) %(path)', saved.commit).split('\n')).toEqual([
    '100644 a.txt',
    '100755 d/b.txt',
  ]);
  expect(fsck(`${at.data}/content.git`)).toBe('');
});

test('[CHK1c] coverage is recorded: what is too large or left out is listed, not stored', async () => {
  const at = await stage({ files: { '.gitignore': 'node_modules\n', 'a.txt': 'a' } });
  at.write('huge.bin', Buffer.alloc(11 * 1024 * 1024, 7));
  at.write('node_modules/x/index.js', 'x');
  await at.reopen();
  const saved = await save(at);
  expect(storeGit(at, 'ls-tree', '-r', '--name-only', saved.commit)).toBe('.gitignore\na.txt');
  expect(saved.uncovered).toBeGreaterThan(0);
  const list = Buffer.from(value(await at.workspace.content(saved.coverage ?? ''))).toString();
  expect(list).toContain('too-large "huge.bin"');
  expect(list).toContain('dependency "node_modules/"');
});

test('[CHK1c] saving while a call is running says that files may have been changing', async () => {
  const at = await stage({ files: { 'a.txt': 'a' } });
  const agent = at.agent('s');
  const { callId } = await agent.begin('Bash', { command: 'make' });
  at.write('a.txt', 'half');
  const saved = await save(at);
  expect(saved.moving).toBe(true);
  expect(storeGit(at, 'show', `${saved.commit}:a.txt`)).toBe('half');
  await agent.end(callId);
  expect((await save(at)).moving).toBe(false);
});

test('[CHK2b] resuming lists all checkpoints, of all sessions', async () => {
  const at = await stage({ files: { 'a.txt': '0' } });
  for (const session of ['one', 'two']) await at.agent(session).writeFile(`${session}.txt`, session);
  await save(at, 'by hand');
  const before = await reasons(at);
  await at.reopen();
  expect(await reasons(at)).toEqual(before);
  expect(before).toEqual([
    'start',
    'before-tool(call-1)',
    'after-tool(call-1)',
    'start',
    'before-tool(call-2)',
    'after-tool(call-2)',
    'manual',
  ]);
});

test('[CAP8b] nested repositories and submodules are saved with their contents; no .git is', async () => {
  const at = await stage({ files: { 'a.txt': 'a' } });
  at.write('nested/n.txt', 'n');
  at.shell('cd nested && git init -q && git add -A && git commit -q -m n');
  symlinkSync('/etc', at.path('outside'));
  await at.reopen();
  const saved = await save(at);
  expect(storeGit(at, 'ls-tree', '-r', '--format=%(objectmode) %(path)', saved.commit).split('\n')).toEqual([
    '100644 a.txt',
    '100644 nested/n.txt',
    '120000 outside',
  ]);
});

test('[CHK2b] an unknown checkpoint, a strange id, an endless message: refused, nothing happens', async () => {
  const at = await stage({ files: { 'a.txt': 'a' } });
  for (const id of ['k99', '../../x', '', 'now', '-'])
    expect(refusal(await at.workspace.planRestore(id))).toMatchObject({ code: 'unknown-checkpoint' });
  expect(refusal(await at.workspace.deleteCheckpoint('k1'))).toMatchObject({ code: 'unknown-checkpoint' });
  expect(refusal(await at.workspace.saveCheckpoint({ message: 'x'.repeat(20_000) }))).toMatchObject({
    code: 'too-large',
  });
  expect(await at.workspace.checkpoints()).toEqual([]);
});

test('[CHK1b] the start of a session is saved as it was, also while its first command is under way', async () => {
  const at = await stage({ files: { 'a.txt': 'one\n', 'b.txt': 'b\n' } });
  const agent = at.agent('s');
  const { callId } = await agent.begin('Bash', { command: './anything' });
  at.remove('b.txt');
  at.write('a.txt', 'two\n');
  await at.workspace.look();
  const [start] = await at.workspace.checkpoints();
  expect(start).toMatchObject({ reason: 'start', files: 2, incomplete: false });
  expect(storeGit(at, 'show', `${start?.commit}:a.txt`)).toBe('one');
  await agent.end(callId);
  value(await at.workspace.restore(start!.id));
  expect([at.read('a.txt'), at.read('b.txt')]).toEqual(['one\n', 'b\n']);
});

test.each([20, 600])(
  '[CHK6h] saving after one change adds a content, two trees and a commit to a tree of %i files',
  async (count) => {
    const files = Object.fromEntries(Array.from({ length: count }, (_, n) => [`folder-${n % 20}/${n}.txt`, `${n}\n`]));
    const at = await stage({ kind: 'plain', files });
    const objects = () => new Set(storeGit(at, 'cat-file', '--batch-all-objects', '--batch-check').split('\n'));
    await save(at);
    const before = objects();
    at.write('folder-7/7.txt', 'changed\n');
    await save(at);
    const added = [...objects()].filter((object) => !before.has(object)).map((object) => object.split(' ')[1] ?? '');
    expect(added.sort()).toEqual(['blob', 'commit', 'tree', 'tree']);
  },
);
