import { expect, test } from 'vitest';
import { type Stage, stage } from './stage.fixture.js';

const QUIET = { settings: { lookAfterMs: 600_000 } };

/** Two commands of two sessions run at once, and a file changes. */
async function contested(): Promise<{ on: Stage; id: string }> {
  const on = await stage({ files: { a: 'a\n' }, open: QUIET });
  const [one, two] = [on.agent('S'), on.agent('T')];
  await one.begin('Bash', { command: 'make' }, 's1');
  await two.begin('Bash', { command: 'make' }, 't1');
  on.write('a', 'made\n');
  await one.end('s1', { ok: true });
  const answer = await two.end('t1', { ok: true });
  expect(answer.changes).toEqual([]);
  const [perhaps] = answer.perhaps;
  return { on, id: perhaps!.id };
}

test('[REV1d] what one of several calls made is pending, with its candidates', async () => {
  const { on, id } = await contested();
  const pending = await on.workspace.changes({});
  expect(pending.ok && pending.value.map((entry) => [entry.id, entry.status, entry.author])).toEqual([
    [
      id,
      'pending',
      {
        kind: 'unknown',
        candidates: [
          { session: 'S', call: 's1' },
          { session: 'T', call: 't1' },
        ],
        among: 'agents',
      },
    ],
  ]);
  expect((await on.workspace.status()).pending).toEqual({ changes: 1, hunks: 1, files: 1 });
  const blame = await on.workspace.blame('a');
  expect(blame.ok && blame.value[0]?.author).toMatchObject({
    kind: 'unknown',
    candidates: [{ session: 'S' }, { session: 'T' }],
  });
});

test.each([
  ['by name', (id: string) => ({ changes: [id] })],
  ['with everything', () => ({ all: true })],
])('[REV3i] it can be rejected %s, and nobody is told that it was theirs', async (_, selection) => {
  const { on, id } = await contested();
  const done = await on.workspace.reject(selection(id));
  expect(done.ok && done.value.rejected).toEqual([id]);
  expect(on.read('a')).toBe('a\n');
  expect(
    [...on.workspace.notices('S'), ...on.workspace.notices('T')].filter(({ kind }) => kind === 'rejected'),
  ).toEqual([]);
  await on.workspace.undo();
  expect(on.read('a')).toBe('made\n');
  const accepted = await on.workspace.accept(selection(id));
  expect(accepted.ok && accepted.value.accepted).toEqual([id]);
  expect((await on.workspace.status()).pending.changes).toBe(0);
});

test('[REV1e] a verdict on a session leaves what only may be its own, and says so', async () => {
  const { on, id } = await contested();
  const done = await on.workspace.reject({ session: 'S' });
  expect(done.ok && [done.value.rejected, done.value.left]).toEqual([[], [{ id, why: 'perhaps-anothers' }]]);
  expect(on.read('a')).toBe('made\n');
});

test('[REV1f] [I9] it can be given to one of them, taken back, and given to the other', async () => {
  const { on, id } = await contested();
  const given = await on.workspace.attribute(id, { session: 'S' });
  expect(given.ok && given.value.change.author).toMatchObject({
    kind: 'agent',
    session: 'S',
    call: 's1',
    tool: 'Bash',
  });
  expect(await on.records()).toEqual(['modify a S/Bash inferred']);
  const undone = await on.workspace.undo();
  expect(undone.ok && undone.value.kind).toBe('attributed');
  expect(await on.records()).toEqual(['modify a unknown(S,T) unknown']);
  await on.workspace.redo();
  expect(await on.records()).toEqual(['modify a S/Bash inferred']);
  await on.reopen();
  expect((await on.workspace.attribute(id, { session: 'T', call: 't1' })).ok).toBe(true);
  expect(await on.records()).toEqual(['modify a T/Bash inferred']);
  const blame = await on.workspace.blame('a');
  expect(blame.ok && blame.value[0]?.author).toMatchObject({ kind: 'agent', session: 'T' });
  const done = await on.workspace.reject({ session: 'T' });
  expect(done.ok && done.value.rejected).toEqual([id]);
  expect(on.workspace.notices('T').map(({ kind }) => kind)).toContain('rejected');
});

test('[REV1f] a change is given to nobody who is not there, and not taken from the call that was shown to have made it', async () => {
  const { on, id } = await contested();
  const code = async (change: string, to: { session: string; call?: string }) => {
    const done = await on.workspace.attribute(change, to);
    return done.ok ? 'given' : done.error.code;
  };
  expect(await code(id, { session: 'nobody' })).toBe('unknown-session');
  expect(await code(id, { session: 'S', call: 'none' })).toBe('bad-input');
  expect(await code('c999.1', { session: 'S' })).toBe('unknown-change');
  await on.agent('U').writeFile('b', 'b\n');
  const pending = await on.workspace.changes({ session: 'U' });
  expect(await code(pending.ok ? pending.value[0]!.id : '', { session: 'S', call: 's1' })).toBe('bad-input');
});
