import { expect, test } from 'vitest';
import { type Stage, stage } from './stage.fixture.js';

const QUIET = { settings: { lookAfterMs: 600_000 } };
const TEXT = '1\n2\n3\n4\n5\n6\n7\n';
const edit = (on: Stage) => ({ file_path: on.path('a'), old_string: '2\n', new_string: 'two\n' });

test('[CAP3h] an answer that nobody hears denies nothing: the call is on record as one that ran', async () => {
  const on = await stage({ files: { a: TEXT }, open: QUIET });
  const agent = on.agent('S');
  const answer = await agent.begin('Edit', edit(on), 'c1', { isHeard: () => false });
  expect(answer.decision).toBe('allow');
  on.write('a', TEXT.replace('2\n', 'two\n'));
  await agent.end('c1', { ok: true });
  expect(await on.records()).toEqual(['modify a S/Edit exact']);
  expect(decisions(on)).toEqual(['allow observed']);
});

test('[CAP3h] nobody left while the guard was at work: denied in vain is not denied', async () => {
  const on = await stage({ files: { a: TEXT }, open: QUIET });
  let asked = 0;
  await on.agent('S').begin('Edit', edit(on), 'c1', { isHeard: () => ++asked === 1 });
  expect(decisions(on)).toEqual(['allow observed']);
});

test('[CAP3h] a call that was denied and ran all the same is taken up at its end', async () => {
  const on = await stage({ files: { a: TEXT }, open: QUIET });
  const agent = on.agent('S');
  expect((await agent.begin('Edit', edit(on), 'c1')).decision).toBe('deny');
  on.write('a', TEXT.replace('2\n', 'two\n'));
  await agent.end('c1', { ok: true, tool: 'Edit', input: edit(on) });
  expect(await on.records()).toEqual(['modify a S/Edit inferred']);
  expect(decisions(on)).toEqual(['deny', 'allow observed']);
});

test('[CAP3a] what a late call wrote is told from what a person wrote beside it', async () => {
  const on = await stage({ files: { a: TEXT }, open: QUIET });
  const agent = on.agent('S');
  on.write('a', TEXT.replace('2\n', 'two\n').replace('6\n', 'mine\n'));
  await agent.end('c1', { ok: true, tool: 'Edit', input: edit(on) });
  expect([...(await on.records())].sort()).toEqual(['modify a S/Edit inferred', 'modify a human inferred']);
});

test('[CAP3a] an edit whose beginning was missed is not given to a command whose end was missed', async () => {
  const on = await stage({ files: { a: TEXT }, open: QUIET });
  const agent = on.agent('S');
  await agent.begin('Bash', { command: 'make' }, 'lost');
  on.write('a', TEXT.replace('2\n', 'two\n'));
  await agent.end('c2', { ok: true, tool: 'Edit', input: edit(on) });
  await on.workspace.endSession('S');
  expect(await on.records()).toEqual(['modify a S/Edit inferred']);
});

test('[CAP3a] nor when it was already taken for that command’s', async () => {
  const on = await stage({ files: { a: TEXT, b: 'b\n' }, open: QUIET });
  const agent = on.agent('S');
  await agent.begin('Bash', { command: 'make' }, 'lost');
  on.write('a', TEXT.replace('2\n', 'two\n'));
  await on.workspace.note({ kind: 'prompt', session: 'S', text: 'go on' });
  expect(await on.records()).toEqual(['modify a S/Bash window']);
  await agent.end('c2', { ok: true, tool: 'Edit', input: edit(on) });
  expect(await on.records()).toEqual(['modify a S/Edit inferred']);
});

test('[CAP3a] nor when a look has taken it for the command’s, which is still running', async () => {
  const on = await stage({ files: { a: TEXT }, open: QUIET });
  const agent = on.agent('S');
  const { callId } = await agent.begin('Bash', { command: 'make' });
  on.write('a', TEXT.replace('2\n', 'two\n'));
  await on.workspace.look();
  await agent.end('c2', { ok: true, tool: 'Edit', input: edit(on) });
  await agent.end(callId, { ok: true });
  expect(await on.records()).toEqual(['modify a S/Edit inferred']);
});

test('[CAP3a] what the running command wrote beside it stays the command’s', async () => {
  const on = await stage({ files: { a: TEXT }, open: QUIET });
  const agent = on.agent('S');
  const { callId } = await agent.begin('Bash', { command: 'make' });
  on.write('a', TEXT.replace('6\n', 'six\n'));
  await on.workspace.look();
  on.write('a', TEXT.replace('6\n', 'six\n').replace('2\n', 'two\n'));
  await on.workspace.look();
  await agent.end('c2', { ok: true, tool: 'Edit', input: edit(on) });
  await agent.end(callId, { ok: true });
  expect([...(await on.records())].sort()).toEqual(['modify a S/Bash window', 'modify a S/Edit inferred']);
});

test('[CAP3a] two edits of one file, one of them heard of late, get each their own, and a person the rest', async () => {
  const on = await stage({ files: { a: TEXT }, open: QUIET });
  const agent = on.agent('S');
  await agent.readFile('a');
  const other = { file_path: on.path('a'), old_string: '6\n', new_string: 'six\n' };
  const { callId } = await agent.begin('Edit', other);
  const both = TEXT.replace('2\n', 'two\n').replace('4\n', 'mine\n');
  on.write('a', both);
  await on.workspace.look();
  await agent.end('c2', { ok: true, tool: 'Edit', input: edit(on) });
  on.write('a', both.replace('6\n', 'six\n'));
  await agent.end(callId, { ok: true });
  expect(await on.records()).toEqual(['modify a human inferred', 'modify a S/Edit inferred', 'modify a S/Edit exact']);
});

for (const look of ['seen', 'not seen']) {
  test(`[CAP3c] what a person did to the file before is not a late call's, whose own write was ${look}`, async () => {
    const on = await stage({ files: { a: TEXT }, open: QUIET });
    const mine = TEXT.replace('6\n', 'mine\n').replace('2\n', '2\nmine\n');
    on.write('a', mine);
    await on.workspace.look();
    const content = mine.replace('3\n', 'three\n');
    on.write('a', content);
    if (look === 'seen') await on.workspace.look();
    await on.agent('S').end('c1', { ok: true, tool: 'Write', input: { file_path: on.path('a'), content } });
    expect(await on.records()).toEqual(['modify a human inferred', 'modify a S/Write inferred']);
  });
}

test('[CAP3c] what a running command wrote is not a late call’s, which kept it and wrote more', async () => {
  const on = await stage({ files: {}, open: QUIET });
  const agent = on.agent('S');
  const { callId } = await agent.begin('Bash', { command: "printf '%s\\n' one two > a" });
  on.write('a', 'one\ntwo\n');
  await on.workspace.look();
  const content = 'one\n2\nthree\n';
  on.write('a', content);
  await agent.end('c2', { ok: true, tool: 'Write', input: { file_path: on.path('a'), content } });
  await agent.end(callId, { ok: true });
  expect(await on.records()).toEqual(['create a S/Bash window', 'modify a S/Write inferred']);
});

test('[CAP3c] nor is what a person saved while an edit of the file was to end', async () => {
  const on = await stage({ files: { a: TEXT }, open: QUIET });
  const agent = on.agent('S');
  await agent.readFile('a');
  const { callId } = await agent.begin('Edit', edit(on));
  on.write('a', `${TEXT}mine\n`);
  await on.workspace.look();
  const content = `${TEXT}mine\neight\n`;
  on.write('a', content);
  await agent.end('c2', { ok: true, tool: 'Write', input: { file_path: on.path('a'), content } });
  await agent.end(callId, { ok: false });
  expect(await on.records()).toEqual(['modify a human inferred', 'modify a S/Write inferred']);
});

test('[CAP3b] that a late command was to write a file does not prove that it did', async () => {
  const on = await stage({ files: { a: TEXT }, open: QUIET });
  on.write('a', TEXT.replace('6\n', 'mine\n'));
  await on.agent('S').end('c1', { ok: true, tool: 'Bash', input: { command: 'sed -i s/2/two/ a' } });
  expect(await on.records()).toEqual(['modify a unknown(S) unknown']);
});

test('[CAP3b] what a running command was only there for may be the late one’s that was to write the file', async () => {
  const on = await stage({ files: { a: TEXT }, open: QUIET });
  const { callId } = await on.agent('S').begin('Bash', { command: 'make' });
  on.write('made', 'added\n');
  await on.agent('S').end(callId, { ok: true });
  expect(await on.records()).toEqual(['create made S/Bash window']);
  await on.agent('T').end('c9', { ok: true, tool: 'Bash', input: { command: "printf '%s\\n' added > made" } });
  expect(await on.records()).toEqual(['create made unknown(S,T) unknown']);
});

test('[CAP3b] so it may when it was seen, and the command is still running', async () => {
  const on = await stage({ files: { a: TEXT }, open: QUIET });
  const { callId } = await on.agent('S').begin('Bash', { command: 'make' });
  on.write('made', 'added\n');
  on.move('a', 'b');
  await on.workspace.look();
  await on.agent('T').end('c9', { ok: true, tool: 'Bash', input: { command: 'sort x > made; sort y > b' } });
  await on.agent('S').end(callId, { ok: true });
  expect([...(await on.records())].sort()).toEqual(['create made unknown(S,T) unknown', 'rename a>b S/Bash window']);
});

test('[CAP3b] what a late edit may have written before another moved the file is unknown', async () => {
  const on = await stage({ files: { 'd/a': TEXT }, open: QUIET });
  on.write('d/a', TEXT.replace('2\n', 'two\n'));
  on.move('d', 'e');
  await on.reopen();
  await on.agent('S').end('c1', { ok: true, tool: 'Edit', input: { ...edit(on), file_path: on.path('d/a') } });
  expect(await on.records()).toEqual(['rename d/a>e/a unknown(S) unknown']);
});

test('[CAP3b] what a call may have done reaches back to when it can have begun, and not further', async () => {
  let now = Date.now();
  const on = await stage({ files: { a: TEXT, b: 'b\n' }, open: { ...QUIET, now: () => now } });
  on.write('b', 'mine\n');
  await on.workspace.look();
  now += 60_000;
  const began = now;
  on.write('a', 'perhaps\n');
  await on.workspace.look();
  for (let index = 0; index < 60; index++) await on.agent('T').begin('Read', { file_path: on.path('b') });
  now += 40_000;
  await on.agent('S').begin('Bash', { command: 'make' }, 'c1', { isHeard: () => false, runsSince: began });
  expect(await on.records()).toEqual(['modify b human inferred', 'modify a unknown(S) unknown']);
});

test('[CAP3g] a call that was open when we died is taken up again, and a person’s line meanwhile is not its own', async () => {
  const on = await stage({ files: { a: TEXT, b: 'b\n' }, open: QUIET });
  const agent = on.agent('S');
  await agent.shell('echo made > c');
  await agent.readFile('a');
  const { callId } = await agent.begin('Edit', edit(on));
  await on.close();
  on.write('a', TEXT.replace('2\n', 'two\n').replace('6\n', 'mine\n'));
  on.write('b', 'mine\n');
  await on.open();
  await agent.end(callId, { ok: true });
  const records = (await on.records()).slice(1).map((record) => record.replace(' reconcile', ''));
  expect([...records].sort()).toEqual([
    'modify a S/Edit inferred',
    'modify a unknown() unknown',
    'modify b unknown() unknown',
  ]);
});

function decisions(on: Stage): readonly string[] {
  return on.workspace
    .operations(0, 1_000)
    .flatMap((operation) =>
      operation.kind === 'call-began' ? [`${operation.decision}${operation.observed ? ' observed' : ''}`] : [],
    );
}

const moving = (old: string, next: string) => ({
  command: `*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-${old}\n+${next}\n*** End Patch\n`,
});

for (const [name, text, old] of [
  ['most of it', TEXT, '2'],
  ['nothing of it', '2\n', '2'],
] as const) {
  test(`[CAP3a] a patch that moved a file and kept ${name} is found in what a running command was taken for`, async () => {
    const on = await stage({ files: { a: text }, open: QUIET });
    const agent = on.agent('S');
    const { callId } = await agent.begin('Bash', { command: 'make' });
    on.move('a', 'b');
    on.write('b', text.replace('2\n', 'two\n'));
    await on.workspace.look();
    await agent.end('c2', { ok: true, tool: 'apply_patch', input: moving(old, 'two') });
    await agent.end(callId, { ok: true });
    for (const record of await on.records()) expect(record).toMatch(/S\/apply_patch inferred/);
  });

  test(`[CAP3a] a patch that moved a file and kept ${name} is found in what a person was taken for`, async () => {
    const on = await stage({ files: { a: text }, open: QUIET });
    on.move('a', 'b');
    on.write('b', text.replace('2\n', 'two\n'));
    await on.workspace.look();
    await on.agent('S').end('c2', { ok: true, tool: 'apply_patch', input: moving(old, 'two') });
    for (const record of await on.records()) expect(record).toMatch(/S\/apply_patch inferred/);
  });
}

test('[CAP3a] so it is when the command had written the file before', async () => {
  const on = await stage({ files: { a: TEXT }, open: QUIET });
  const agent = on.agent('S');
  const { callId } = await agent.begin('Bash', { command: 'make' });
  on.write('a', `${TEXT}8\n`);
  await on.workspace.look();
  on.move('a', 'b');
  on.write('b', `${TEXT}8\n`.replace('2\n', 'two\n'));
  await on.workspace.look();
  await agent.end('c2', { ok: true, tool: 'apply_patch', input: moving('2', 'two') });
  await agent.end(callId, { ok: true });
  expect(await on.records()).toEqual(['modify a S/Bash window', 'rename a>b S/apply_patch inferred']);
});
