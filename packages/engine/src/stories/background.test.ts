import { expect, test } from 'vitest';
import { stage } from './stage.fixture.js';

/** No look comes by itself: only begins, ends and asked-for looks. */
const QUIET = { settings: { lookAfterMs: 600_000 } };

test.each([
  ['asked for', { command: 'make', run_in_background: true }, undefined],
  ['asked for in another way', { command: 'make', is_background: true }, undefined],
  ['by &', { command: '(sleep 1; make) &' }, undefined],
  ['by nohup', { command: 'nohup make > /dev/null 2>&1 &' }, undefined],
  ['by setsid', { command: 'setsid make' }, undefined],
  ['because the agent stopped waiting', { command: 'make' }, 'Command running in background with ID: b1'],
  ['because the command yields', { command: 'make' }, 'Process running with session ID 4711'],
])('[CAP16c] what changes after a command that runs on, %s, may be its work', async (_, input, output) => {
  const on = await stage({ files: { a: 'a\n' }, open: QUIET });
  const agent = on.agent('S');
  const { callId } = await agent.begin('Bash', input);
  await agent.end(callId, { ok: true, ...(output === undefined ? {} : { output }) });
  on.write('a', 'made\n');
  expect(await on.records()).toEqual(['modify a unknown(S) unknown']);
  const { pending, openCalls, lingering } = await on.workspace.status();
  expect([pending.changes, openCalls, lingering]).toEqual([1, [], [{ session: 'S', call: callId, tool: 'Bash' }]]);
  await on.reopen();
  on.write('a', 'made again\n');
  expect(await on.records()).toEqual(['modify a unknown(S) unknown', 'modify a unknown(S) unknown']);
});

test.each([
  ['waits for it', { command: 'make' }],
  ['waits for what it started', { command: 'make & wait' }],
])('[CAP4d] what changes after a command that %s is a person’s', async (_, input) => {
  const on = await stage({ files: { a: 'a\n' }, open: QUIET });
  const agent = on.agent('S');
  const { callId } = await agent.begin('Bash', input);
  await agent.end(callId, { ok: true });
  on.write('a', 'mine\n');
  expect(await on.records()).toEqual(['modify a human inferred']);
});

test('[CAP7b] a command that runs on and is known to write one file is no candidate for another', async () => {
  const on = await stage({ files: { a: 'a\n', b: 'b\n' }, open: QUIET });
  const agent = on.agent('S');
  const { callId } = await agent.begin('Bash', { command: '(sleep 1; rm a) &' });
  await agent.end(callId, { ok: true });
  on.write('b', 'mine\n');
  await on.workspace.look();
  on.remove('a');
  expect(await on.records()).toEqual(['modify b human inferred', 'delete a unknown(S) unknown']);
});

test.each([
  [
    'it is stopped',
    async (on: Awaited<ReturnType<typeof stage>>) => {
      const { callId } = await on.agent('S').begin('KillShell', { shell_id: 'b1' });
      await on.agent('S').end(callId, { ok: true });
    },
  ],
  [
    'the agent says that nothing runs',
    async (on: Awaited<ReturnType<typeof stage>>) => {
      await on.workspace.note({ kind: 'quiet', session: 'S' });
    },
  ],
  [
    'the session ends',
    async (on: Awaited<ReturnType<typeof stage>>) => {
      await on.workspace.endSession('S');
    },
  ],
])('[CAP16c] a command in the background is no candidate any more when %s', async (_, over) => {
  const on = await stage({ files: { a: 'a\n' }, open: QUIET });
  const agent = on.agent('S');
  const { callId } = await agent.begin('Bash', { command: 'make', run_in_background: true });
  await agent.end(callId, { ok: true, output: 'Command running in background with ID: b1' });
  on.write('a', 'made\n');
  await over(on);
  on.write('a', 'mine\n');
  expect(await on.records()).toEqual(['modify a unknown(S) unknown', 'modify a human inferred']);
});

test('[CAP16c] a command in the background is no candidate any more when it is too old', async () => {
  let now = Date.now();
  const on = await stage({ files: { a: 'a\n' }, open: { ...QUIET, now: () => now } });
  const agent = on.agent('S');
  const { callId } = await agent.begin('Bash', { command: 'make &' });
  await agent.end(callId, { ok: true });
  now += 31 * 60 * 1000;
  on.write('a', 'mine\n');
  expect(await on.records()).toEqual(['modify a human inferred']);
});

test('[CAP4a] [CAP4g] beside a command that runs on, an edit is proven by its bytes, and a person by their editor', async () => {
  const on = await stage({ files: { a: 'a\n', b: 'b\n' }, open: QUIET });
  const agent = on.agent('S');
  const { callId } = await agent.begin('Bash', { command: 'make', run_in_background: true });
  await agent.end(callId, { ok: true });
  await agent.readFile('a');
  await agent.edit('a', 'a', 'A');
  on.write('b', 'mine\n');
  await on.workspace.note({ kind: 'saved', path: on.path('b') });
  expect(await on.records()).toEqual(['modify a S/Edit exact', 'modify b human inferred']);
});

test('[CAP4h] of a session within another the inner one is the author', async () => {
  const on = await stage({ files: { a: 'a\n' }, open: QUIET });
  await on.workspace.startSession({ id: 'outer' });
  const outer = await on.agent('outer').begin('Bash', { command: 'agent' });
  await on.workspace.startSession({ id: 'inner', parent: 'outer' });
  const inner = await on.agent('inner').begin('Bash', { command: 'make' });
  on.write('a', 'made\n');
  await on.agent('inner').end(inner.callId, { ok: true });
  on.write('b', 'by the agent, without a call\n');
  const answer = await on.agent('outer').end(outer.callId, { ok: true });
  expect(answer.perhaps).toEqual([]);
  expect(await on.records()).toEqual(['modify a inner/Bash window', 'create b outer/Bash window']);
});

test('[CAP4h] no session is within itself, nor within one that is not there', async () => {
  const on = await stage({ open: QUIET });
  await on.workspace.startSession({ id: 'a', parent: 'nobody' });
  await on.workspace.startSession({ id: 'b', parent: 'a' });
  await on.workspace.startSession({ id: 'a', parent: 'b' });
  await on.workspace.startSession({ id: 'c', parent: 'c' });
  expect(on.workspace.sessions().map(({ id, parent }) => [id, parent])).toEqual([
    ['a', null],
    ['b', 'a'],
    ['c', null],
  ]);
});

test('[REV3i] rejecting everything spares what a person may have made; by name it goes', async () => {
  const on = await stage({ files: { a: 'a\n', b: 'b\n' }, open: QUIET });
  const agent = on.agent('S');
  const { callId } = await agent.begin('Bash', { command: './serve', run_in_background: true });
  on.write('b', 'by the command\n');
  await agent.end(callId, { ok: true });
  on.write('a', 'perhaps mine\n');
  await on.workspace.look();
  const done = await on.workspace.reject({ all: true });
  const left = done.ok ? done.value.left : [];
  expect([on.read('a'), on.read('b')]).toEqual(['perhaps mine\n', 'b\n']);
  expect(left.map(({ why }) => why)).toEqual(['perhaps-a-persons']);
  expect((await on.workspace.reject({ changes: [left[0]!.id] })).ok).toBe(true);
  expect(on.read('a')).toBe('a\n');
});

test('[REV4c] what a person may have made does not go along with what it rests on, nor with its folder', async () => {
  const on = await stage({ files: { 'd/a': 'a\n', 'd/b': 'b\n' }, open: QUIET });
  const agent = on.agent('S');
  const { callId } = await agent.begin('Bash', { command: './serve', run_in_background: true });
  on.write('d/b', 'by the command\n');
  await agent.end(callId, { ok: true });
  on.write('d/b', 'perhaps mine\n');
  on.write('d/a', 'perhaps mine too\n');
  await on.workspace.look();
  for (const selection of [{ all: true }, { session: 'S' }, { path: 'd' }])
    for (const cascade of ['dependents', 'file'] as const) {
      const done = await on.workspace.reject(selection, { cascade });
      expect(done.ok && [done.value.rejected.length, done.value.cascaded, done.value.conflicts.length]).toEqual([
        0,
        [],
        1,
      ]);
      expect([on.read('d/a'), on.read('d/b')]).toEqual(['perhaps mine too\n', 'perhaps mine\n']);
    }
  expect((await on.workspace.reject({ path: 'd/a' })).ok).toBe(true);
  expect(on.read('d/a')).toBe('a\n');
});
