import { expect, test } from 'vitest';
import { type Stage, stage } from './stage.fixture.js';

const QUIET = { settings: { lookAfterMs: 600_000 } };

/** A call runs and has written `a`, which has a rejected change in it that a person wrote over. */
async function inTheMiddle(tool: 'Write' | 'Bash'): Promise<{ on: Stage; id: string; end: () => Promise<unknown> }> {
  const on = await stage({ files: { a: 'one\ntwo\nthree\n' }, open: QUIET });
  const agent = on.agent('S');
  await agent.readFile('a');
  await agent.edit('a', 'two', 'TWO');
  on.write('a', 'one\nTWO and a half\nthree\n');
  const rejected = await on.workspace.reject({ session: 'S' });
  const [id] = rejected.ok ? rejected.value.conflicts : [];
  await agent.readFile('a');
  const content = 'one\nTWO and a half\nthree\nfour\n';
  const { callId } = await agent.begin(
    tool,
    tool === 'Bash' ? { command: 'make' } : { file_path: on.path('a'), content },
  );
  on.write('a', content);
  return { on, id: id!, end: () => agent.end(callId, { ok: true }) };
}

/** What the log says of `a`: each change begins where the one before ended, and the last is the disk. */
async function isOneChain(on: Stage): Promise<void> {
  await on.workspace.look();
  let held: string | null | undefined;
  for (const operation of on.workspace.operations(0, 10_000)) {
    if (!('files' in operation) || typeof operation.files === 'number') continue;
    for (const file of operation.files) {
      if (file.path !== 'a' || !('after' in file)) continue;
      if (held !== undefined) expect(file.before?.content ?? null, `at ${operation.seq}`).toBe(held);
      held = file.after?.content ?? null;
    }
  }
  const last = typeof held === 'string' ? await on.workspace.content(held) : null;
  expect(last?.ok ? Buffer.from(last.value).toString() : null).toBe(on.read('a'));
}

const bytes = Buffer.from('settled\n');

test.each([
  ['Write', 'with a text', { bytes }],
  ['Write', 'theirs', { take: 'theirs' }],
  ['Bash', 'with a text', { bytes }],
  ['Bash', 'theirs', { take: 'theirs' }],
] as const)('[REV3m] while a %s that wrote the file runs, its conflict is not settled %s', async (tool, _, how) => {
  const { on, id, end } = await inTheMiddle(tool);
  const written = on.read('a');
  const refused = await on.workspace.resolve(id, how);
  expect(refused.ok ? 'settled' : refused.error).toMatchObject({ code: 'conflict', paths: ['a'] });
  expect(on.read('a')).toBe(written);
  await end();
  await isOneChain(on);
  expect((await on.workspace.resolve(id, how)).ok).toBe(true);
  await isOneChain(on);
});

test.each(['Write', 'Bash'] as const)('[REV3m] nor is anything undone in it, and the dry run says so', async (tool) => {
  const { on, id, end } = await inTheMiddle(tool);
  const written = on.read('a');
  await on.workspace.undo();
  const dry = await on.workspace.redo({ dryRun: true });
  const real = await on.workspace.redo();
  expect([real.ok, on.read('a')]).toEqual([dry.ok, written]);
  await end();
  expect((await on.workspace.resolve(id, { take: 'theirs' })).ok).toBe(true);
  const settled = on.read('a');
  const agent = on.agent('T');
  await agent.readFile('a');
  const { callId } = await agent.begin('Bash', { command: 'make' });
  on.write('a', `${settled}five\n`);
  for (const dryRun of [true, false]) {
    const refused = await on.workspace.undo({ dryRun });
    expect(refused.ok ? 'undone' : refused.error).toMatchObject({ code: 'conflict', paths: ['a'] });
  }
  expect(on.read('a')).toBe(`${settled}five\n`);
  await agent.end(callId, { ok: true });
  await isOneChain(on);
  expect((await on.workspace.undo()).ok).toBe(true);
  expect(on.read('a')).toContain('five\n');
  await isOneChain(on);
});
