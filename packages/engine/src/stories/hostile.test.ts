import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stage } from './stage.fixture.js';

test('[CAP2a] a file becomes a folder, and a folder a file', async () => {
  const on = await stage({ files: { a: 'file\n', 'd/x': 'x\n', 'd/y': 'y\n' } });
  const agent = on.agent('S');
  expect([...(await agent.shell('rm a; mkdir a; echo in > a/in; rm -r d; echo d > d'))].sort()).toEqual([
    'create a/in S/Bash window',
    'create d S/Bash window',
    'delete a S/Bash window',
    'delete d/x S/Bash window',
    'delete d/y S/Bash window',
  ]);
});

test('[CAP2b] a folder that is moved takes its files along as renames', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`src/deep/f${index}.ts`, `file ${index}\n`]),
  );
  const on = await stage({ files });
  const changes = await on.agent('S').shell('mv src lib');
  expect(changes).toHaveLength(30);
  expect(changes.every((change) => change.startsWith('rename src/deep/'))).toBe(true);
  expect(await on.agent('S').shell('echo more >> lib/deep/f7.ts')).toEqual(['modify lib/deep/f7.ts S/Bash window']);
});

test('[CAP5] deleted and made again with the same bytes is no change', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  expect(await on.agent('S').shell('rm a.txt; sleep 0.02; echo one > a.txt')).toEqual([]);
});

test('[SEC4c] what a link out of the workspace leads to is not ours', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  mkdirSync(join(on.folder, 'outside'));
  writeFileSync(join(on.folder, 'outside', 'secret'), 'secret\n');
  on.link('door', join(on.folder, 'outside'));
  expect(await on.records()).toEqual(['create door human inferred']);
  expect(await on.agent('S').shell('echo more >> door/secret')).toEqual([]);
  const begun = await on.agent('S').begin('Write', { file_path: 'door/secret', content: 'x' });
  expect(begun.decision).toBe('allow');
  expect((await on.agent('S').end(begun.callId)).changes).toEqual([]);
});

test('[CAP8a] the folder itself may vanish and come back', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n', 'b/c.txt': 'two\n' } });
  renameSync(on.root, `${on.root}-away`);
  await on.workspace.look();
  renameSync(`${on.root}-away`, on.root);
  await on.workspace.look();
  expect(await on.records()).toEqual([]);
  on.write('a.txt', 'after\n');
  await on.workspace.look();
  expect(on.read('a.txt')).toBe('after\n');
  await on.reopen();
  expect(on.read('a.txt')).toBe('after\n');
  expect((await on.workspace.status()).coverage.files).toBe(2);
});

test('[CAP10b] the repository may vanish while we work', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  rmSync(on.path('.git'), { recursive: true });
  expect(await on.agent('S').shell('echo x >> a.txt')).toEqual(['modify a.txt S/Bash window']);
  await on.reopen();
  expect(await on.agent('S').shell('echo y >> a.txt')).toEqual(['modify a.txt S/Bash window']);
});

test('[CAP6c] inputs that make no sense are recorded as calls and harm nothing', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  const agent = on.agent('S');
  const inputs = [
    null,
    undefined,
    42,
    'text',
    [],
    { file_path: 7 },
    { file_path: '\u0000' },
    { file_path: '../'.repeat(500) },
    { command: '$(((' },
    { file_path: 'x'.repeat(100_000) },
  ];
  for (const tool of ['Edit', 'Write', 'Read', 'Bash', 'apply_patch', '', 'mcp__x__y']) {
    for (const input of inputs) {
      const { callId } = await agent.begin(tool, input);
      expect((await agent.end(callId)).changes).toEqual([]);
    }
  }
  expect(on.read('a.txt')).toBe('one\n');
});

test('[CAP3j] a session may have many calls open at once', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  const agent = on.agent('S');
  const calls = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      agent.begin('Write', { file_path: `w${index}.txt`, content: `${index}\n` }),
    ),
  );
  for (let index = 0; index < 40; index++) on.write(`w${index}.txt`, `${index}\n`);
  const ended = await Promise.all(calls.map(({ callId }) => agent.end(callId)));
  expect(ended.map((end) => end.changes.length)).toEqual(Array(40).fill(1));
  expect(readdirSync(on.root)).toHaveLength(42);
});

test('[CAP2a] a command that makes a link lead elsewhere changed the link', async () => {
  const on = await stage({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
  on.link('link', 'a.txt');
  await on.workspace.look();
  expect(await on.agent('S').shell('ln -sfn b.txt link')).toEqual(['modify link S/Bash window']);
  expect(await on.agent('S').shell('echo more >> link')).toEqual(['modify b.txt S/Bash window']);
  expect(await on.agent('S').shell('rm link')).toEqual(['delete link S/Bash window']);
});
