import { expect, test } from 'vitest';
import { until } from '../../../../test/patience.fixture.js';
import { type Stage, stage } from './stage.fixture.js';

/** No look comes by itself: the stories look where a hint would have made us look. */
const QUIET = { settings: { lookAfterMs: 600_000 } };
const LINES = Array.from({ length: 200 }, (_, index) => `line ${index}\n`).join('');

async function seen(on: Stage, text: string): Promise<void> {
  on.write('a', text);
  await on.workspace.look();
}

async function editing(on: Stage) {
  const agent = on.agent('S');
  await agent.readFile('a');
  const { callId } = await agent.begin('Edit', {
    file_path: on.path('a'),
    old_string: 'line 7\n',
    new_string: 'LINE 7\n',
  });
  return { agent, callId, after: LINES.replace('line 7\n', 'LINE 7\n') };
}

test.each([
  ['empty', () => ['']],
  ['empty, then half of it', (after: string) => ['', after.slice(0, 700)]],
  ['gone', () => [null]],
])('[CAP16a] a write seen half-way (%s) is one change of the call that names the file', async (_, states) => {
  const on = await stage({ files: { a: LINES }, open: QUIET });
  const { agent, callId, after } = await editing(on);
  for (const state of states(after)) {
    if (state === null) {
      on.remove('a');
      await on.workspace.look();
    } else await seen(on, state);
  }
  await seen(on, after);
  await agent.end(callId, { ok: true });
  expect(await on.records()).toEqual(['modify a S/Edit exact']);
});

test('[CAP16a] a write seen half-way just as the call ends is still that call’s', async () => {
  const on = await stage({ files: { a: LINES }, open: QUIET });
  const { agent, callId, after } = await editing(on);
  await seen(on, '');
  await agent.end(callId, { ok: true });
  await seen(on, after);
  const records = await on.records();
  expect(records.filter((record) => record.includes('human'))).toEqual([]);
});

test.each([
  ['before', (after: string) => [LINES.replace('line 90\n', 'mine\n'), '', after.replace('line 90\n', 'mine\n')]],
  ['after', (after: string) => ['', after, after.replace('line 90\n', 'mine\n')]],
])('[CAP16b] what a person saves %s the half-seen write is theirs, and the rest the call’s', async (_, states) => {
  const on = await stage({ files: { a: LINES }, open: QUIET });
  const { agent, callId, after } = await editing(on);
  for (const state of states(after)) await seen(on, state);
  await agent.end(callId, { ok: true });
  expect([...(await on.records())].sort()).toEqual(['modify a S/Edit exact', 'modify a human inferred']);
  const blame = await on.workspace.blame('a');
  const lines = blame.ok ? blame.value.filter(({ author }) => author.kind !== 'unknown') : [];
  expect(lines.map(({ text, author }) => `${text} ${author.kind}`)).toEqual(['LINE 7 agent', 'mine human']);
});

test.each([
  ['after', (edited: string) => edited],
  ['before', () => LINES],
])('[CAP4f] what a person saves %s the write is not a command’s that began later', async (_, found) => {
  const on = await stage({ files: { a: LINES }, open: QUIET });
  const { agent, callId, after } = await editing(on);
  const save = (text: string) => text.replace('line 90\n', 'mine\n');
  await seen(on, found(after));
  await seen(on, save(found(after)));
  const command = await agent.begin('Bash', { command: "sed -i 's/line 50/LINE 50/' a" });
  await seen(on, save(after).replace('line 50\n', 'LINE 50\n'));
  await agent.end(command.callId, { ok: true });
  await agent.end(callId, { ok: true });
  const blame = await on.workspace.blame('a');
  const mine = blame.ok ? blame.value.filter(({ text }) => text === 'mine') : [];
  expect(mine.map(({ author }) => author)).toEqual([{ kind: 'unknown', candidates: [{ session: 'S', call: callId }] }]);
  expect(await on.records()).toContain('modify a S/Edit exact');
});

test('[CAP4f] what a person saved and a whole write then replaced is on record', async () => {
  const on = await stage({ files: { a: LINES }, open: QUIET });
  const agent = on.agent('S');
  await agent.readFile('a');
  const { callId } = await agent.begin('Write', { file_path: on.path('a'), content: 'new\n' });
  await seen(on, LINES.replace('line 90\n', 'mine\n'));
  await seen(on, '');
  await seen(on, 'new\n');
  await agent.end(callId, { ok: true });
  expect(await on.records()).toEqual(['modify a human inferred', 'modify a S/Write exact']);
});

test('[CAP4f] a person’s edit of the same line after the call wrote it is not the call’s', async () => {
  const on = await stage({ files: { a: LINES }, open: QUIET });
  const { agent, callId, after } = await editing(on);
  await seen(on, after);
  await seen(on, after.replace('LINE 7\n', 'mine\n'));
  await agent.end(callId, { ok: true });
  const [first, ...rest] = await on.records();
  expect(first).toBe('modify a S/Edit exact');
  expect(rest.filter((record) => record.includes('S/'))).toEqual([]);
});

test('[CAP4f] what a person saved over a call’s text, before anybody looked, is not taken for the call’s', async () => {
  const on = await stage({ files: { a: LINES }, open: QUIET });
  const { agent, callId } = await editing(on);
  on.write('a', LINES.replace('line 90\n', 'mine\n'));
  await agent.end(callId, { ok: true });
  expect(await on.records()).toEqual(['modify a unknown(S) unknown']);
});

test('[CAP16a] a file that two overlapping commands may have written half-way is one change', async () => {
  const on = await stage({ files: { a: LINES }, open: QUIET });
  const [one, two] = [on.agent('S'), on.agent('T')];
  const first = await one.begin('Bash', { command: 'make' });
  const second = await two.begin('Bash', { command: 'make' });
  await seen(on, '');
  await seen(on, 'made\n');
  await one.end(first.callId, { ok: true });
  await two.end(second.callId, { ok: true });
  expect(await on.records()).toEqual(['modify a unknown(S,T) unknown']);
});

test('[CAP16a] a command that names the file, seen half-way, made one change', async () => {
  const on = await stage({ files: { a: LINES }, open: QUIET });
  const agent = on.agent('S');
  const { callId } = await agent.begin('Bash', { command: 'echo more >> a' });
  await seen(on, '');
  await seen(on, `${LINES}more\n`);
  await agent.end(callId, { ok: true });
  expect(await on.records()).toEqual(['modify a S/Bash window']);
});

test('[CAP16d] an editor that empties a file and writes it a moment later made one change', async () => {
  const on = await stage({ files: { a: LINES }, open: { settings: { lookAfterMs: 20 } } });
  on.write('a', '');
  await wrongly(async () => (await changes(on)).length > 0, 400);
  on.write('a', 'mine\n');
  await until(async () => (await changes(on)).length > 0);
  expect(await on.records()).toEqual(['modify a human inferred']);
});

async function changes(on: Stage) {
  const found = await on.workspace.changes({ status: 'all' });
  return found.ok ? found.value : [];
}

/** Gives the background looks their chance to get it wrong. */
async function wrongly(done: () => Promise<boolean>, atMostMs: number): Promise<void> {
  for (const end = Date.now() + atMostMs; !(await done()) && Date.now() < end; )
    await new Promise((next) => setTimeout(next, 10));
}

test('[CHK1d] a checkpoint of a moment while a write is seen half-way holds the file as it was before', async () => {
  const on = await stage({ files: { a: LINES }, open: QUIET });
  const start = await on.workspace.saveCheckpoint();
  await editing(on);
  await seen(on, '');
  await on.workspace.note({ kind: 'prompt', session: 'other', text: 'what is in a?' });
  const prompted = (await on.workspace.checkpoints({ session: 'other' })).find(({ reason }) => reason === 'prompt');
  const diff = start.ok ? await on.workspace.checkpointDiff(start.value.id, prompted!.id) : start;
  expect(diff).toMatchObject({ ok: true, value: { files: [] } });
});

test.each([
  ['appended to', 'mv a b && echo more >> b'],
  ['edited by a tool that writes anew', "sed -i 's/line 90$/more/' a && mv a b"],
])('[CAP16a] a file that is moved and %s while its writer is to end was written before that', async (_, command) => {
  const on = await stage({ files: { c: LINES }, open: QUIET });
  const [one, two] = [on.agent('S'), on.agent('T')];
  const write = await one.begin('Write', { file_path: on.path('a'), content: LINES });
  on.write('a', LINES);
  await two.shell(command);
  await one.end(write.callId, { ok: true });
  expect(await on.records()).toEqual(['create a S/Write exact', 'rename a>b T/Bash window']);
});
