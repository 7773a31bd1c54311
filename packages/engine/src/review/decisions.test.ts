import { expect, test } from 'vitest';
import { given, lines, reviewing } from './review.fixture.js';

/** A change of the agent whose line the human has changed since. */
async function inConflict() {
  const on = await reviewing({ a: lines('abcdef') });
  const id = await on.writes('S', 'a', lines('abCdef'));
  await on.human('a', lines('1ab2def'));
  return { on, id };
}

test('[REV5a] what cannot be merged is a conflict with all three sides, and nothing is written', async () => {
  const { on, id } = await inConflict();
  expect(await on.rejects({ changes: [id] })).toMatchObject({ rejected: [], conflicts: [id], written: [] });
  expect([on.text('a'), await on.statuses()]).toEqual([lines('1ab2def'), 'conflict']);
  const [entry] = on.workspace.conflicts();
  const side = async (content: string | null | undefined) =>
    new TextDecoder().decode(given(await on.workspace.content(content ?? '')));
  expect(await Promise.all([entry?.conflict?.base, entry?.conflict?.ours, entry?.conflict?.theirs].map(side))).toEqual([
    ...[lines('abCdef'), lines('1ab2def'), lines('1abcdef')],
  ]);
});

test('[REV5b] resolved with ours: the file stays and the change counts as accepted', async () => {
  const { on, id } = await inConflict();
  await on.rejects({ changes: [id] });
  expect(given(await on.workspace.resolve(id, { take: 'ours' }))).toMatchObject({ resolved: id, written: [] });
  expect([on.text('a'), await on.statuses()]).toEqual([lines('1ab2def'), 'accepted']);
  await on.undoes();
  expect([on.text('a'), await on.statuses()]).toEqual([lines('1ab2def'), 'conflict']);
});

test('[REV5b] resolved with theirs: the change goes, and of the rest only what stood on it', async () => {
  const { on, id } = await inConflict();
  await on.rejects({ changes: [id] });
  expect(given(await on.workspace.resolve(id, { take: 'theirs' }))).toMatchObject({ written: ['a'] });
  expect([on.text('a'), await on.statuses()]).toEqual([lines('1abcdef'), 'rejected']);
  await on.undoes();
  expect([on.text('a'), await on.statuses()]).toEqual([lines('1ab2def'), 'conflict']);
});

test('[REV5d] [REV5e] resolved as the agent left it: what came on top goes, what is elsewhere stays', async () => {
  const { on, id } = await inConflict();
  await on.rejects({ changes: [id] });
  const dry = given(await on.workspace.resolve(id, { take: 'agent' }, { dryRun: true }));
  expect([dry.written, on.text('a')]).toEqual([['a'], lines('1ab2def')]);
  given(await on.workspace.resolve(id, { take: 'agent' }));
  expect([on.text('a'), await on.statuses()]).toEqual([lines('1abCdef'), 'accepted']);
  await on.undoes();
  expect([on.text('a'), await on.statuses()]).toEqual([lines('1ab2def'), 'conflict']);
});

test('[REV5b] resolved by hand, and that undone', async () => {
  const { on, id } = await inConflict();
  await on.rejects({ changes: [id] });
  const bytes = new TextEncoder().encode(lines('1abc2def'));
  expect(given(await on.workspace.resolve(id, { bytes }))).toMatchObject({ written: ['a'] });
  expect([on.text('a'), await on.statuses()]).toEqual([lines('1abc2def'), 'rejected']);
  await on.human('a', lines('1abc2def3'));
  await on.undoes();
  expect([on.text('a'), await on.statuses()]).toEqual([lines('1ab2def3'), 'conflict']);
});

test('[REV5b] a create in conflict resolved with theirs is gone', async () => {
  const on = await reviewing({});
  const id = await on.writes('S', 'new', lines('abc'));
  await on.human('new', lines('abc1'));
  await on.rejects({ changes: [id] });
  given(await on.workspace.resolve(id, { take: 'theirs' }));
  expect([on.text('new'), await on.statuses()]).toEqual([null, 'rejected']);
  expect(await on.workspace.resolve(id, { take: 'ours' })).toMatchObject({ error: { code: 'nothing-to-do' } });
});

test.each([
  ['theirs', { take: 'theirs' }],
  ['a text', { bytes: new TextEncoder().encode('mine\n') }],
] as const)(
  '[REV5c] a conflict of a file that is gone is not settled with %s in another file that has its name by now',
  async (_, how) => {
    const { on, id } = await inConflict();
    await on.rejects({ changes: [id] });
    await on.human('b', lines('xyz'));
    on.on.remove('a');
    await on.workspace.look();
    on.on.move('b', 'a');
    await on.workspace.look();
    expect(await on.workspace.resolve(id, how)).toMatchObject({ error: { code: 'conflict', paths: ['a'] } });
    expect(on.text('a')).toBe(lines('xyz'));
    given(await on.workspace.resolve(id, { take: 'ours' }));
  },
);

test('[REV5h] a hunk in conflict holds back no other file, change or hunk', async () => {
  const on = await reviewing({ a: lines('abcdef'), b: lines('xyz') });
  const first = await on.writes('S', 'a', lines('abCdef'));
  const second = await on.writes('S', 'a', lines('abCdefG'));
  await on.human('a', lines('ab2defG'));
  const other = await on.writes('S', 'b', lines('xYz'));
  expect(await on.rejects({ session: 'S' })).toMatchObject({
    ...{ rejected: [second, other], conflicts: [first], left: [], written: ['a', 'b'] },
  });
  expect([on.text('a'), on.text('b')]).toEqual([lines('ab2def'), lines('xyz')]);
});

test.each([
  ['theirs', 'abcdef'],
  ['ours', 'ab2def'],
  ['agent', 'abCdef'],
] as const)(
  '[REV5h] of a change in conflict the other hunks go, and what is settled is the rest: %s',
  async (take, then) => {
    const on = await reviewing({ a: lines('abcdef') });
    const id = await on.writes('S', 'a', lines('AbCdeF'));
    await on.human('a', lines('Ab2deF'));
    expect(await on.rejects({ changes: [id] })).toMatchObject({
      ...{ rejected: [`${id}.1`, `${id}.3`], conflicts: [id], left: [], written: ['a'] },
    });
    expect([on.text('a'), await on.statuses()]).toEqual([lines('ab2def'), 'conflict']);
    const [entry] = on.workspace.conflicts();
    const side = async (content: string | null) =>
      new TextDecoder().decode(given(await on.workspace.content(content!)));
    expect([await side(entry!.conflict!.ours), await side(entry!.conflict!.theirs)]).toEqual([
      lines('ab2def'),
      lines('abcdef'),
    ]);
    given(await on.workspace.resolve(id, { take }));
    expect(on.text('a')).toBe(lines(then));
    await on.undoes();
    await on.undoes();
    expect([on.text('a'), await on.statuses()]).toEqual([lines('Ab2deF'), 'pending']);
  },
);

test.each([
  ['theirs', 'old', 'abcdefghijkl'],
  ['ours', 'new', 'abcde6ghijkl'],
  ['agent', 'new', 'abcdeFghijkl'],
] as const)(
  '[REV5h] of a rename with edits the other hunks go, and its name is settled with the rest: %s',
  async (take, name, then) => {
    const on = await reviewing({ old: lines('abcdefghijkl') });
    await on.agent('S').shell(`mv old new; printf '%s\\n' a B c d e F g h i j K l > new`);
    const id = await on.lastId();
    await on.human('new', lines('aBcde6ghijKl'));
    expect(await on.rejects({ changes: [id] })).toMatchObject({
      ...{ rejected: [`${id}.1`, `${id}.3`], conflicts: [id], left: [], written: ['new'] },
    });
    expect([on.text('new'), on.text('old'), await on.statuses()]).toEqual([lines('abcde6ghijkl'), null, 'conflict']);
    given(await on.workspace.resolve(id, { take }));
    expect(on.text(name)).toBe(lines(then));
    expect(on.text(name === 'old' ? 'new' : 'old')).toBeNull();
    await on.undoes();
    await on.undoes();
    expect([on.text('new'), on.text('old'), await on.statuses()]).toEqual([lines('aBcde6ghijKl'), null, 'pending']);
  },
);

test('[REV9a] [I9] undo twice goes back two decisions, redo forward again, also after a restart', async () => {
  const on = await reviewing({ a: lines('abcdef') });
  const first = await on.writes('S', 'a', lines('Abcdef'));
  const second = await on.writes('S', 'a', lines('AbcdeF'));
  await on.rejects({ changes: [first] });
  await on.rejects({ changes: [second] });
  await on.human('a', lines('abc1def'));
  await on.on.reopen();
  await on.undoes();
  expect([on.text('a'), await on.statuses()]).toEqual([lines('abc1deF'), 'rejected pending']);
  await on.undoes();
  expect([on.text('a'), await on.statuses()]).toEqual([lines('Abc1deF'), 'pending pending']);
  expect(await on.workspace.undo()).toMatchObject({ ok: false, error: { code: 'nothing-to-do' } });
  await on.on.reopen();
  await on.redoes();
  expect(on.text('a')).toBe(lines('abc1deF'));
  await on.accepts({ changes: [second] });
  expect(await on.workspace.redo()).toMatchObject({ ok: false, error: { code: 'nothing-to-do' } });
});

test('[REV9b] an undo that would overwrite later work is refused, and nothing is written', async () => {
  const on = await reviewing({ a: lines('abcdef') });
  const id = await on.writes('S', 'a', lines('abCdef'));
  await on.rejects({ changes: [id] });
  await on.human('a', lines('ab3def'));
  expect(await on.workspace.undo({ dryRun: true })).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(await on.workspace.undo()).toMatchObject({ ok: false, error: { code: 'conflict', paths: ['a'] } });
  expect([on.text('a'), await on.statuses()]).toEqual([lines('ab3def'), 'rejected']);
});

test('[REV9e] [REV9f] undo tells the decision, also that it is older than a verdict that decided nothing', async () => {
  const on = await reviewing({ a: lines('abc'), b: lines('xyz') });
  const id = await on.writes('S', 'a', lines('aBc'));
  await on.rejects({ changes: [id] });
  expect(await on.undoes()).toMatchObject({
    decision: { kind: 'decided', verdict: 'reject', ids: [id], paths: ['a'] },
    afterNothing: false,
  });
  expect(await on.redoes()).toMatchObject({ decision: { verdict: 'reject', ids: [id] }, afterNothing: false });
  await on.rejects({ path: 'b' });
  const dry = given(await on.workspace.undo({ dryRun: true }));
  expect(dry).toMatchObject({ decision: { ids: [id] }, afterNothing: true });
  expect(await on.undoes()).toMatchObject({ afterNothing: false });
  await on.workspace.reject({ path: 'nowhere' });
  await on.accepts({ changes: [id] });
  expect(await on.undoes()).toMatchObject({ decision: { verdict: 'accept' }, afterNothing: false });
});

test('[REV9b] a dry undo says what it would write', async () => {
  const on = await reviewing({ a: lines('abc') });
  const id = await on.writes('S', 'a', lines('aBc'));
  const { seq } = await on.rejects({ changes: [id] });
  const dry = given(await on.workspace.undo({ dryRun: true }));
  expect(dry).toMatchObject({ operation: seq, kind: 'decided', written: ['a'] });
  expect(on.text('a')).toBe(lines('abc'));
});

test('[REV9c] the rejected text and the comment reach the agent until it says that it heard', async () => {
  const on = await reviewing({ a: lines('abc') });
  const id = await on.writes('S', 'a', lines('aBc'));
  const { seq } = await on.rejects({ changes: [id] }, { comment: 'keep it small' });
  const heard = () => on.workspace.notices('S').filter(({ kind }) => kind === 'rejected');
  expect(heard()).toMatchObject([{ path: 'a' }]);
  expect(heard()[0]?.text).toContain('keep it small');
  expect(heard()[0]?.text).toContain('-b\n+B');
  expect(on.workspace.notices('T')).toEqual([]);
  await on.on.reopen();
  expect(heard()).toHaveLength(1);
  given(await on.workspace.acknowledge('S', seq));
  expect(heard()).toEqual([]);
  expect((await on.entries())[0]?.comment).toBe('keep it small');
});

test('[REV9c] a rejection that was undone is not told', async () => {
  const on = await reviewing({ a: lines('abc') });
  const id = await on.writes('S', 'a', lines('aBc'));
  await on.rejects({ changes: [id] });
  await on.undoes();
  expect(on.workspace.notices('S').filter(({ kind }) => kind === 'rejected')).toEqual([]);
});

test('[REC3b] hunks keep their ids and say where their lines are, through verdicts and undo', async () => {
  const on = await reviewing({ a: lines('abcdef') });
  const first = await on.writes('S', 'a', lines('abcdeF'));
  const second = await on.writes('S', 'a', lines('XYabcdeF'));
  const place = async () => (await on.entries()).find(({ id }) => id === first)?.hunks[0];
  expect(await place()).toMatchObject({ id: `${first}.1`, now: [{ from: 8, to: 8 }] });
  await on.rejects({ changes: [second] });
  expect(await place()).toMatchObject({ id: `${first}.1`, now: [{ from: 6, to: 6 }] });
  await on.rejects({ changes: [first] });
  expect(await place()).toMatchObject({ now: [], stale: true });
  await on.undoes();
  await on.undoes();
  expect(await place()).toMatchObject({ now: [{ from: 8, to: 8 }], stale: false, status: 'pending' });
});
