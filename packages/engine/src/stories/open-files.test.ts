import { expect, test } from 'vitest';
import { type Stage, stage } from './stage.fixture.js';

function opened({ workspace }: Stage, session?: string): string {
  const files = workspace.openFiles.list({ session });
  if (!files.ok) throw new Error(files.error.code);
  return files.value.map(({ path, pinned, by }) => `${path}${pinned ? '!' : by === 'search' ? '?' : ''}`).join(' ');
}

async function done<T>(answer: Promise<{ ok: true; value: T } | { ok: false; error: { code: string } }>): Promise<T> {
  const outcome = await answer;
  if (!outcome.ok) throw new Error(outcome.error.code);
  return outcome.value;
}

const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'lib/c.ts': 'c\n', 'lib/d.ts': 'd\n' };

test('[OPN2a] reads, writes, commands and mentions of an agent open files; a denied or failed call does not', async () => {
  const at = await stage({ files: FILES });
  const agent = at.agent('S');
  await agent.readFile('a.txt');
  await agent.call('Bash', { command: 'echo x > made.txt' }, () => at.write('made.txt', 'x\n'));
  expect(opened(at, 'S')).toBe('made.txt a.txt');
  const denied = await agent.begin('Write', { file_path: at.path('b.txt'), content: 'over' });
  expect(denied.decision).toBe('deny');
  await agent.call('Write', { file_path: at.path('new.txt'), content: 'n' }, () => at.write('new.txt', 'n'), {
    ok: false,
  });
  const missed = await agent.begin('Read', { file_path: at.path('lib/c.ts') });
  await agent.end(missed.callId, { ok: false });
  expect(opened(at, 'S')).toBe('made.txt a.txt');
  await at.workspace.note({ kind: 'prompt', session: 'S', text: 'look at @lib/d.ts' });
  expect(opened(at, 'S')).toBe('lib/d.ts made.txt a.txt');
  expect(opened(at, 'S')).toBe(opened(at));
});

test('[OPN2b] what a search printed is open only weakly', async () => {
  const at = await stage({ files: FILES });
  const agent = at.agent('S');
  const { callId } = await agent.begin('Grep', { pattern: 'c' });
  const output = ['lib/c.ts:1:c', `${at.path('b.txt')}:3:x`, 'no such file', 'lib/c.ts-2-context'].join('\n');
  await agent.end(callId, { ok: true, output });
  await agent.readFile('a.txt');
  expect(opened(at, 'S')).toBe('a.txt b.txt? lib/c.ts?');
});

test('[OPN1d] open files are the same after closing and opening the workspace again', async () => {
  const at = await stage({ files: FILES });
  await at.agent('S').readFile('a.txt');
  await done(at.workspace.openFiles.open(['lib/*.ts'], { session: 'S' }));
  await done(at.workspace.openFiles.pin(['b.txt']));
  const before = at.workspace.openFiles.list({ session: 'S' });
  await at.reopen();
  expect(at.workspace.openFiles.list({ session: 'S' })).toEqual(before);
  expect(opened(at, 'S')).toBe('b.txt! lib/c.ts lib/d.ts a.txt');
});

test('[OPN1e] paths, folders and patterns open files, and what fits nothing is refused', async () => {
  const at = await stage({ files: { ...FILES, '.gitignore': 'ignored.log\n', 'ignored.log': 'x\n' } });
  const { openFiles } = at.workspace;
  expect((await done(openFiles.open(['lib']))).paths).toEqual(['lib/c.ts', 'lib/d.ts']);
  expect((await done(openFiles.open(['*.txt', 'ignored.log']))).paths).toEqual(['a.txt', 'b.txt', 'ignored.log']);
  expect(await openFiles.open(['a.txt', 'nope.ts'])).toMatchObject({ ok: false, error: { code: 'no-such-file' } });
  expect(await openFiles.open(['*.nope'])).toMatchObject({ ok: false, error: { code: 'no-match', what: 'file' } });
  expect(await openFiles.open(['../x'])).toMatchObject({ ok: false, error: { code: 'outside' } });
  expect(await openFiles.unpin(['a.txt'])).toMatchObject({ ok: false, error: { code: 'not-open' } });
  expect(await openFiles.open(['a.txt'], { session: 'nobody' })).toMatchObject({ error: { code: 'unknown-session' } });
  expect(opened(at)).toBe('a.txt b.txt ignored.log lib/c.ts lib/d.ts');
  await done(openFiles.close(['lib/*']));
  expect(opened(at)).toBe('a.txt b.txt ignored.log');
});

test('[OPN1b] opening more than there is room for says what made room and what did not fit', async () => {
  const names = Array.from({ length: 40 }, (_, index) => [`many/${String(index).padStart(2, '0')}`, 'x'] as const);
  const at = await stage({ files: { ...FILES, ...Object.fromEntries(names) } });
  await done(at.workspace.openFiles.open(['a.txt']));
  const answer = await done(at.workspace.openFiles.open(['many/*']));
  expect(answer).toMatchObject({ evicted: ['a.txt'], beyond: 15 });
  expect(answer.files).toHaveLength(25);
  expect(answer.files[0]?.path).toBe('many/00');
});

test('[PAT3a] every mutating call is in the ledger with its diff, and what a person did is not', async () => {
  const at = await stage({ files: FILES });
  const agent = at.agent('S');
  await agent.readFile('a.txt');
  await agent.writeFile('a.txt', 'A\n');
  at.write('b.txt', 'by hand\n');
  await at.workspace.look();
  await agent.call('Bash', { command: 'rm lib/c.ts' }, () => at.remove('lib/c.ts'));
  const { patches, beyond } = await done(at.workspace.patches.list());
  expect(patches.map(({ number, path, tool, summary }) => [number, path, tool, summary])).toEqual([
    [1, 'lib/c.ts', 'Bash', 'deleted with Bash, +0 −1'],
    [2, 'a.txt', 'Write', 'changed with Write, +1 −1'],
  ]);
  expect(beyond).toBe(false);
});

test('[PAT3d] a patch is found by number, id and path, of one session or of all', async () => {
  const at = await stage({ files: FILES });
  await at.agent('S').writeFile('s.txt', 's\n');
  await at.agent('T').writeFile('t.txt', 't\n');
  const { patches } = at.workspace;
  const [latest] = await done(patches.show('1'));
  expect(latest).toMatchObject({ path: 't.txt', session: 'T', cut: false });
  expect(latest?.diff).toContain('+t\n');
  expect((await done(patches.show('1', { session: 'S' })))[0]?.path).toBe('s.txt');
  expect((await done(patches.show(latest!.id)))[0]?.path).toBe('t.txt');
  expect((await done(patches.show('s.txt'))).map(({ path }) => path)).toEqual(['s.txt']);
  expect(await patches.show('7')).toMatchObject({ ok: false, error: { code: 'no-match', what: 'patch' } });
  expect(await patches.show('a.txt')).toMatchObject({ ok: false, error: { code: 'no-match' } });
});

test('[PAT3b] more than is shown at once is kept: the list says so, and diffs are cut at 200 KB', async () => {
  const at = await stage({ files: FILES });
  const agent = at.agent('S');
  for (let index = 0; index < 22; index++) await agent.writeFile(`f${index}.txt`, `${index}\n`);
  await agent.writeFile('large.txt', 'a line that is long enough\n'.repeat(20_000));
  const { patches, beyond } = await done(at.workspace.patches.list());
  expect([patches.length, beyond]).toEqual([20, true]);
  const [large] = await done(at.workspace.patches.show('large.txt'));
  expect([large?.cut, Buffer.byteLength(large!.diff)]).toEqual([true, 200 * 1024]);
  const all = await at.workspace.changes({ status: 'all' });
  expect(all.ok && all.value.length).toBe(23);
});

test('[PAT3c] a cleared ledger begins anew, also after opening again, and the changes stay', async () => {
  const at = await stage({ files: FILES });
  const agent = at.agent('S');
  await agent.writeFile('one.txt', '1\n');
  expect(await done(at.workspace.patches.clear({ session: 'S' }))).toEqual({ cleared: 1 });
  await agent.writeFile('two.txt', '2\n');
  await at.reopen();
  expect((await done(at.workspace.patches.list({ session: 'S' }))).patches.map(({ path }) => path)).toEqual([
    'two.txt',
  ]);
  expect(await at.workspace.patches.show('one.txt')).toMatchObject({ ok: false });
  const all = await at.workspace.changes({ status: 'all' });
  expect(all.ok && all.value.length).toBe(2);
});
