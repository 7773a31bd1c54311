import { expect, test } from 'vitest';
import { given, lines, reviewing } from './review.fixture.js';

test('[REV1b] a verdict on a hunk, a change, a file, a call, a session, everything', async () => {
  const on = await reviewing({ a: lines('abcdefgh'), b: lines('xyz') });
  const first = await on.writes('S', 'a', lines('AbcdefgH'));
  expect(await on.rejects({ hunks: [`${first}.1`] })).toMatchObject({ rejected: [`${first}.1`], written: ['a'] });
  expect(on.text('a')).toBe(lines('abcdefgH'));
  expect(await on.statuses()).toBe('pending');
  expect(await on.accepts({ hunks: [`${first}.2`] })).toMatchObject({ accepted: [`${first}.2`], written: [] });
  const second = await on.writes('T', 'a', lines('abCdefgH'));
  expect(await on.rejects({ changes: [second] })).toMatchObject({ rejected: [second] });
  expect(on.text('a')).toBe(lines('abcdefgH'));
  await on.writes('T', 'a', lines('abcdEfgH'));
  await on.writes('T', 'b', lines('xYz'));
  expect((await on.rejects({ path: 'a' })).written).toEqual(['a']);
  expect((await on.rejects({ call: (await callOf(on)) ?? '' })).written).toEqual(['b']);
  await on.writes('S', 'a', lines('abcdefg'));
  await on.writes('T', 'b', lines('xz'));
  expect((await on.rejects({ session: 'S' })).written).toEqual(['a']);
  expect((await on.rejects({ all: true })).written).toEqual(['b']);
  expect(`${on.text('a')}${on.text('b')}`).toBe(lines('abcdefgHxyz'));
});

test('[REV1b] a folder stands for all that is pending in it', async () => {
  const on = await reviewing({ 'd/a': lines('abc'), 'd/e/b': lines('xyz'), dd: lines('uvw') });
  await on.writes('S', 'd/a', lines('aBc'));
  await on.writes('S', 'd/e/b', lines('xYz'));
  await on.writes('S', 'dd', lines('uVw'));
  expect([...(await on.rejects({ path: 'd' })).written].sort()).toEqual(['d/a', 'd/e/b']);
  expect(await on.statuses()).toBe('rejected rejected pending');
});

async function callOf(on: Awaited<ReturnType<typeof reviewing>>): Promise<string | null> {
  const author = (await on.entries()).at(-1)?.author;
  return author?.kind === 'agent' ? author.call : null;
}

test('[REV1c] what is not there, or says nothing, is refused, and it says what could be meant', async () => {
  const on = await reviewing({ a: lines('abc') });
  await on.writes('S', 'a', lines('aBc'));
  const refusals = await Promise.all(
    [
      {},
      { changes: ['c999.1'] },
      { changes: ['c999'] },
      { changes: ['x'] },
      { hunks: ['c1.1.9'] },
      { path: '../x' },
      { path: 'lib' },
      { path: 'lib/**' },
      { session: 'T' },
      { call: 'nothing' },
    ].map(async (selection) => {
      const done = await on.workspace.reject(selection);
      return done.ok ? 'ok' : done.error;
    }),
  );
  expect(refusals.map((refusal) => (refusal === 'ok' ? refusal : refusal.code))).toEqual([
    ...['bad-input', 'unknown-change', 'unknown-change', 'bad-id', 'unknown-change', 'outside'],
    ...['no-match', 'no-match', 'unknown-session', 'no-match'],
  ]);
  expect(refusals[6]).toMatchObject({ what: 'path', name: 'lib', like: ['a'] });
  expect(on.text('a')).toBe(lines('aBc'));
});

test('[REV1c] a file with nothing pending is no slip of the pen', async () => {
  const on = await reviewing({ a: lines('abc'), 'd/b': lines('xyz') });
  await on.writes('S', 'a', lines('aBc'));
  for (const path of ['d/b', 'd', 'd/*', '**/b'])
    expect(await on.rejects({ path }), path).toMatchObject({ rejected: [], written: [] });
});

test('[REV1g] patterns, the whole workspace, ids that are cut short, and all of an operation', async () => {
  const on = await reviewing({ 'd/a.ts': lines('abc'), 'd/e/b.ts': lines('xyz'), 'd/c.md': lines('uvw') });
  await on.shell('session-one', 'sed -i s/b/B/ d/a.ts; sed -i s/y/Y/ d/e/b.ts; sed -i s/v/V/ d/c.md');
  const made = await on.entries();
  const seq = made[0]!.seq;
  const names = async (selection: object) =>
    given(await on.workspace.changes({ status: 'all', ...selection }))
      .map(({ path }) => path)
      .sort();
  expect(await names({ path: 'd/*.ts' })).toEqual(['d/a.ts']);
  expect(await names({ path: 'd/**/*.ts' })).toEqual(['d/a.ts', 'd/e/b.ts']);
  expect(await names({ path: 'd' })).toEqual(['d/a.ts', 'd/c.md', 'd/e/b.ts']);
  expect(await names({ path: '.' })).toHaveLength(3);
  expect(await names({ session: 'session-' })).toHaveLength(3);
  expect(await names({ change: `c${seq}` })).toHaveLength(3);
  expect(await names({ change: `c${seq}`, path: 'd/e' })).toEqual(['d/e/b.ts']);
  const call = (await callOf(on))!;
  expect(await names({ call: call.slice(0, -1) })).toHaveLength(3);
  await on.writes('session-two', 'd/c.md', lines('uVW'));
  expect(await on.workspace.reject({ session: 'session-' })).toMatchObject({
    error: { code: 'ambiguous', what: 'session', like: ['session-one', 'session-two'] },
  });
  expect((await on.rejects({ path: 'd/**/*.ts' })).written).toHaveLength(2);
  const { id } = made.find(({ path }) => path === 'd/c.md')!;
  expect((await on.accepts({ changes: [`c${seq}`] })).accepted).toEqual([id]);
});

test('[REV1h] of a change and its hunk the hunk is meant, and of names with a path those in it', async () => {
  const on = await reviewing({ a: lines('abcdefgh'), b: lines('xyz') });
  const first = await on.writes('S', 'a', lines('AbcdefgH'));
  const second = await on.writes('S', 'b', lines('xYz'));
  expect(await on.rejects({ changes: [first], hunks: [`${first}.1`] })).toMatchObject({ rejected: [`${first}.1`] });
  expect(on.text('a')).toBe(lines('abcdefgH'));
  expect(await on.rejects({ changes: [first.split('.')[0]!, `${first}.2`] }, { dryRun: true })).toMatchObject({
    rejected: [first],
  });
  expect(await on.rejects({ changes: [first, second], path: 'b' })).toMatchObject({ rejected: [second] });
  expect([on.text('a'), on.text('b')]).toEqual([lines('abcdefgH'), lines('xyz')]);
  expect(await on.workspace.reject({ changes: [second], path: 'a' })).toMatchObject({ error: { code: 'no-match' } });
  expect(await on.workspace.reject({ changes: [second], all: true })).toMatchObject({ error: { code: 'bad-input' } });
});

test('[REV2a] [REV2b] accepting writes nothing, twice is once, and old after new keeps new', async () => {
  const on = await reviewing({ a: lines('abc') });
  const old = await on.writes('S', 'a', lines('aBc'));
  const next = await on.writes('S', 'a', lines('aXc'));
  expect(await on.accepts({ changes: [next] })).toMatchObject({ accepted: [next], already: [], written: [] });
  await on.accepts({ changes: [old] });
  const again = { accepted: [old, next], already: [old, next], written: [] };
  expect(await on.accepts({ changes: [old, next] })).toMatchObject(again);
  expect(on.decisions()).toBe(2);
  expect(on.text('a')).toBe(lines('aXc'));
});

test('[REV2b] rejecting twice is rejecting once', async () => {
  const on = await reviewing({ a: lines('abc') });
  const id = await on.writes('S', 'a', lines('aBc'));
  await on.rejects({ changes: [id] });
  expect(await on.rejects({ changes: [id] })).toMatchObject({ rejected: [id], already: [id], written: [] });
  expect(on.decisions()).toBe(1);
});

test('[REV2c] what was rejected can be accepted after all, and is put back', async () => {
  const on = await reviewing({ a: lines('abcdef') });
  const id = await on.writes('S', 'a', lines('aBcdef'));
  await on.rejects({ changes: [id] });
  await on.human('a', lines('abcdefg'));
  expect(await on.accepts({ changes: [id] })).toMatchObject({ accepted: [id], written: ['a'] });
  expect([on.text('a'), await on.statuses()]).toEqual([lines('aBcdefg'), 'accepted']);
  await on.undoes();
  expect([on.text('a'), await on.statuses()]).toEqual([lines('abcdefg'), 'rejected']);
});

test('[REV2c] what was accepted can be rejected by name, never in bulk', async () => {
  const on = await reviewing({ a: lines('abc') });
  const id = await on.writes('S', 'a', lines('aBc'));
  await on.accepts({ all: true });
  expect(await on.rejects({ all: true })).toMatchObject({ rejected: [], written: [] });
  expect(await on.rejects({ changes: [id] })).toMatchObject({ rejected: [id], written: ['a'] });
  expect(on.text('a')).toBe(lines('abc'));
});

test('[REV2d] a change of which a hunk is rejected is accepted with the others, and the answer says which', async () => {
  const on = await reviewing({ a: lines('abcdefghi') });
  const id = await on.writes('S', 'a', lines('aBcdeFghI'));
  const [first, second, third] = [1, 2, 3].map((hunk) => `${id}.${hunk}`);
  await on.rejects({ hunks: [first!] });
  await on.accepts({ hunks: [second!] });
  expect(await on.accepts({ changes: [id] })).toMatchObject({
    ...{ accepted: [second, third], already: [second], written: [] },
    left: [{ id: first, why: 'rejected-before' }],
  });
  const undone = await on.undoes();
  expect(undone.decision!.ids).toEqual([third]);
  expect(await on.accepts({ all: true })).toMatchObject({ accepted: [second, third], left: [] });
  expect(await on.accepts({ changes: [id] })).toMatchObject({ already: [second, third] });
  expect(on.text('a')).toBe(lines('abcdeFghI'));
});

test('[REV2d] a change of which a hunk is accepted is rejected with the others, and the answer says which', async () => {
  const on = await reviewing({ a: lines('abcdefghi') });
  const id = await on.writes('S', 'a', lines('aBcdeFghI'));
  const [first, second, third] = [1, 2, 3].map((hunk) => `${id}.${hunk}`);
  await on.accepts({ hunks: [first!] });
  await on.rejects({ hunks: [second!] });
  expect(await on.rejects({ changes: [id] })).toMatchObject({
    ...{ rejected: [third], already: [], written: ['a'] },
    left: [{ id: first, why: 'accepted-before' }],
  });
  expect(on.text('a')).toBe(lines('aBcdefghi'));
  expect((await on.undoes()).decision!.ids).toEqual([third]);
  expect(await on.rejects({ all: true })).toMatchObject({ rejected: [third], left: [] });
  // Nothing of it is open any more, so that its name means what is left of it.
  expect(await on.rejects({ changes: [id] })).toMatchObject({ rejected: [id], left: [] });
  expect(on.text('a')).toBe(lines('abcdefghi'));
});

test('[REV3a] edits of the human in the same file stay', async () => {
  const on = await reviewing({ a: lines('abcdef') });
  const id = await on.writes('S', 'a', lines('abCdef'));
  await on.human('a', lines('1abCdef2'));
  expect(await on.rejects({ changes: [id] })).toMatchObject({ conflicts: [], written: ['a'] });
  expect(on.text('a')).toBe(lines('1abcdef2'));
});

test('[REV3a] the middle one of three goes alone, also on neighbouring lines', async () => {
  const on = await reviewing({ a: lines('abcdef') });
  await on.writes('S', 'a', lines('Abcdef'));
  const middle = await on.writes('S', 'a', lines('ABcdef'));
  await on.writes('S', 'a', lines('ABCdef'));
  expect(await on.rejects({ changes: [middle] })).toMatchObject({ cascaded: [], conflicts: [] });
  expect(on.text('a')).toBe(lines('AbCdef'));
});

test('[REV3a] two agents in one file, in any order', async () => {
  const on = await reviewing({ a: lines('abcdef') });
  const s = await on.writes('S', 'a', lines('aSbcdef'));
  const t = await on.writes('T', 'a', lines('aSbcdeTf'));
  await on.rejects({ session: 'S' });
  expect(on.text('a')).toBe(lines('abcdeTf'));
  await on.rejects({ changes: [t, s] });
  expect(on.text('a')).toBe(lines('abcdef'));
});

test('[REV3a] carriage returns and a missing last line end stay as they were', async () => {
  const on = await reviewing({ a: 'one\r\ntwo\r\nthree' });
  const id = await on.writes('S', 'a', 'one\r\nTWO\r\nthree');
  const last = await on.writes('S', 'a', 'one\r\nTWO\r\nTHREE\r\n');
  await on.rejects({ changes: [id] });
  expect(on.text('a')).toBe('one\r\ntwo\r\nTHREE\r\n');
  await on.rejects({ changes: [last] });
  expect(on.text('a')).toBe('one\r\ntwo\r\nthree');
});

test('[REV4a] what rests on the rejected text goes with it, across agents, and the dry run says so', async () => {
  const on = await reviewing({ a: lines('abcdef') });
  const first = await on.writes('S', 'a', lines('aXYbcdef'));
  const second = await on.writes('T', 'a', lines('aXZbcdef'));
  const third = await on.writes('S', 'a', lines('aXQbcdef'));
  const apart = await on.writes('T', 'a', lines('aXQbcdeF'));
  const dry = await on.rejects({ changes: [first] }, { dryRun: true });
  expect(dry).toMatchObject({ rejected: [first], cascaded: [second, third], written: ['a'] });
  expect([on.text('a'), await on.statuses()]).toEqual([lines('aXQbcdeF'), 'pending pending pending pending']);
  const done = await on.rejects({ changes: [first] });
  expect({ ...done, seq: dry.seq }).toEqual(dry);
  expect([on.text('a'), await on.statuses()]).toEqual([lines('abcdeF'), 'rejected rejected rejected pending']);
  expect(apart).toBe((await on.entries()).at(-1)?.id);
});

test('[REV4b] --cascade file takes all later open changes of the file', async () => {
  const on = await reviewing({ a: lines('abcdef') });
  await on.writes('S', 'a', lines('Abcdef'));
  const second = await on.writes('S', 'a', lines('AbCdef'));
  const third = await on.writes('T', 'a', lines('AbCdeF'));
  expect(await on.rejects({ changes: [second] }, { cascade: 'file' })).toMatchObject({ cascaded: [third] });
  expect([on.text('a'), await on.statuses()]).toEqual([lines('Abcdef'), 'pending rejected rejected']);
});

test('[REV6] a verdict on a stale view is refused with what moved', async () => {
  const on = await reviewing({ a: lines('abc'), b: lines('xyz') });
  const id = await on.writes('S', 'a', lines('aBc'));
  const at = on.workspace.seq;
  await on.human('b', lines('xyz1'));
  expect(await on.workspace.reject({ changes: [id] }, { at, dryRun: true })).toMatchObject({ ok: true });
  on.on.write('a', lines('aBc1'));
  for (const verdict of ['reject', 'accept'] as const) {
    const refused = await on.workspace[verdict]({ changes: [id] }, { at });
    expect(refused).toMatchObject({ ok: false, error: { code: 'moved', paths: ['a'] } });
  }
  expect(on.text('a')).toBe(lines('aBc1'));
  expect(await on.workspace.reject({ changes: [id] }, { at: on.workspace.seq })).toMatchObject({ ok: true });
  expect(on.text('a')).toBe(lines('abc1'));
});

test('[REV7] rejecting all of a file gives what was before, and keeps the human’s', async () => {
  const on = await reviewing({ a: lines('abcdef') });
  await on.writes('S', 'a', lines('Abcdef'));
  await on.human('a', lines('Ab1cdef'));
  await on.writes('T', 'a', lines('Ab1cdeTf'));
  await on.writes('S', 'a', lines('Ab1deTf'));
  await on.human('a', lines('Ab1deTf2'));
  const { rejected } = await on.rejects({ path: 'a' });
  expect(rejected).toHaveLength(3);
  expect(on.text('a')).toBe(lines('ab1cdef2'));
});

test('[REV8] rejecting an edit of a created and accepted file gives the accepted content', async () => {
  const on = await reviewing({});
  const created = await on.writes('S', 'new', lines('abc'));
  await on.accepts({ changes: [created] });
  const edit = await on.writes('S', 'new', lines('aXc'));
  await on.rejects({ changes: [edit] });
  expect(on.text('new')).toBe(lines('abc'));
});
