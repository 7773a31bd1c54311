import { expect, test } from 'vitest';
import { openWorkspace } from '../open-workspace.js';
import { describeChange, stage } from './stage.fixture.js';

test('[CAP3a] news of a write that came after it is recorded once, on its own call, as inferred', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  const agent = on.agent('S');
  on.write('a.txt', 'two\n');
  await on.workspace.look();
  const { callId, decision } = await agent.begin('Write', { file_path: 'a.txt', content: 'two\n' }, 'late', {
    observe: true,
  });
  expect(decision).toBe('allow');
  expect((await agent.end(callId)).changes).toHaveLength(1);
  expect(await on.records()).toEqual(['modify a.txt S/Write inferred']);
});

test('[CAP3b] a late shell call may have done what was seen, or not: unknown, with the call as candidate', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  on.write('a.txt', 'two\n');
  await on.workspace.look();
  await on.agent('S').begin('Bash', { command: 'make' }, 'late', { observe: true });
  expect(await on.records()).toEqual(['modify a.txt unknown(S) unknown']);
});

test('[CAP3d] a call whose end never comes is ended by the next prompt, and its change is kept', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  const agent = on.agent('S');
  await agent.begin('Bash', { command: 'make' });
  on.write('made.txt', 'x\n');
  await on.workspace.note({ kind: 'prompt', session: 'S', text: 'go on' });
  expect(await on.records()).toEqual(['create made.txt S/Bash window']);
  on.write('a.txt', 'mine\n');
  expect(await on.records()).toEqual(['create made.txt S/Bash window', 'modify a.txt human inferred']);
});

test('[CAP3d] calls that never end expire', async () => {
  let clock = 1_000_000;
  const on = await stage({
    files: { 'a.txt': 'one\n' },
    open: { now: () => clock, settings: { callLifetimeMs: 60_000 } },
  });
  const agent = on.agent('S');
  await agent.begin('Bash', { command: 'make' });
  clock += 61_000;
  await on.agent('T').begin('Read', { file_path: 'a.txt' });
  expect((await on.workspace.status()).openCalls.map((call) => call.session)).toEqual(['T']);
});

test('[CAP3e] an end that comes twice answers the same', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  const agent = on.agent('S');
  const { callId } = await agent.begin('Write', { file_path: 'b.txt', content: 'b\n' });
  on.write('b.txt', 'b\n');
  const first = await agent.end(callId);
  expect(await agent.end(callId)).toEqual(first);
  expect(first.changes).toHaveLength(1);
  expect(await on.records()).toHaveLength(1);
});

test('[CAP3a] an end without a beginning, but with its call, is late news', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  on.write('a.txt', 'two\n');
  await on.workspace.look();
  const ended = await on
    .agent('S')
    .end('never-begun', { tool: 'Write', input: { file_path: 'a.txt', content: 'two\n' } });
  expect(ended.changes).toHaveLength(1);
  expect(await on.records()).toEqual(['modify a.txt S/Write inferred']);
  expect(await on.agent('S').end('nobody-knows')).toMatchObject({ known: false, changes: [] });
});

test('[CAP3f] a tool that reports an error after writing did write', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  const agent = on.agent('S');
  expect(
    await agent.call('Write', { file_path: 'b.txt', content: 'b\n' }, () => on.write('b.txt', 'b\n'), { ok: false }),
  ).toEqual(['create b.txt S/Write exact']);
});

test('[CAP3e] a begin that comes twice is one call', async () => {
  const on = await stage();
  const agent = on.agent('S');
  await agent.begin('Write', { file_path: 'b.txt', content: 'b\n' }, 'twice');
  await agent.begin('Write', { file_path: 'b.txt', content: 'b\n' }, 'twice');
  on.write('b.txt', 'b\n');
  await agent.end('twice');
  expect(await on.records()).toEqual(['create b.txt S/Write exact']);
});

test('[CAP13a] what changed while nothing ran is found on the next open, as unknown, and nothing is written', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n', 'b.txt': 'two\n' } });
  await on.close();
  on.write('a.txt', 'offline\n');
  on.remove('b.txt');
  on.write('c.txt', 'new\n');
  await on.open();
  expect([...(await on.records())].sort()).toEqual([
    'create c.txt unknown() unknown reconcile',
    'delete b.txt unknown() unknown reconcile',
    'modify a.txt unknown() unknown reconcile',
  ]);
  expect([on.read('a.txt'), on.read('b.txt'), on.read('c.txt')]).toEqual(['offline\n', null, 'new\n']);
});

test('[CAP3g] a call that was open when we died is ended after the restart, with what its input proves', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  const agent = on.agent('S');
  const { callId } = await agent.begin('Write', { file_path: 'b.txt', content: 'b\n' });
  await on.close();
  on.write('b.txt', 'b\n');
  on.write('a.txt', 'mine\n');
  await on.open();
  expect((await agent.end(callId)).changes).toHaveLength(1);
  expect([...(await on.records())].sort()).toEqual([
    'create b.txt S/Write inferred',
    'modify a.txt unknown() unknown reconcile',
  ]);
});

test('[CAP15a] a call that begins while the tree is still gone through is as sure of its files as ever', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 3000 }, (_, index) => [`d${index % 50}/f${index}.txt`, `${index}\n`]),
  );
  const on = await stage({ files });
  await on.close();
  on.write('d1/f1.txt', 'offline\n');
  const opened = await openWorkspace(on.root, { data: on.data, environment: process.env });
  if (!opened.ok) throw new Error(opened.error.code);
  const call = { session: 'S', callId: 'early' };
  await opened.value.note({ kind: 'read', session: 'S', path: 'd2/f2.txt' });
  await opened.value.begin({
    ...call,
    tool: 'Edit',
    input: { file_path: 'd2/f2.txt', old_string: '2', new_string: 'two' },
  });
  on.write('d2/f2.txt', 'two\n');
  const ended = await opened.value.end(call);
  await opened.value.stockTaken();
  const all = await opened.value.changes({ status: 'all' });
  await opened.value.close();
  expect(ended.ok && ended.value.changes.map(describeChange)).toEqual(['modify d2/f2.txt S/Edit exact']);
  expect(all.ok && all.value.map(describeChange).sort()).toEqual([
    'modify d1/f1.txt unknown() unknown reconcile',
    'modify d2/f2.txt S/Edit exact',
  ]);
});
