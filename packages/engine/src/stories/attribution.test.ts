import { expect, test } from 'vitest';
import { openWorkspace } from '../open-workspace.js';
import { describeChange, type Stage, stage } from './stage.fixture.js';

/** No look comes by itself: only begins, ends and asked-for looks. */
const QUIET = { settings: { lookAfterMs: 600_000 } };

test('[CAP4f] what a person wrote among the edits of two agents is nobody else’s', async () => {
  const on = await stage({ files: { a: '1\n2\n3\n4\n5\n6\n7\n' }, open: QUIET });
  const [one, two] = [on.agent('S1'), on.agent('S2')];
  await one.readFile('a');
  await two.readFile('a');
  const file_path = on.path('a');
  const first = await one.begin('Edit', { file_path, old_string: '1\n', new_string: 'one\n' });
  const second = await two.begin('Edit', { file_path, old_string: '7\n', new_string: 'seven\n' });
  on.write('a', 'one\n2\n3\nhuman\n5\n6\nseven\n');
  await one.end(first.callId, { ok: true });
  await two.end(second.callId, { ok: true });
  expect(await on.records()).toEqual(['modify a human inferred', 'modify a S2/Edit exact', 'modify a S1/Edit exact']);
});

test('[CAP3a] two late calls whose files were found in one look get each their own', async () => {
  const on = await stage({ files: { a: 'a\n', b: 'b\n' }, open: QUIET });
  const agent = on.agent('S');
  on.write('a', 'A\n');
  on.write('b', 'B\n');
  await on.workspace.look();
  await agent.begin('Write', { file_path: on.path('a'), content: 'A\n' }, 'c1', { observe: true });
  await agent.begin('Write', { file_path: on.path('b'), content: 'B\n' }, 'c2', { observe: true });
  expect(await on.records()).toEqual(['modify a S/Write inferred', 'modify b S/Write inferred']);
});

test('[CAP3a] a late command that may have written a file does not keep the call that did from it', async () => {
  const on = await stage({ files: { a: 'a\n' }, open: QUIET });
  const agent = on.agent('S');
  on.write('a', 'A\n');
  await on.workspace.look();
  await agent.begin('Bash', { command: 'make' }, 'c1', { observe: true });
  expect(await on.records()).toEqual(['modify a unknown(S) unknown']);
  await agent.begin('Write', { file_path: on.path('a'), content: 'A\n' }, 'c2', { observe: true });
  expect(await on.records()).toEqual(['modify a S/Write inferred']);
});

test.each([
  ['', async () => undefined],
  [', also after opening again', (on: Stage) => on.reopen()],
])('[CAP3e] a beginning that comes after its end opens nothing%s', async (_, between) => {
  const on = await stage({ files: { a: 'a\n' }, open: QUIET });
  const agent = on.agent('S');
  await agent.end('c1', { ok: true, tool: 'Bash', input: { command: 'make' } });
  await between(on);
  await agent.begin('Bash', { command: 'make' }, 'c1');
  on.write('a', 'human\n');
  expect(await on.records()).toEqual(['modify a human inferred']);
  expect((await on.workspace.status()).openCalls).toEqual([]);
});

test('[CAP13a] a file made while nobody watched is not the doing of a call that was open then', async () => {
  const on = await stage({ files: { a: 'a\n' }, open: QUIET });
  await on.agent('S').begin('Bash', { command: 'make' });
  await on.close();
  on.write('new', 'human\n');
  const opened = await openWorkspace(on.root, { data: on.data, environment: process.env, ...QUIET });
  if (!opened.ok) throw new Error(opened.error.code);
  try {
    await opened.value.begin({ session: 'T', callId: 'r', tool: 'Read', input: { file_path: on.path('new') } });
    await opened.value.stockTaken();
    await opened.value.endSession('S');
    const changes = await opened.value.changes({ status: 'all' });
    expect(changes.ok && changes.value.map(describeChange)).toEqual(['create new unknown(S) unknown reconcile']);
  } finally {
    await opened.value.close();
  }
});

test('[CAP3k] what running calls were seen to do is not forgotten when we stop', async () => {
  const on = await stage({ files: { seed: 's\n' }, open: QUIET });
  const agent = on.agent('S');
  const [make, move] = ['mkdir d && echo made > d/1', 'mv d e'];
  await agent.begin('Bash', { command: make }, 'make');
  on.shell(make);
  await agent.begin('Bash', { command: move }, 'move');
  on.shell(move);
  await on.workspace.look();
  await on.reopen();
  await agent.end('make');
  await agent.end('move');
  expect(await on.records()).toEqual(['create d/1 S/Bash window', 'rename d/1>e/1 S/Bash window']);
});

test('[CAP3k] nor is who wrote more to a file that a running call had written', async () => {
  const on = await stage({ files: { seed: 's\n' }, open: QUIET });
  const [one, two] = [on.agent('S'), on.agent('T')];
  const write = await one.begin('Write', { file_path: on.path('a'), content: 'one\n' });
  on.write('a', 'one\n');
  await two.shell('echo two >> a');
  await on.reopen();
  await one.end(write.callId, { ok: true });
  const [first, second] = await on.records();
  expect(first).toBe('create a S/Write exact');
  expect(second).toMatch(/^modify a (T\/Bash window|unknown\((S,T|T,S)\) unknown)$/);
});

test('[CAP3g] a call that was open across a restart is about the folder it was made in', async () => {
  const on = await stage({ files: { a: 'a\n', 'sub/a': 'sub\n' }, open: QUIET });
  const agent = on.agent('S');
  await agent.readFile('sub/a');
  const input = { file_path: 'a', old_string: 'sub', new_string: 'SUB' };
  const { callId, decision } = await agent.begin('Edit', input, 'c1', { cwd: on.path('sub') });
  expect(decision).toBe('allow');
  await on.reopen();
  on.write('sub/a', 'SUB\n');
  await agent.end(callId, { ok: true });
  expect(await on.records()).toEqual(['modify sub/a S/Edit exact']);
});

test('[CAP4g] what an editor says it saved is not given to a running command, also when it says so late', async () => {
  const on = await stage({ files: { a: 'a\n' }, open: QUIET });
  const agent = on.agent('S');
  const { callId } = await agent.begin('Bash', { command: 'make' });
  on.write('a', 'human\n');
  await on.workspace.look();
  await on.workspace.note({ kind: 'saved', path: on.path('a') });
  await agent.end(callId, { ok: true });
  expect((await on.records()).filter((record) => record.includes('S/'))).toEqual([]);
});

test('[REV10b] a commit made by a running command accepts nothing, whoever makes us look', async () => {
  const on = await stage({ files: { a: 'a\n' }, open: QUIET });
  const agent = on.agent('S');
  await agent.readFile('a');
  await agent.edit('a', 'a', 'A');
  const { callId } = await agent.begin('Bash', { command: 'git commit -qam x && sleep 100' });
  on.git('commit', '-qam', 'x');
  await on.workspace.note({ kind: 'read', session: 'T', path: on.path('a') });
  await agent.end(callId, { ok: true });
  expect((await on.workspace.status()).pending.changes).toBe(1);
});

test('[CAP3c] late news of a command does not make it the author of what a person wrote into the same file before', async () => {
  const on = await stage({ kind: 'plain', files: { other: 'o\n' } });
  on.write('f', 'mine\n');
  await on.workspace.look();
  on.shell('rm f');
  await on.agent('S').begin('Bash', { command: 'rm f' }, 'late', { observe: true });
  const changes = await on.workspace.changes({ status: 'all' });
  const made = changes.ok ? changes.value.find(({ file }) => file.path === 'f' && file.before === null) : undefined;
  expect(made?.author.kind).not.toBe('agent');
});
