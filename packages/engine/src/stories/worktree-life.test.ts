import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stage } from './stage.fixture.js';
import { inWorktree, recorded } from './worktree-stage.fixture.js';

const TEN = Array.from({ length: 10 }, (_, line) => `line ${line + 1}\n`).join('');

test('[SYN2h] the same lines on both sides: a conflict, no byte changed, other files go on; either side, or an edit, settles it', async () => {
  const s = await stage({ files: { 'a.txt': TEN, 'b.txt': TEN } });
  const agent = await inWorktree(s, 'one', 'auto');
  await agent.run((at) => {
    s.write('a.txt', TEN.replace('line 2\n', 'mine\n'));
    at.put('a.txt', TEN.replace('line 2\n', 'agents\n'));
    at.put('b.txt', TEN.replace('line 2\n', 'agents\n'));
  });
  await s.workspace.look();
  expect(s.read('a.txt')).toContain('mine\n');
  expect(agent.read('a.txt')).toContain('agents\n');
  expect(s.read('b.txt')).toContain('agents\n');
  const [conflict, ...more] = s.workspace.worktrees.conflicts();
  expect([conflict?.path, conflict?.reason, more]).toEqual(['a.txt', 'both sides changed the same lines', []]);
  const both = TEN.replace('line 2\n', 'mine\nagents\n');
  const settled = await s.workspace.worktrees.resolve(conflict!.id, { bytes: Buffer.from(both) });
  expect(settled.ok).toBe(true);
  expect([s.read('a.txt'), agent.read('a.txt'), s.workspace.worktrees.conflicts()]).toEqual([both, both, []]);
});

test('[SYN2m] review: a conflict that is settled with the text of the worktree, or with one made of both, decides what waited there', async () => {
  for (const how of ['theirs', 'both'] as const) {
    const s = await stage({ files: { 'a.txt': TEN } });
    const agent = await inWorktree(s, 'one', 'review');
    await agent.readFile('a.txt');
    await agent.edit('a.txt', 'line 2\n', 'agents\n');
    s.write('a.txt', TEN.replace('line 2\n', 'mine\n'));
    await s.workspace.look();
    const [conflict] = s.workspace.worktrees.conflicts();
    const text = TEN.replace('line 2\n', how === 'theirs' ? 'agents\n' : 'mine\nagents\n');
    const settled = await s.workspace.worktrees.resolve(
      conflict!.id,
      how === 'theirs' ? { take: 'theirs' } : { bytes: Buffer.from(text) },
    );
    expect(settled.ok).toBe(true);
    // And it stays, whatever flows next.
    s.write('b.txt', 'b\n');
    await s.workspace.look();
    await agent.run(() => undefined);
    expect([s.read('a.txt'), agent.read('a.txt'), s.workspace.worktrees.conflicts()]).toEqual([text, text, []]);
    expect(await agent.pending()).toEqual([]);
  }
});

test('[SYN2i] auto: a rejected change leaves both places, around what the human did; undo brings it back to both', async () => {
  const s = await stage({ files: { 'a.txt': TEN } });
  const agent = await inWorktree(s, 'one', 'auto');
  await agent.readFile('a.txt');
  await agent.edit('a.txt', 'line 2\n', 'two\n');
  s.write('a.txt', s.read('a.txt')!.replace('line 8\n', 'mine\n'));
  await s.workspace.look();
  const [change] = await agent.pending();
  const done = await s.workspace.reject({ changes: [change!] });
  expect(done.ok && done.value.written).toEqual(['a.txt']);
  const without = TEN.replace('line 8\n', 'mine\n');
  expect([s.read('a.txt'), agent.read('a.txt')]).toEqual([without, without]);
  await s.workspace.undo();
  const again = without.replace('line 2\n', 'two\n');
  expect([s.read('a.txt'), agent.read('a.txt')]).toEqual([again, again]);
});

test('[SYN2j] files that are made, removed, renamed, made executable or binary come as such', async () => {
  const s = await stage({ files: { 'a.txt': TEN, 'gone.txt': 'gone\n', 'd/e.txt': 'e\n' } });
  const agent = await inWorktree(s, 'one', 'auto');
  await agent.run((at) => {
    at.move('a.txt', 'moved/a.txt');
    at.remove('gone.txt');
    at.remove('d');
    at.put('bytes', Buffer.from([0, 1, 2, 255]));
    s.write('a.txt', TEN.replace('line 9\n', 'mine\n'));
  });
  await s.workspace.look();
  const mine = TEN.replace('line 9\n', 'mine\n');
  expect([s.read('moved/a.txt'), s.read('a.txt'), agent.read('moved/a.txt')]).toEqual([mine, null, mine]);
  expect([s.read('gone.txt'), existsSync(s.path('d'))]).toEqual([null, false]);
  expect(Buffer.from(s.read('bytes')!, 'utf8').length).toBeGreaterThan(0);
});

test('[SYN4a] found again after a restart: what happened there meanwhile is nobody’s, and comes when a person says so', async () => {
  const s = await stage({ files: { 'a.txt': TEN } });
  const agent = await inWorktree(s, 'one', 'auto');
  await agent.readFile('a.txt');
  await agent.edit('a.txt', 'line 2\n', 'two\n');
  await s.close();
  agent.put('b.txt', 'while nobody watched\n');
  s.write('mine.txt', 'mine\n');
  await s.open();
  await s.workspace.look();
  expect([s.read('b.txt'), agent.read('mine.txt')]).toEqual([null, 'mine\n']);
  expect(await recorded(s)).toContain('create b.txt unknown() unknown reconcile');
  const synced = await s.workspace.worktrees.sync('one');
  expect(synced.ok && synced.value.apart).toEqual([]);
  expect(s.read('b.txt')).toBe('while nobody watched\n');
});

test('[SYN4b] it goes only when nothing in it waits; its tree stays as a checkpoint, and its session goes on in the workspace', async () => {
  const s = await stage({ files: { 'a.txt': TEN } });
  const agent = await inWorktree(s, 'one', 'review');
  await agent.readFile('a.txt');
  await agent.edit('a.txt', 'line 2\n', 'two\n');
  const refused = await s.workspace.worktrees.finish('one');
  expect(refused.ok ? null : refused.error.code).toBe('worktree-holds');
  await s.workspace.accept({ all: true });
  const done = await s.workspace.worktrees.finish('one');
  expect(done.ok ? existsSync(done.value.path) : done.error).toBe(false);
  expect(s.read('a.txt')).toBe(TEN.replace('line 2\n', 'two\n'));
  expect(s.workspace.session('one')?.worktree).toBeNull();
  const [change] = (await s.workspace.changes({ status: 'all' })).ok ? await allIds(s) : [];
  const back = await s.workspace.reject({ changes: [change!] });
  expect(back.ok && back.value.written).toEqual(['a.txt']);
  expect(s.read('a.txt')).toBe(TEN);
});

test('[SYN2k] blame names the call that wrote a line in a worktree', async () => {
  const s = await stage({ files: { 'a.txt': TEN } });
  const agent = await inWorktree(s, 'one', 'auto');
  await agent.readFile('a.txt');
  await agent.edit('a.txt', 'line 2\n', 'two\n');
  const lines = await s.workspace.blame('a.txt');
  const authors = lines.ok
    ? lines.value.map(({ author }) => (author.kind === 'agent' ? author.session : author.kind))
    : [];
  expect(authors.slice(0, 3)).toEqual(['unknown', 'one', 'unknown']);
});

test('[SYN5b] a session in a worktree that is about to write into the workspace’s own folder is refused', async () => {
  const s = await stage({ files: { 'a.txt': TEN } });
  const agent = await inWorktree(s, 'one', 'auto');
  const asked = await agent.begin('Write', { file_path: s.path('new.txt'), content: 'x' });
  expect([asked.decision, asked.reason]).toEqual(['deny', expect.stringContaining(agent.path('new.txt'))]);
});

test('[SYN5a] two sessions that change the same lines hear of it, and the status says so, before anything merges', async () => {
  const s = await stage({ files: { 'a.txt': TEN } });
  const [one, two] = [await inWorktree(s, 'one', 'review'), await inWorktree(s, 'two', 'review')];
  await one.run((at) => at.put('a.txt', TEN.replace('line 2\n', 'of one\n')));
  await two.run((at) => at.put('a.txt', TEN.replace('line 9\n', 'of two\n')));
  expect(s.workspace.notices('one')).toEqual([]);
  await two.run((at) => at.put('a.txt', TEN.replace('line 2\n', 'of two\n')));
  for (const session of ['one', 'two'])
    expect(s.workspace.notices(session).map(({ kind, path }) => `${kind} ${path}`)).toEqual(['radar a.txt']);
  expect((await s.workspace.status()).radar).toEqual([
    { path: 'a.txt', sessions: ['one', 'two'], lines: [{ from: 2, to: 2 }] },
  ]);
  await s.workspace.acknowledge('one', s.workspace.seq);
  expect(s.workspace.notices('one')).toEqual([]);
});

async function allIds(s: Awaited<ReturnType<typeof stage>>): Promise<readonly string[]> {
  const all = await s.workspace.changes({ status: 'all', session: 'one' });
  return all.ok ? all.value.map(({ id }) => id) : [];
}
