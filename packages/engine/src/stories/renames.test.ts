import { expect, test } from 'vitest';
import { stage } from './stage.fixture.js';

/** Ten lines that no other file has. */
const text = (name: string) => Array.from({ length: 10 }, (_, line) => `${name} line ${line}\n`).join('');
const FILES = { f4: text('same'), f5: text('same'), 'd/x': text('x'), 'd/y': text('y'), a: text('a'), b: text('b') };

async function recorded(command: string): Promise<readonly string[]> {
  const on = await stage({ kind: 'plain', files: FILES });
  const records = await on.agent('S').shell(command);
  return [...records].sort();
}

const CASES: readonly (readonly [string, string, readonly string[]])[] = [
  ['of equal files, the one that was moved', 'mv f4 g; rm f5', ['delete f5', 'rename f4>g']],
  ['of equal files, the other one', 'mv f5 g; rm f4', ['delete f4', 'rename f5>g']],
  ['both of two equal files, each to its own name', 'mv f4 h; mv f5 g', ['rename f4>h', 'rename f5>g']],
  ['with an edit in place', 'mv a c; echo more >> c', ['rename a>c']],
  ['with an edit that makes the file anew', 'sed "s/line 3/changed/" a > c; rm a', ['rename a>c']],
  ['with a change of mode', 'mv a c; chmod +x c', ['rename a>c']],
  ['with an edit and a change of mode', 'mv a c; echo more >> c; chmod +x c', ['rename a>c']],
  ['a folder', 'mv d e', ['rename d/x>e/x', 'rename d/y>e/y']],
  ['a folder with an edit in it', 'mv d e; echo more >> e/y', ['rename d/x>e/x', 'rename d/y>e/y']],
  ['letters of the name only', 'mv a A', ['rename a>A']],
  ['not a copy', 'cp a c', ['create c']],
  ['not what has little in common', 'rm a; printf "new\\nother\\n" > c', ['create c', 'delete a']],
  ['two files that change places are each changed', 'mv a t; mv b a; mv t b', ['modify a', 'modify b']],
  ['one over the other', 'mv a b', ['delete a', 'modify b']],
];

for (const [what, command, expected] of CASES) {
  test(`[CAP2b] a rename is told from what happened on the disk: ${what}`, async () => {
    expect((await recorded(command)).map((record) => record.split(' ').slice(0, 2).join(' '))).toEqual(expected);
  });
}

test('[CAP17b] a rename with an edit is one change with hunks, and rejecting it gives the old file under its old name', async () => {
  const on = await stage({ kind: 'plain', files: { a: text('a') } });
  await on.agent('S').shell('mv a c; sed -i "s/line 3/changed/" c; chmod +x c');
  const changes = await on.workspace.changes({});
  expect(changes.ok && changes.value.map(({ file, hunks }) => [file.fromPath, file.path, hunks.length])).toEqual([
    ['a', 'c', 1],
  ]);
  expect((await on.workspace.reject({ all: true })).ok).toBe(true);
  expect([on.read('a'), on.read('c')]).toEqual([text('a'), null]);
});

test('[CAP17d] a person renames a file that a running command made: the text stays the command’s', async () => {
  const on = await stage({ files: { keep: 'k\n' }, open: { settings: { lookAfterMs: 600_000 } } });
  const agent = on.agent('S');
  const { callId } = await agent.begin('Bash', { command: "printf '%s\\n' text > made" });
  on.write('made', 'text\n');
  await on.workspace.look();
  on.move('made', 'elsewhere');
  await on.workspace.look();
  await agent.end(callId, { ok: true });
  expect(await on.records()).toEqual(['create made S/Bash window', 'rename made>elsewhere human inferred']);
  const blame = await on.workspace.blame('elsewhere');
  expect(blame.ok && blame.value[0]?.author).toMatchObject({ kind: 'agent', session: 'S' });
});

test('[CAP17d] a person renames a file while a tool writes it: what the tool wrote is the tool’s', async () => {
  const on = await stage({ files: { a: 'one\ntwo\nthree\n' }, open: { settings: { lookAfterMs: 600_000 } } });
  const agent = on.agent('S');
  await agent.readFile('a');
  const { callId } = await agent.begin('Edit', { file_path: on.path('a'), old_string: 'two', new_string: 'TWO' });
  on.write('a', 'one\nTWO\nthree\n');
  on.move('a', 'b');
  await on.workspace.look();
  await agent.end(callId, { ok: true });
  expect(await on.records()).toEqual(['modify a S/Edit exact', 'rename a>b human inferred']);
});

for (const names of [['a', 'b'], ['b', 'a'], ['b']]) {
  test(`[CAP17c] a rename that an editor tells of as ${names.join(' and ')} is one change, also beside a command`, async () => {
    const on = await stage({ files: { a: text('a') }, open: { settings: { lookAfterMs: 600_000 } } });
    const { callId } = await on.agent('S').begin('Bash', { command: 'make' });
    on.move('a', 'b');
    for (const path of names) await on.workspace.note({ kind: 'saved', path });
    await on.agent('S').end(callId, { ok: true });
    expect(await on.records()).toEqual(['rename a>b human inferred']);
  });
}

test('[CAP17c] a rename is one change, also when its new name is met by a read first', async () => {
  const on = await stage({ files: { a: text('a') }, open: { settings: { lookAfterMs: 600_000 } } });
  on.move('a', 'b');
  await on.workspace.note({ kind: 'read', session: 'S', path: 'b' });
  expect(await on.records()).toEqual(['rename a>b human inferred']);
});

test('[CAP17c] another hand writes a file that a running command moved: both sides of the move are told at once', async () => {
  const on = await stage({ files: { a: text('a') }, open: { settings: { lookAfterMs: 600_000 } } });
  const [one, two] = [on.agent('S'), on.agent('T')];
  await one.begin('Bash', { command: './tidy' });
  on.move('a', 'c');
  on.write('c', `${text('a')}more\n`);
  await on.workspace.look();
  const { callId } = await two.begin('Bash', { command: './other' });
  on.write('c', `${text('a')}more\nand more\n`);
  await two.end(callId, { ok: true });
  expect(await on.records()).toEqual(['rename a>c S/Bash window', 'modify c unknown(T,S) unknown']);
  expect((await on.workspace.reject({ all: true })).ok).toBe(true);
  expect([on.read('a'), on.read('c')]).toEqual([text('a'), null]);
});

test('[CAP17d] a command renames and edits a file that another running one made: the lines stay with who wrote them', async () => {
  const on = await stage({ files: { keep: 'k\n' }, open: { settings: { lookAfterMs: 600_000 } } });
  const { callId } = await on.agent('S').begin('Bash', { command: 'sort keep > made' });
  on.write('made', text('made'));
  await on.workspace.look();
  await on.agent('T').shell('mv made other && echo more >> other');
  await on.agent('S').end(callId, { ok: true });
  expect(await on.records()).toEqual(['create made S/Bash window', 'rename made>other T/Bash window']);
});

test('[CAP17d] a person renames a file that a tool has just written, and the editor tells: the text is the tool’s', async () => {
  const on = await stage({ files: { a: text('a') }, open: { settings: { lookAfterMs: 600_000 } } });
  const agent = on.agent('S');
  await agent.readFile('a');
  const { callId } = await agent.begin('Edit', { file_path: on.path('a'), old_string: 'line 3', new_string: 'THREE' });
  on.write('a', text('a').replace('line 3', 'THREE'));
  on.move('a', 'b');
  for (const path of ['a', 'b']) await on.workspace.note({ kind: 'saved', path });
  await agent.end(callId, { ok: true });
  expect(await on.records()).toEqual(['modify a S/Edit inferred', 'rename a>b human inferred']);
});

test('[CAP17d] a person renames a file that a running command has just added to: the line stays the command’s', async () => {
  const on = await stage({ files: { a: text('a') }, open: { settings: { lookAfterMs: 600_000 } } });
  const agent = on.agent('S');
  const { callId } = await agent.begin('Bash', { command: "printf '%s\\n' added >> a" });
  on.write('a', `${text('a')}added\n`);
  on.move('a', 'elsewhere');
  await agent.end(callId, { ok: true });
  expect(await on.records()).toEqual(['modify a S/Bash window', 'rename a>elsewhere human inferred']);
});

test('[CAP17d] a command moves a folder with a file that another running one may have added to: either may have', async () => {
  const on = await stage({ files: { 'd/a': text('a') }, open: { settings: { lookAfterMs: 600_000 } } });
  const agent = on.agent('S');
  const moving = await agent.begin('Bash', { command: 'mv d e' });
  const adding = await on.agent('T').begin('Bash', { command: "printf '%s\\n' added >> d/a" });
  on.write('d/a', `${text('a')}added\n`);
  on.move('d', 'e');
  await agent.end(moving.callId, { ok: true });
  await on.agent('T').end(adding.callId, { ok: true });
  expect(await on.records()).toEqual(['modify d/a unknown(S,T) unknown', 'rename d/a>e/a S/Bash window']);
});

test.each([
  ['done', (done: string) => [done]],
  ['half done', (done: string) => [text('a'), done]],
])('[CAP16a] a patch that moves a file, seen %s before its call has ended, is the call’s', async (_, states) => {
  const on = await stage({ files: { a: text('a') }, open: { settings: { lookAfterMs: 600_000 } } });
  const agent = on.agent('S');
  await agent.readFile('a');
  const lines = ['*** Update File: a', '*** Move to: c', '@@', '-a line 3', '+changed'];
  const { callId } = await agent.begin('apply_patch', {
    command: `*** Begin Patch\n${lines.join('\n')}\n*** End Patch\n`,
  });
  on.remove('a');
  for (const state of states(text('a').replace('a line 3', 'changed'))) {
    on.write('c', state);
    await on.workspace.look();
  }
  await agent.end(callId, { ok: true });
  expect((await on.records()).filter((record) => !record.includes('S/apply_patch'))).toEqual([]);
});

test('[CAP17c] files that change places do so by one hand, though a running call names one of them', async () => {
  const on = await stage({ kind: 'plain', files: FILES, open: { settings: { lookAfterMs: 600_000 } } });
  await on.agent('S').begin('Bash', { command: 'date > b' });
  await on.agent('T').shell('mv a t; mv b a; mv t b');
  expect(await on.records()).toEqual(['modify a T/Bash window', 'modify b T/Bash window']);
  on.shell('mv a t; mv b a; mv t b');
  expect((await on.records()).slice(2)).toEqual(['modify a human inferred', 'modify b human inferred']);
});

test('[CAP17c] so does who moves one file over another', async () => {
  const on = await stage({ kind: 'plain', files: FILES, open: { settings: { lookAfterMs: 600_000 } } });
  await on.agent('S').begin('Bash', { command: 'date > b' });
  await on.agent('T').shell('mv a b');
  expect([...(await on.records())].sort()).toEqual(['delete a T/Bash window', 'modify b T/Bash window']);
});
