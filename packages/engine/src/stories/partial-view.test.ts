import { expect, test } from 'vitest';
import { type Stage, stage } from './stage.fixture.js';

const QUIET = { settings: { lookAfterMs: 600_000 } };
const LINES = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`);
const TEXT = textOf(LINES);

function textOf(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

/** The human's save: `by` in the place of `removed` lines from line `at` on. */
function save(on: Stage, at: number, removed: number, ...by: readonly string[]): readonly string[] {
  const now = (on.read('a') ?? '')
    .split('\n')
    .slice(0, -1)
    .toSpliced(at - 1, removed, ...by);
  on.write('a', textOf(now));
  return now;
}

async function show(on: Stage, from: number, limit: number): Promise<void> {
  await on.agent('S').call('Read', { file_path: on.path('a'), offset: from, limit }, () => undefined);
}

async function ask(on: Stage, tool: string, input: object): Promise<{ decision: string; reason: string }> {
  const { decision, reason, callId } = await on.agent('S').begin(tool, input);
  if (decision !== 'deny') await on.agent('S').end(callId, { ok: false });
  return { decision, reason: reason ?? '' };
}

const edit = (old_string: string, new_string = 'mine') => ['Edit', { file_path: 'a', old_string, new_string }] as const;
const write = (lines: readonly string[]) => ['Write', { file_path: 'a', content: textOf(lines) }] as const;

async function readThenChanged(): Promise<{ on: Stage; now: readonly string[] }> {
  const on = await stage({ files: { a: TEXT }, open: QUIET });
  await on.agent('S').readFile('a');
  const now = save(on, 50, 1, 'human');
  await show(on, 1, 5);
  return { on, now };
}

const OLD_VIEW = LINES.with(2, 'mine');
const addFile = `*** Begin Patch\n*** Delete File: a\n*** Add File: a\n+mine\n*** End Patch`;
const wholeWrites: readonly (readonly [string, object])[] = [
  ['Write', { file_path: 'a', content: textOf(OLD_VIEW) }],
  ['write', { filePath: 'a', content: textOf(OLD_VIEW) }],
  ['write_file', { file_path: 'a', content: textOf(OLD_VIEW) }],
  ['write_to_file', { path: 'a', content: textOf(OLD_VIEW) }],
  ['str_replace_based_edit_tool', { command: 'create', path: 'a', file_text: textOf(OLD_VIEW) }],
  [
    'apply_patch',
    { input: `*** Begin Patch\n*** Add File: a\n${OLD_VIEW.map((line) => `+${line}\n`).join('')}*** End Patch` },
  ],
  ['apply_patch', { input: addFile }],
  ['delete_file', { path: 'a' }],
  ['move_file', { source: 'b', destination: 'a' }],
];
test.each(wholeWrites)('[FRE3c] a part that was read again does not cover for the rest: %s', async (tool, input) => {
  const { on } = await readThenChanged();
  on.write('b', 'b\n');
  await on.agent('S').readFile('b');
  const { decision, reason } = await ask(on, tool, input);
  expect(decision).toBe('deny');
  expect(reason).toMatch(/a has changed since you last saw it\. Not shown to you since: line 50\./);
  expect(reason).toContain('-line 50\n+human');
  expect(reason).toMatch(/Read a again, at least lines? /);
});

test('[FRE3h] a write that leaves alone what was not shown again rests on a true view', async () => {
  const { on, now } = await readThenChanged();
  expect((await ask(on, ...write(now.with(2, 'mine')))).decision).toBe('allow');
  expect((await ask(on, ...edit('line 3\n'))).decision).toBe('allow');
  // Elsewhere the file has changes that were not seen: that is for the policy to say.
  expect((await ask(on, ...edit('line 30\n'))).decision).toBe('deny');
  await show(on, 45, 10);
  expect((await ask(on, ...edit('line 30\n'))).decision).toBe('allow');
  expect((await ask(on, ...write(now.with(99, 'mine')))).decision).toBe('allow');
});

test('[FRE3f] a first look at a part allows to write that part only', async () => {
  const on = await stage({ files: { a: TEXT }, open: QUIET });
  await show(on, 1, 10);
  const { decision, reason } = await ask(on, ...write(LINES.slice(0, 10)));
  expect(decision).toBe('deny');
  expect(reason).toBe(
    'This edit rests on lines 11-100 of a. You have not been shown that text as it is now. Nothing was edited. ' +
      'Read lines 11-100 of a, then make the edit again.',
  );
  expect((await ask(on, ...edit('line 40'))).reason).toContain('Read line 40 of a');
  expect((await ask(on, ...edit('line 4\n'))).decision).toBe('allow');
  expect((await ask(on, ...write(LINES.with(3, 'mine')))).decision).toBe('allow');
  expect(
    (await ask(on, 'Edit', { file_path: 'a', old_string: 'line', new_string: 'x', replace_all: true })).decision,
  ).toBe('deny');
  expect((await ask(on, 'delete_file', { path: 'a' })).decision).toBe('deny');
  // A file that is moved keeps its text.
  expect((await ask(on, 'move_file', { source: 'a', destination: 'c' })).decision).toBe('allow');
});

test('[FRE3f] what others took away must not come back from an old view', async () => {
  const on = await stage({ files: { a: TEXT }, open: QUIET });
  await on.agent('S').readFile('a');
  save(on, 50, 3);
  await show(on, 1, 5);
  expect((await ask(on, ...write(OLD_VIEW))).decision).toBe('deny');
  await show(on, 49, 2);
  expect((await ask(on, ...edit('line 90'))).decision).toBe('allow');
});

test('[FRE3g] an insertion by number needs the numbers to be right', async () => {
  const on = await stage({ files: { a: TEXT }, open: QUIET });
  const insert = (insert_line: number) =>
    ask(on, 'str_replace_editor', { command: 'insert', path: 'a', insert_line, new_str: 'mine' });
  await show(on, 40, 20);
  expect((await insert(50)).decision).toBe('allow');
  expect((await insert(20)).decision).toBe('deny');
  expect((await insert(0)).decision).toBe('allow');
  save(on, 1, 0, 'one', 'more');
  await show(on, 1, 5);
  const { decision, reason } = await insert(50);
  expect([decision, reason]).toEqual(['deny', expect.stringContaining('Read lines 50-51 of a')]);
  expect((await insert(3)).decision).toBe('allow');
  await show(on, 50, 1);
  expect((await insert(50)).decision).toBe('allow');
});

test('[FRE4c] lines that moved are not apart for an insertion by number', async () => {
  const guard = { stale: 'deny', unseen: 'deny', apart: 'pass' } as const;
  const on = await stage({ files: { a: TEXT }, open: { settings: { lookAfterMs: 600_000, guard } } });
  await on.agent('S').readFile('a');
  save(on, 10, 0, 'human');
  const insert = (insert_line: number) =>
    ask(on, 'str_replace_editor', { command: 'insert', path: 'a', insert_line, new_str: 'mine' });
  expect((await insert(50)).decision).toBe('deny');
  expect((await insert(5)).decision).toBe('warn');
  expect((await ask(on, ...edit('line 50'))).decision).toBe('warn');
});

test('[FRE1e] a read that was cut short shows what its tool showed', async () => {
  const long = Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`);
  const on = await stage({ files: { a: textOf(long) }, open: QUIET });
  const lines = async () => (await on.workspace.stale('S'))[0]?.seen.lines;
  await on.agent('S').readFile('a');
  expect(await lines()).toEqual([{ from: 1, to: 2000 }]);
  expect((await ask(on, ...edit('line 2001\n'))).decision).toBe('deny');
  const more = { shown: { from: 2001, to: 2500 } };
  await on.agent('S').call('Read', { file_path: on.path('a'), offset: 2001 }, () => undefined, more);
  expect(await lines()).toEqual([{ from: 1, to: 2500 }]);
  await on.agent('S').call('Read', { file_path: on.path('a'), offset: 2501, limit: 1500 }, () => undefined);
  await on.agent('S').call('Read', { file_path: on.path('a'), offset: 4001 }, () => undefined);
  expect(await lines()).toBeNull();
  expect((await ask(on, ...write(['mine']))).decision).toBe('allow');
});

test.each([
  ['not measured', { measuredFiles: 0 }],
  ['measured', {}],
])('[FRE3c] it is so after a restart, and where changes are %s', async (_, settings) => {
  const on = await stage({ files: { a: TEXT }, open: { settings: { ...QUIET.settings, ...settings } } });
  await on.agent('S').readFile('a');
  const now = save(on, 50, 1, 'human');
  await on.reopen();
  expect((await on.workspace.stale('S'))[0]).toMatchObject({
    state: 'stale',
    now: {
      lines: [
        { from: 1, to: 49 },
        { from: 51, to: 100 },
      ],
    },
  });
  await show(on, 1, 5);
  await on.reopen();
  expect((await ask(on, ...write(OLD_VIEW))).decision).toBe('deny');
  await on.agent('S').readFile('a');
  expect((await ask(on, ...write(now.with(2, 'mine')))).decision).toBe('allow');
});

test('[FRE3c] what a rejection took back was not seen', async () => {
  const on = await stage({ files: { a: TEXT }, open: QUIET });
  await on.agent('S').readFile('a');
  await on.agent('T').readFile('a');
  await on.agent('T').edit('a', 'line 50\n', 'theirs\n');
  await on.agent('S').readFile('a');
  const rejected = await on.workspace.reject({ all: true });
  expect(rejected.ok).toBe(true);
  await show(on, 1, 5);
  expect((await ask(on, ...write(LINES.with(49, 'theirs')))).decision).toBe('deny');
  expect((await ask(on, ...edit('line 3\n', 'mine\n'))).decision).toBe('allow');
});

test.each([
  ['CRLF', LINES.slice(0, 5).join('\r\n')],
  ['no final newline', 'one\ntwo\nthree'],
  ['an empty file', ''],
  ['one line', 'one\n'],
])('[FRE3h] no false refusal in %s', async (_, text) => {
  const on = await stage({ files: { a: text }, open: QUIET });
  const count =
    text === '' ? 0 : text.split('\n').filter((line, index, all) => index < all.length - 1 || line !== '').length;
  for (let line = 1; line <= Math.max(count, 1); line++) await show(on, line, 1);
  expect((await ask(on, 'Write', { file_path: 'a', content: `${text}more` })).decision).toBe('allow');
  expect((await ask(on, 'Write', { file_path: 'a', content: 'less' })).decision).toBe('allow');
  const append = { command: 'insert', path: 'a', insert_line: count, new_str: 'more' };
  expect((await ask(on, 'str_replace_editor', append)).decision).toBe('allow');
  expect((await ask(on, 'delete_file', { path: 'a' })).decision).toBe('allow');
});
