import { existsSync, mkdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fingerprint } from '../git/repository.fixture.js';
import { stage } from '../stories/stage.fixture.js';
import { photograph, reasons, refusal, save, truncateObject, value } from './checkpoint.fixture.js';

test('[CHK3a] [CHK3d] plan, token, rescue, restore: only what differs is written, and it is said', async () => {
  const at = await stage({ files: { 'a.txt': 'one\n', 'b.txt': 'b\n', 'gone.txt': 'g\n' } });
  const saved = await save(at);
  const before = photograph(at.root);
  const untouched = statSync(at.path('b.txt')).mtimeMs;
  const agent = at.agent('s');
  await agent.readFile('a.txt');
  await agent.edit('a.txt', 'one', 'two');
  await agent.writeFile('new/deep/c.txt', 'c\n');
  await agent.shell('rm gone.txt');
  const plan = value(await at.workspace.planRestore(saved.id));
  expect(plan).toMatchObject({
    writes: ['a.txt', 'gone.txt'],
    deletes: ['new/deep/c.txt'],
    yours: [],
    conflicts: [],
  });
  expect(at.read('a.txt')).toBe('two\n');
  const done = value(await at.workspace.restore(saved.id, { token: plan.token }));
  expect(done).toMatchObject({
    checkpoint: saved.id,
    written: ['a.txt', 'gone.txt'],
    deleted: ['new/deep/c.txt'],
    movedOn: [],
    seq: at.workspace.seq,
  });
  expect(photograph(at.root)).toEqual(before);
  expect(existsSync(at.path('new'))).toBe(false);
  expect(statSync(at.path('b.txt')).mtimeMs).toBe(untouched);
  expect((await reasons(at)).at(-1)).toBe('rescue');
  expect(
    value(await at.workspace.changes({ status: 'rejected' }))
      .map(({ path }) => path)
      .sort(),
  ).toEqual(['a.txt', 'gone.txt', 'new/deep/c.txt']);
  expect(value(await at.workspace.changes({})).length).toBe(0);
  const again = value(await at.workspace.restore(saved.id));
  expect(again).toMatchObject({ rescue: null, written: [], deleted: [] });
});

test('[CHK3b] the rescue checkpoint brings everything back, the human’s unsaved edits included', async () => {
  const at = await stage({ files: { 'a.txt': 'one\n' } });
  const saved = await save(at);
  await at.agent('s').writeFile('n.txt', 'new\n');
  at.write('a.txt', 'mine\n');
  const after = photograph(at.root);
  const { rescue } = value(await at.workspace.restore(saved.id));
  expect(at.read('a.txt')).toBe('one\n');
  expect(at.read('n.txt')).toBe(null);
  value(await at.workspace.restore(rescue ?? ''));
  expect(photograph(at.root)).toEqual(after);
});

test('[CHK3a] a token is refused when the world has moved, and what moved is said', async () => {
  const at = await stage({ files: { 'a.txt': '1\n', 'b.txt': '1\n' } });
  const saved = await save(at);
  at.write('a.txt', '2\n');
  const plan = value(await at.workspace.planRestore(saved.id));
  expect(plan.yours).toEqual(['a.txt']);
  at.write('b.txt', '2\n');
  expect(refusal(await at.workspace.restore(saved.id, { token: plan.token }))).toMatchObject({
    code: 'moved',
    paths: ['b.txt'],
  });
  expect([at.read('a.txt'), at.read('b.txt')]).toEqual(['2\n', '2\n']);
  const partly = value(await at.workspace.planRestore(saved.id, { paths: ['a.txt'] }));
  at.write('b.txt', '3\n');
  value(await at.workspace.restore(saved.id, { token: partly.token, paths: ['a.txt'] }));
  expect([at.read('a.txt'), at.read('b.txt')]).toEqual(['1\n', '3\n']);
});

test('[CHK3j] a plan made while a call is running holds: what the call did so far is part of it', async () => {
  const at = await stage({ files: { 'a.txt': '1\n' } });
  const saved = await save(at);
  await at.agent('s').begin('Bash', { command: 'make' });
  at.write('made.txt', 'by the call\n');
  const plan = value(await at.workspace.planRestore(saved.id, { keepMine: true }));
  expect(plan.deletes).toEqual(['made.txt']);
  const done = value(await at.workspace.restore(saved.id, { keepMine: true, token: plan.token }));
  expect(done.deleted).toEqual(['made.txt']);
});

test('[CHK3f] chosen paths only; a folder stands for all below it; outside is refused', async () => {
  const at = await stage({ files: { 'a.txt': '1', 'd/x.txt': '1', 'd/e/y.txt': '1', 'dd.txt': '1' } });
  const saved = await save(at);
  for (const path of ['a.txt', 'd/x.txt', 'd/e/y.txt', 'dd.txt', 'd/new.txt']) at.write(path, '2');
  const done = value(await at.workspace.restore(saved.id, { paths: ['d'] }));
  expect([done.written, done.deleted]).toEqual([['d/e/y.txt', 'd/x.txt'], ['d/new.txt']]);
  expect([at.read('a.txt'), at.read('dd.txt')]).toEqual(['2', '2']);
  for (const path of ['../x', '/etc/passwd', 'd/../../x'])
    expect(refusal(await at.workspace.planRestore(saved.id, { paths: [path] }))).toMatchObject({ code: 'outside' });
  expect(refusal(await at.workspace.planRestore(saved.id, { paths: ['.git/config'] }))).toMatchObject({
    code: 'bad-path',
  });
});

test('[CHK3g] keep mine: only what agents did is taken back, the human’s edits stay around it', async () => {
  const lines = Array.from({ length: 20 }, (_, n) => `line ${n}\n`);
  const at = await stage({ files: { 'a.txt': lines.join(''), 'b.txt': 'b\n', 'c.txt': 'c\n' } });
  const saved = await save(at);
  const agent = at.agent('s');
  await agent.readFile('a.txt');
  await agent.edit('a.txt', 'line 3\n', 'AGENT\n');
  at.write('a.txt', (at.read('a.txt') ?? '').replace('line 17\n', 'HUMAN\n'));
  at.write('b.txt', 'human\n');
  await at.workspace.look();
  await agent.readFile('a.txt');
  await agent.edit('a.txt', 'line 9\n', 'AGENT TOO\n');
  await agent.writeFile('made.txt', 'made\n');
  await agent.shell('rm c.txt');
  const done = value(await at.workspace.restore(saved.id, { keepMine: true }));
  expect([done.written, done.deleted, done.conflicts]).toEqual([['a.txt', 'c.txt'], ['made.txt'], []]);
  expect(at.read('a.txt')).toBe(lines.join('').replace('line 17\n', 'HUMAN\n'));
  expect([at.read('b.txt'), at.read('c.txt')]).toEqual(['human\n', 'c\n']);
});

test('[CHK3g] keep mine: where people changed the same lines it is a conflict, and nothing of that file is written', async () => {
  const at = await stage({ files: { 'a.txt': '1\n2\n3\n', 'b.txt': 'b\n' } });
  const saved = await save(at);
  const agent = at.agent('s');
  await agent.readFile('a.txt');
  await agent.edit('a.txt', '2\n', 'agent\n');
  await agent.writeFile('made.txt', 'by agent\n');
  await agent.readFile('b.txt');
  await agent.edit('b.txt', 'b', 'B');
  at.write('a.txt', '1\nagent and me\n3\n');
  at.write('made.txt', 'by agent\nand me\n');
  const done = value(await at.workspace.restore(saved.id, { keepMine: true }));
  expect(done.conflicts).toEqual([
    { path: 'a.txt', reason: 'overlap' },
    { path: 'made.txt', reason: 'overlap' },
  ]);
  expect([at.read('a.txt'), at.read('made.txt'), at.read('b.txt')]).toEqual([
    '1\nagent and me\n3\n',
    'by agent\nand me\n',
    'b\n',
  ]);
});

test('[CHK3c] exec bits, CRLF, empty files, symlinks, odd names, binary: back byte for byte', async () => {
  const at = await stage({
    files: {
      'run.sh': '#!/bin/sh\n',
      'crlf.txt': 'a\r\nb\r\n',
      empty: '',
      'ünïcode ñ.txt': 'x',
      '-dash "q" -> z': 'y',
    },
  });
  at.chmod('run.sh', 0o755);
  at.write('new\nline', 'n');
  at.write('bin', Buffer.from([0, 255, 254, 10, 13]));
  at.link('link', 'crlf.txt');
  const saved = await save(at);
  const before = photograph(at.root);
  at.chmod('run.sh', 0o644);
  at.write('crlf.txt', 'a\nb\n');
  at.write('empty', 'not');
  at.remove('ünïcode ñ.txt');
  at.remove('new\nline');
  at.move('-dash "q" -> z', 'moved');
  at.write('bin', Buffer.from([1]));
  at.remove('link');
  at.write('link', 'a file now');
  value(await at.workspace.restore(saved.id));
  expect(photograph(at.root)).toEqual(before);
  expect(readlinkSync(at.path('link'))).toBe('crlf.txt');
});

test('[CHK3c] a file in the place of a folder and a folder in the place of a file come back', async () => {
  const at = await stage({ files: { 'a/x.txt': 'x', 'a/y/z.txt': 'z', b: 'file' } });
  const saved = await save(at);
  const before = photograph(at.root);
  at.remove('a');
  at.write('a', 'now a file');
  at.remove('b');
  at.write('b/c/d.txt', 'now a folder');
  value(await at.workspace.restore(saved.id));
  expect(photograph(at.root)).toEqual(before);
});

test('[CHK3c] edits to lock files, .csv, .env and pkg/ are captured and come back', async () => {
  const files = { 'package-lock.json': '{}', 'data.csv': 'a,b', 'pkg/main.go': 'package main', '.gitignore': '.env\n' };
  const at = await stage({ files });
  at.write('.env', 'KEY=1');
  await at.reopen();
  const saved = await save(at);
  await at.agent('s').call('Bash', { command: 'make' }, () => {
    for (const path of [...Object.keys(files), '.env']) if (path !== '.gitignore') at.write(path, 'changed');
  });
  value(await at.workspace.restore(saved.id));
  expect(at.read('.env')).toBe('KEY=1');
  for (const [path, text] of Object.entries(files)) expect(at.read(path)).toBe(text);
});

test('[CHK5a] a file that was never captured survives', async () => {
  const at = await stage({ files: { '.gitignore': 'target\n', 'a.txt': '1' } });
  mkdirSync(at.path('target'));
  at.write('target/out.o', 'built');
  at.write('notes.orig', 'scratch');
  const saved = await save(at);
  at.write('a.txt', '2');
  at.write('target/later.o', 'built later');
  at.write('huge.bin', Buffer.alloc(11 * 1024 * 1024, 1));
  const plan = value(await at.workspace.planRestore(saved.id));
  expect(plan.deletes).toEqual([]);
  value(await at.workspace.restore(saved.id));
  expect(at.read('a.txt')).toBe('1');
  expect([at.read('target/out.o'), at.read('target/later.o'), at.read('notes.orig')]).toEqual([
    'built',
    'built later',
    'scratch',
  ]);
  expect(existsSync(at.path('huge.bin'))).toBe(true);
});

test('[CHK5a] a file that was ignored then and is not ignored now survives', async () => {
  const at = await stage({ files: { '.gitignore': 'target\nbig.log\n', 'a.txt': '1' } });
  at.write('target/keep.txt', 'mine');
  at.write('big.log', 'x'.repeat(2 * 1024 * 1024));
  await at.reopen();
  const saved = await save(at);
  at.write('.gitignore', '# nothing\n');
  at.write('a.txt', '2');
  await at.reopen();
  expect(value(await at.workspace.checkpointDiff(saved.id, 'now')).files.map(({ path }) => path)).toContain('big.log');
  const done = value(await at.workspace.restore(saved.id));
  expect(done.deleted).toEqual([]);
  expect(done.uncovered.map(({ path }) => path)).toEqual(expect.arrayContaining(['big.log', 'target/']));
  expect(at.read('target/keep.txt')).toBe('mine');
  expect(at.read('big.log')?.length).toBe(2 * 1024 * 1024);
  expect(at.read('a.txt')).toBe('1');
});

test('[CHK5a] an ignored file that a tool named later was not made since, and survives', async () => {
  const at = await stage({ files: { '.gitignore': 'node_modules\n', 'a.txt': '1' } });
  at.write('node_modules/lib/x.js', 'theirs\n');
  await at.reopen();
  const saved = await save(at);
  const agent = at.agent('s');
  await agent.readFile('node_modules/lib/x.js');
  await agent.edit('node_modules/lib/x.js', 'theirs', 'patched');
  await agent.writeFile('node_modules/lib/made.js', 'made\n');
  const done = value(await at.workspace.restore(saved.id));
  expect(at.read('node_modules/lib/x.js')).toBe('patched\n');
  expect(done.uncovered).toContainEqual({ path: 'node_modules/', reason: 'dependency' });
  expect(done.deleted).toEqual(['node_modules/lib/made.js']);
});

test('[CHK5b] edits inside a submodule are taken back; its commit, index and .git file stay', async () => {
  const at = await stage({ files: { 'a.txt': '1\n' } });
  const library = `${at.root}-library`;
  at.shell(
    `git init -q '${library}' && cd '${library}' && echo one > lib.txt && git add -A && git commit -q -m library`,
  );
  at.shell(`git -c protocol.file.allow=always submodule add -q '${library}' sub && git commit -q -m sub`);
  await at.reopen();
  const saved = await save(at);
  const told = () => [at.git('submodule', 'status'), at.git('-C', 'sub', 'status', '--porcelain'), at.read('sub/.git')];
  const before = told();
  at.write('sub/lib.txt', 'two\n');
  at.write('sub/new.txt', 'new\n');
  at.write('a.txt', '2\n');
  const done = value(await at.workspace.restore(saved.id));
  expect([at.read('sub/lib.txt'), at.read('sub/new.txt'), at.read('a.txt')]).toEqual(['one\n', null, '1\n']);
  expect(done.deleted).toEqual(['sub/new.txt']);
  expect(told()).toEqual(before);
  expect(before[0]).toContain('sub (heads/');
  at.shell(`rm -rf '${library}'`);
});

test('[CHK5b] HEAD, index, branches, stash, staged and unstaged changes, nested .git: as before', async () => {
  const at = await stage({ files: { 'a.txt': '1\n', 's.txt': '1\n' } });
  at.write('nested/n.txt', 'n');
  at.shell('cd nested && git init -q && git add -A && git commit -q -m n');
  await at.reopen();
  const saved = await save(at);
  at.write('a.txt', 'stashed\n');
  at.git('stash', '-q');
  at.git('branch', 'side');
  at.write('s.txt', 'staged\n');
  at.git('add', 's.txt');
  at.write('a.txt', 'commit\n');
  at.git('commit', '-q', '-m', 'second', 'a.txt');
  at.write('a.txt', 'unstaged\n');
  at.write('nested/n.txt', 'edited');
  const [own, nested] = [fingerprint(at.path('.git')), fingerprint(at.path('nested/.git'))];
  value(await at.workspace.restore(saved.id));
  expect([at.read('a.txt'), at.read('s.txt'), at.read('nested/n.txt')]).toEqual(['1\n', '1\n', 'n']);
  expect(fingerprint(at.path('.git'))).toEqual(own);
  expect(fingerprint(at.path('nested/.git'))).toEqual(nested);
});

test('[CHK5b] a symlink to an outside repository is a link, and nothing behind it is touched', async () => {
  const at = await stage({ files: { 'a.txt': '1' } });
  const outside = join(at.folder, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'o.txt'), 'theirs');
  at.link('out', outside);
  const saved = await save(at);
  at.remove('out');
  at.write('out/o.txt', 'ours');
  writeFileSync(join(outside, 'o.txt'), 'theirs, later');
  value(await at.workspace.restore(saved.id));
  expect(readlinkSync(at.path('out'))).toBe(outside);
  expect(readFileSync(join(outside, 'o.txt'), 'utf8')).toBe('theirs, later');
  expect(value(await at.workspace.planRestore(saved.id, { paths: ['out/o.txt'] }))).toMatchObject({ writes: [] });
});

test('[CHK3d] one file that cannot be written stops everything, and what was written is put back', async () => {
  const at = await stage({ kind: 'plain', files: { 'a.txt': '1', 'd/b.txt': 'spoilt', 'made/z.txt': '1' } });
  const saved = await save(at);
  at.write('a.txt', '2');
  at.write('d/b.txt', '2');
  at.remove('made');
  at.write('new.txt', '2');
  const before = photograph(at.root);
  truncateObject(at, saved.commit, 'd/b.txt', 'end');
  await at.reopen();
  const records = await at.records();
  const refused = refusal(await at.workspace.restore(saved.id));
  expect(refused).toMatchObject({ code: 'unknown-content' });
  expect(photograph(at.root)).toEqual(before);
  expect(await at.records()).toEqual(records);
});

test('[CHK3j] a restore while a call is running: what the call did so far is recorded, and taken back', async () => {
  const at = await stage({ files: { 'a.txt': '1\n' } });
  const saved = await save(at);
  const agent = at.agent('s');
  const { callId } = await agent.begin('Bash', { command: 'make' });
  at.write('a.txt', 'by make\n');
  value(await at.workspace.restore(saved.id));
  expect(at.read('a.txt')).toBe('1\n');
  at.write('b.txt', 'later\n');
  await agent.end(callId);
  expect(await at.records()).toEqual(['modify a.txt s/Bash window', 'create b.txt s/Bash window']);
  const kinds = at.workspace.operations(0, 1000).map(({ kind }) => kind);
  expect(kinds.indexOf('changed')).toBeLessThan(kinds.indexOf('restored'));
  await at.reopen();
  expect((await at.records()).length).toBe(2);
});

test('[CHK3i] [I9] a restore can be undone and done again', async () => {
  const at = await stage({ files: { 'a.txt': '1\n', 'gone.txt': 'g\n' } });
  const saved = await save(at);
  const old = photograph(at.root);
  await at.agent('s').writeFile('made.txt', 'm\n');
  at.write('a.txt', 'mine\n');
  at.remove('gone.txt');
  await at.workspace.look();
  const before = photograph(at.root);
  value(await at.workspace.restore(saved.id));
  value(await at.workspace.undo());
  expect(photograph(at.root)).toEqual(before);
  expect(value(await at.workspace.changes({})).map(({ path }) => path)).toEqual(['made.txt']);
  value(await at.workspace.redo());
  expect(photograph(at.root)).toEqual(old);
});

test('[CHK3h] a folder of then stays, one made since goes with its last file', async () => {
  const at = await stage({ kind: 'plain', files: { 'a.txt': '1' } });
  mkdirSync(at.path('old'));
  const saved = await save(at);
  // The clock of the disk is some milliseconds behind; a folder that may be older than the checkpoint would stay.
  await sleep(50);
  for (const path of ['old/n', 'made/n']) at.write(path, 'n');
  await at.workspace.look();
  value(await at.workspace.restore(saved.id));
  expect(['old', 'made'].map((name) => existsSync(at.path(name)))).toEqual([true, false]);
});

test('[CHK3c] a file that had gone by then, which was recorded later because a call was to write it, goes again', async () => {
  const at = await stage({ files: { 'a.txt': '1\n' } });
  const edit = { session: 's', callId: 'edit' };
  const input = { file_path: 'a.txt', old_string: '1', new_string: '2' };
  await at.agent('s').call('Read', { file_path: 'a.txt' }, () => undefined);
  await at.workspace.begin({ ...edit, tool: 'Edit', input });
  await at.agent('t').shell('rm a.txt');
  const saved = await save(at);
  await at.workspace.end(edit);
  await at.agent('t').shell('echo again > a.txt');
  const { uncovered } = value(await at.workspace.restore(saved.id));
  expect([at.read('a.txt'), uncovered]).toEqual([null, []]);
});
