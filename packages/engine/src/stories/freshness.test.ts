import { expect, test } from 'vitest';
import { type Stage, stage } from './stage.fixture.js';

const FILES = { 'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n', 'b.txt': 'b\n' };
const EDIT = { file_path: 'a.txt', old_string: 'eight', new_string: 'EIGHT' };
/** No look comes by itself: only begins, ends and asked-for looks. */
const QUIET = { settings: { lookAfterMs: 600_000 } };

async function decide(on: Stage, tool = 'Edit', input: object = EDIT): Promise<string> {
  const { decision } = await on.agent('S').begin(tool, input);
  return decision;
}

test('[FRE4a] an edit of a file never read is denied, with what to do', async () => {
  const on = await stage({ files: FILES });
  const { decision, reason } = await on.agent('S').begin('Edit', EDIT);
  expect(decision).toBe('deny');
  expect(reason).toMatch(/a\.txt exists and has not been read.*Read it first/);
});

test('[FRE4a] an edit of a file that changed since is denied, with what changed', async () => {
  const on = await stage({ files: FILES });
  await on.agent('S').readFile('a.txt');
  on.write('a.txt', FILES['a.txt'].replace('two', 'TWO'));
  const { decision, reason } = await on.agent('S').begin('Edit', EDIT);
  expect(decision).toBe('deny');
  expect(reason).toContain('-two\n+TWO');
  expect(reason).toMatch(/Read a\.txt again/);
  await on.agent('S').readFile('a.txt');
  expect(await decide(on)).toBe('allow');
});

test('[FRE4a] the diff in a reason stays within its budget', async () => {
  const on = await stage({ files: FILES, open: { settings: { reasonDiffChars: 200 } } });
  await on.agent('S').readFile('a.txt');
  on.write('a.txt', 'x\n'.repeat(5000));
  const { reason } = await on.agent('S').begin('Edit', EDIT);
  expect(reason!.length).toBeLessThan(500);
  expect(reason).toMatch(/more lines of diff/);
});

test('[FRE4d] a new file and a file of one’s own can be written', async () => {
  const on = await stage({ files: FILES });
  await on.agent('S').writeFile('new.txt', 'mine\n');
  expect(await on.agent('S').edit('new.txt', 'mine', 'still mine')).toHaveLength(1);
});

test('[FRE4b] policies: warn says so and lets pass, off says nothing', async () => {
  const warn = await stage({
    files: FILES,
    open: { settings: { guard: { stale: 'warn', unseen: 'warn', apart: 'deny' } } },
  });
  const warned = await warn.agent('S').begin('Edit', EDIT);
  expect(warned).toMatchObject({ decision: 'warn', notices: [{ kind: 'guard', path: 'a.txt' }] });
  const off = await stage({
    files: FILES,
    open: { settings: { guard: { stale: 'off', unseen: 'off', apart: 'deny' } } },
  });
  expect(await decide(off)).toBe('allow');
});

test('[FRE4f] a command that will write over a stale file is warned, and goes on', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  await on.agent('S').readFile('a.txt');
  on.write('a.txt', 'mine\n');
  const warned = await on.agent('S').begin('Bash', { command: 'echo two > a.txt' });
  expect(warned).toMatchObject({ decision: 'warn', notices: [{ kind: 'guard', path: 'a.txt' }] });
});

test('[FRE4c] an edit apart from what changed may pass with a note', async () => {
  const on = await stage({
    files: FILES,
    open: { settings: { guard: { stale: 'deny', unseen: 'deny', apart: 'pass' } } },
  });
  await on.agent('S').readFile('a.txt');
  on.write('a.txt', FILES['a.txt'].replace('two', 'TWO'));
  expect(await on.agent('S').begin('Edit', EDIT)).toMatchObject({ decision: 'warn' });
  expect(await decide(on, 'Edit', { ...EDIT, old_string: 'TWO', new_string: 'x' })).toBe('deny');
  expect(await decide(on, 'Write', { file_path: 'a.txt', content: 'all new' })).toBe('deny');
});

test('[FRE2a] a touch is not stale', async () => {
  const on = await stage({ files: FILES });
  await on.agent('S').readFile('a.txt');
  on.touch('a.txt');
  expect(await decide(on)).toBe('allow');
});

test('[FRE2d] a change behind a restored date is stale', async () => {
  const on = await stage({ files: FILES });
  on.touch('a.txt', 1_700_000_000);
  await on.agent('S').readFile('a.txt');
  on.write('a.txt', FILES['a.txt'].replace('two', 'TWO'));
  on.touch('a.txt', 1_700_000_000);
  expect(await decide(on)).toBe('deny');
});

test('[FRE2d] it is right after an atomic save, a restart and a branch switch', async () => {
  const on = await stage({ files: FILES });
  await on.agent('S').readFile('a.txt');
  on.write('.tmp-save', FILES['a.txt'].replace('two', 'TWO'));
  on.move('.tmp-save', 'a.txt');
  expect(await decide(on)).toBe('deny');
  await on.agent('S').readFile('a.txt');
  await on.close();
  on.write('a.txt', 'offline\n');
  await on.open();
  expect(await decide(on)).toBe('deny');
  await on.agent('S').readFile('a.txt');
  on.git('checkout', '-q', '.');
  expect(await decide(on)).toBe('deny');
});

test('[FRE2d] right at once after opening, before the tree was gone through', async () => {
  const on = await stage({ files: FILES });
  await on.agent('S').readFile('a.txt');
  await on.close();
  on.write('a.txt', 'offline\n');
  const opening = on.open();
  await opening;
  expect(await decide(on)).toBe('deny');
});

test('[FRE2b] the agent’s own writes refresh, also by shell', async () => {
  const on = await stage({ files: FILES });
  await on.agent('S').readFile('a.txt');
  await on.agent('S').edit('a.txt', 'one', 'ONE');
  await on.agent('S').shell('echo nine >> a.txt');
  expect(await decide(on)).toBe('allow');
});

test('[FRE3a] stale lists the state of all that a session saw, and whether it is still in sight', async () => {
  const on = await stage({ files: { ...FILES, 'c.txt': 'c\n' } });
  for (const path of ['a.txt', 'b.txt', 'c.txt']) await on.agent('S').readFile(path);
  await on.workspace.note({ kind: 'cut', session: 'S' });
  await on.agent('S').readFile('b.txt');
  on.write('a.txt', 'changed\n');
  on.remove('c.txt');
  const report = (await on.workspace.stale('S')).map(({ path, state, visible }) => `${path} ${state} ${visible}`);
  expect(report.sort()).toEqual(['a.txt stale false', 'b.txt fresh true', 'c.txt missing false']);
});

test('[FRE1a] the lines that were shown are kept', async () => {
  const on = await stage({ files: FILES });
  await on.agent('S').call('Read', { file_path: 'a.txt', offset: 2, limit: 3 }, () => undefined);
  await on.workspace.note({ kind: 'read', session: 'S', path: 'a.txt', lines: { from: 7, to: 8 } });
  expect((await on.workspace.stale('S'))[0]?.seen.lines).toEqual([
    { from: 2, to: 4 },
    { from: 7, to: 8 },
  ]);
});

test('[FRE1c] a file that changed while it was being read counts as seen before the change', async () => {
  const on = await stage({ files: FILES });
  await on.agent('S').call('Read', { file_path: 'a.txt' }, () => on.write('a.txt', 'meanwhile\n'));
  expect(await decide(on)).toBe('deny');
});

test('[FRE1c] a failed read shows nothing', async () => {
  const on = await stage({ files: FILES });
  await on.agent('S').call('Read', { file_path: 'a.txt' }, () => undefined, { ok: false });
  expect(await decide(on)).toBe('deny');
});

test('[FRE1d] what a shell command printed counts as shown when its output proves it', async () => {
  const on = await stage({ files: FILES });
  await on.agent('S').call('Bash', { command: 'cat b.txt' }, () => undefined, { output: 'b\n' });
  await on.agent('S').call('Bash', { command: 'cat a.txt' }, () => undefined, { output: '(output truncated)' });
  expect(await decide(on, 'Edit', { file_path: 'b.txt', old_string: 'b', new_string: 'c' })).toBe('allow');
  expect(await decide(on)).toBe('deny');
});

test('[FRE5a] notices come until acknowledged, or until the file was seen again', async () => {
  const on = await stage({ files: FILES });
  await on.agent('S').readFile('a.txt');
  await on.agent('S').readFile('b.txt');
  on.write('a.txt', 'changed\n');
  on.remove('b.txt');
  const notices = async () =>
    (await on.agent('S').begin('Bash', { command: 'ls' })).notices.map((notice) => notice.text).sort();
  const both = ['a.txt has changed since you last saw it.', 'b.txt is gone since you last saw it.'];
  expect(await notices()).toEqual(both);
  expect(await notices()).toEqual(both);
  await on.agent('S').readFile('a.txt');
  expect(await notices()).toEqual([both[1]]);
  await on.workspace.acknowledge('S', on.workspace.seq);
  expect(await notices()).toEqual([]);
  on.write('b.txt', 'back, but other\n');
  expect(await notices()).toEqual(['b.txt has changed since you last saw it.']);
});

test('[FRE3i] what an ended session saw is told only where it is named', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  for (const session of ['S', 'T']) await on.agent(session).readFile('a.txt');
  await on.workspace.endSession('S');
  expect((await on.workspace.stale()).map(({ session }) => session)).toEqual(['T']);
  expect((await on.workspace.stale('S')).map(({ session }) => session)).toEqual(['S']);
});

test('[FRE6] one file has one path, however it is written', async () => {
  const on = await stage({ files: { 'src/a.txt': 'one\n' } });
  on.link('door', 'src');
  for (const path of ['./src/a.txt', 'src/../src/a.txt', on.path('src/a.txt'), 'door/a.txt']) {
    await on.workspace.note({ kind: 'read', session: path, path });
  }
  expect((await on.workspace.stale()).map(({ path }) => path)).toEqual(Array(4).fill('src/a.txt'));
});

test('[FRE7b] a thousand files that were seen are watched by what watches one', async () => {
  const files = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`d/f${index}.txt`, `${index}\n`]));
  const on = await stage({ files });
  for (const path of Object.keys(files)) await on.workspace.note({ kind: 'read', session: 'S', path });
  on.write('d/f500.txt', 'changed\n');
  expect((await on.workspace.stale('S')).filter(({ state }) => state === 'stale').map(({ path }) => path)).toEqual([
    'd/f500.txt',
  ]);
  expect((await on.workspace.status()).watching).toBe('events');
});

test('[FRE8b] files mentioned in a prompt count as shown, with their lines', async () => {
  const on = await stage({ files: { ...FILES, 'with space.txt': 'x\n', 'd/e.ts': '1\n2\n3\n' } });
  await on.workspace.note({
    kind: 'prompt',
    session: 'S',
    text: 'look at @a.txt, @"with space.txt" and @d/e.ts:2-3, not @nothing or me@b.txt',
  });
  const seen = (await on.workspace.stale('S')).map(({ path, seen }) => [path, seen.lines]);
  expect(seen).toEqual([
    ['a.txt', null],
    ['with space.txt', null],
    ['d/e.ts', [{ from: 2, to: 3 }]],
  ]);
  expect(await decide(on)).toBe('allow');
});

test('[FRE8c] a file that was mentioned and not put in front of the model was not seen', async () => {
  const on = await stage({ files: FILES });
  await on.workspace.note({ kind: 'prompt', session: 'S', text: 'look at @a.txt', mentions: 'left-out' });
  expect(await decide(on)).toBe('deny');
});

test('[FRE2d] an ignored file that was read is fresh after a restart', async () => {
  const on = await stage({ files: { '.gitignore': 'node_modules\n', 'node_modules/m/i.js': 'x\n' }, open: QUIET });
  await on.agent('S').readFile('node_modules/m/i.js');
  await on.workspace.look();
  await on.reopen();
  expect((await on.workspace.stale('S')).map(({ path, state }) => [path, state])).toEqual([
    ['node_modules/m/i.js', 'fresh'],
  ]);
});

test('[FRE5b] what a person changed during an edit of the same file is told, and not taken to be seen', async () => {
  const on = await stage({ files: { a: '1\n2\n3\n4\n5\n' }, open: QUIET });
  const agent = on.agent('S');
  await agent.readFile('a');
  const edit = { file_path: on.path('a'), old_string: '1\n', new_string: 'one\n' };
  const { callId } = await agent.begin('Edit', edit);
  on.write('a', 'one\n2\n3\n4\nhuman\n');
  const { notices } = await agent.end(callId, { ok: true });
  expect(await on.records()).toEqual(['modify a human inferred', 'modify a S/Edit exact']);
  expect(notices.map(({ kind, path }) => [kind, path])).toEqual([['changed-outside', 'a']]);
  const next = await agent.begin('Edit', { file_path: on.path('a'), old_string: '3\n', new_string: 'three\n' });
  expect(next.decision).toBe('deny');
  await agent.readFile('a');
  expect((await agent.begin('Edit', { ...edit, old_string: '3\n' })).decision).toBe('allow');
});

test('[FRE2b] a command that changed a stale file does not make it fresh', async () => {
  const on = await stage({ files: { a: '1\n2\n3\n4\n5\n' }, open: QUIET });
  const agent = on.agent('S');
  await agent.readFile('a');
  on.write('a', '1\n2\n3\n4\nhuman\n');
  await agent.shell('echo 6 >> a');
  const { decision } = await agent.begin('Edit', { file_path: on.path('a'), old_string: '3\n', new_string: 'x\n' });
  expect(decision).toBe('deny');
});

test('[FRE2b] a command that shows a file and then changes it leaves it fresh', async () => {
  const on = await stage({ files: { a: '1\n2\n3\n' }, open: QUIET });
  const agent = on.agent('S');
  await agent.call('Bash', { command: 'cat a && echo 4 >> a' }, () => on.shell('echo 4 >> a'), {
    output: '1\n2\n3\n',
  });
  expect((await on.workspace.stale('S')).map(({ path, state }) => [path, state])).toEqual([['a', 'fresh']]);
});

test('[FRE5b] a file that changed while it was being read is told of', async () => {
  const on = await stage({ files: { a: '1\n' }, open: QUIET });
  const agent = on.agent('S');
  const { callId } = await agent.begin('Read', { file_path: on.path('a') });
  on.write('a', 'human\n');
  await on.workspace.look();
  const { notices } = await agent.end(callId, { ok: true });
  expect(notices.map(({ kind, path }) => [kind, path])).toEqual([['changed-outside', 'a']]);
});

const patch = (path: string) => `*** Begin Patch\n*** Update File: ${path}\n@@\n-3\n+three\n*** End Patch`;
const edits: readonly [string, (path: string) => readonly [string, unknown]][] = [
  ['MultiEdit', (path) => ['MultiEdit', { file_path: path, edits: [{ old_string: '3', new_string: 'x' }] }]],
  ['apply_patch', (path) => ['apply_patch', { input: patch(path) }]],
  [
    'apply_patch with a move',
    (path) => [
      'apply_patch',
      { input: `*** Begin Patch\n*** Update File: ${path}\n*** Move to: b\n@@\n-3\n+three\n*** End Patch` },
    ],
  ],
  [
    'apply_patch that deletes',
    (path) => ['apply_patch', { input: `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch` }],
  ],
  ['str_replace', (path) => ['str_replace_editor', { command: 'str_replace', path, old_str: '3', new_str: 'x' }]],
  ['insert', (path) => ['str_replace_editor', { command: 'insert', path, insert_line: 1, new_str: 'x' }]],
  ['replace', (path) => ['replace', { file_path: path, old_string: '3', new_string: 'x' }]],
  ['write_file', (path) => ['write_file', { file_path: path, content: 'x' }]],
  ['mcp edit_file', (path) => ['mcp__fs__edit_file', { path, edits: [{ oldText: '3', newText: 'x' }] }]],
];
test.each(edits)('[FRE4a] an edit of a stale file is denied: %s', async (_, call) => {
  const on = await stage({ files: { a: '1\n2\n3\n', 'dir/x': 'x\n' }, open: QUIET });
  on.link('link', 'a');
  const agent = on.agent('S');
  await agent.readFile('a');
  on.write('a', '1\nhuman\n3\n');
  for (const path of [on.path('a'), './a', 'dir/../a', 'link']) {
    const [tool, input] = call(path);
    expect((await agent.begin(tool, input)).decision, path).toBe('deny');
  }
});
