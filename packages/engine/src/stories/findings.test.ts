import type { SessionId } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { Journal } from '../journal.js';
import type { Log } from '../log/log.js';
import { memoryLog } from '../log/memory-log.js';
import { openWorkspace } from '../open-workspace.js';
import { Views } from '../views.js';
import { describeChange, stage } from './stage.fixture.js';

/** No look comes by itself: only begins, ends and asked-for looks. */
const QUIET = { settings: { lookAfterMs: 600_000 } };

describe('attribution', () => {
  it('[CAP4] what a person wrote among the edits of two agents is nobody else’s', async () => {
    const s = await stage({ files: { a: '1\n2\n3\n4\n5\n6\n7\n' }, open: QUIET });
    const [one, two] = [s.agent('S1'), s.agent('S2')];
    await one.readFile('a');
    await two.readFile('a');
    const file_path = s.path('a');
    const first = await one.begin('Edit', { file_path, old_string: '1\n', new_string: 'one\n' });
    const second = await two.begin('Edit', { file_path, old_string: '7\n', new_string: 'seven\n' });
    s.write('a', 'one\n2\n3\nhuman\n5\n6\nseven\n');
    await one.end(first.callId, { ok: true });
    await two.end(second.callId, { ok: true });
    expect(await s.records()).toEqual(['modify a human inferred', 'modify a S2/Edit exact', 'modify a S1/Edit exact']);
  });

  it('[CAP3] two late calls whose files were found in one look get each their own', async () => {
    const s = await stage({ files: { a: 'a\n', b: 'b\n' }, open: QUIET });
    const agent = s.agent('S');
    s.write('a', 'A\n');
    s.write('b', 'B\n');
    await s.workspace.look();
    await agent.begin('Write', { file_path: s.path('a'), content: 'A\n' }, 'c1', { observe: true });
    await agent.begin('Write', { file_path: s.path('b'), content: 'B\n' }, 'c2', { observe: true });
    expect(await s.records()).toEqual(['modify a S/Write inferred', 'modify b S/Write inferred']);
  });

  it('[CAP3] a late command that may have written a file does not keep the call that did from it', async () => {
    const s = await stage({ files: { a: 'a\n' }, open: QUIET });
    const agent = s.agent('S');
    s.write('a', 'A\n');
    await s.workspace.look();
    await agent.begin('Bash', { command: 'make' }, 'c1', { observe: true });
    expect(await s.records()).toEqual(['modify a unknown(S) unknown']);
    await agent.begin('Write', { file_path: s.path('a'), content: 'A\n' }, 'c2', { observe: true });
    expect(await s.records()).toEqual(['modify a S/Write inferred']);
  });

  it('[CAP3] a beginning that comes after its end opens nothing', async () => {
    const s = await stage({ files: { a: 'a\n' }, open: QUIET });
    const agent = s.agent('S');
    await agent.end('c1', { ok: true, tool: 'Bash', input: { command: 'make' } });
    await agent.begin('Bash', { command: 'make' }, 'c1');
    s.write('a', 'human\n');
    expect(await s.records()).toEqual(['modify a human inferred']);
    expect((await s.workspace.status()).openCalls).toEqual([]);
  });

  it('[CAP13] a file made while nobody watched is not the doing of a call that was open then', async () => {
    const s = await stage({ files: { a: 'a\n' }, open: QUIET });
    await s.agent('S').begin('Bash', { command: 'make' });
    await s.close();
    s.write('new', 'human\n');
    const opened = await openWorkspace(s.root, { data: s.data, environment: process.env, ...QUIET });
    if (!opened.ok) throw new Error(opened.error.code);
    try {
      await opened.value.begin({ session: 'T', callId: 'r', tool: 'Read', input: { file_path: s.path('new') } });
      await opened.value.stockTaken();
      await opened.value.endSession('S');
      const changes = await opened.value.changes({ status: 'all' });
      expect(changes.ok && changes.value.map(describeChange)).toEqual(['create new unknown(S) unknown reconcile']);
    } finally {
      await opened.value.close();
    }
  });

  it('[CAP3] a call that was open across a restart is about the folder it was made in', async () => {
    const s = await stage({ files: { a: 'a\n', 'sub/a': 'sub\n' }, open: QUIET });
    const agent = s.agent('S');
    await agent.readFile('sub/a');
    const input = { file_path: 'a', old_string: 'sub', new_string: 'SUB' };
    const { callId, decision } = await agent.begin('Edit', input, 'c1', { cwd: s.path('sub') });
    expect(decision).toBe('allow');
    await s.reopen();
    s.write('sub/a', 'SUB\n');
    await agent.end(callId, { ok: true });
    expect(await s.records()).toEqual(['modify sub/a S/Edit exact']);
  });

  it('[CAP4] what an editor says it saved is not given to a running command, also when it says so late', async () => {
    const s = await stage({ files: { a: 'a\n' }, open: QUIET });
    const agent = s.agent('S');
    const { callId } = await agent.begin('Bash', { command: 'make' });
    s.write('a', 'human\n');
    await s.workspace.look();
    await s.workspace.note({ kind: 'saved', path: s.path('a') });
    await agent.end(callId, { ok: true });
    expect((await s.records()).filter((record) => record.includes('S/'))).toEqual([]);
  });

  it('[REV10] a commit made by a running command accepts nothing, whoever makes us look', async () => {
    const s = await stage({ files: { a: 'a\n' }, open: QUIET });
    const agent = s.agent('S');
    await agent.readFile('a');
    await agent.edit('a', 'a', 'A');
    const { callId } = await agent.begin('Bash', { command: 'git commit -qam x && sleep 100' });
    s.git('commit', '-qam', 'x');
    await s.workspace.note({ kind: 'read', session: 'T', path: s.path('a') });
    await agent.end(callId, { ok: true });
    expect((await s.workspace.status()).pending.changes).toBe(1);
  });
});

describe('freshness', () => {
  it('[FRE2] an ignored file that was read is fresh after a restart', async () => {
    const s = await stage({ files: { '.gitignore': 'node_modules\n', 'node_modules/m/i.js': 'x\n' }, open: QUIET });
    await s.agent('S').readFile('node_modules/m/i.js');
    await s.workspace.look();
    await s.reopen();
    expect((await s.workspace.stale('S')).map(({ path, state }) => [path, state])).toEqual([
      ['node_modules/m/i.js', 'fresh'],
    ]);
  });

  it('[FRE5] what a person changed during an edit of the same file is told, and not taken to be seen', async () => {
    const s = await stage({ files: { a: '1\n2\n3\n4\n5\n' }, open: QUIET });
    const agent = s.agent('S');
    await agent.readFile('a');
    const edit = { file_path: s.path('a'), old_string: '1\n', new_string: 'one\n' };
    const { callId } = await agent.begin('Edit', edit);
    s.write('a', 'one\n2\n3\n4\nhuman\n');
    const { notices } = await agent.end(callId, { ok: true });
    expect(await s.records()).toEqual(['modify a human inferred', 'modify a S/Edit exact']);
    expect(notices.map(({ kind, path }) => [kind, path])).toEqual([['changed-outside', 'a']]);
    const next = await agent.begin('Edit', { file_path: s.path('a'), old_string: '3\n', new_string: 'three\n' });
    expect(next.decision).toBe('deny');
    await agent.readFile('a');
    expect((await agent.begin('Edit', { ...edit, old_string: '3\n' })).decision).toBe('allow');
  });

  it('[FRE5] a command that changed a stale file does not make it fresh', async () => {
    const s = await stage({ files: { a: '1\n2\n3\n4\n5\n' }, open: QUIET });
    const agent = s.agent('S');
    await agent.readFile('a');
    s.write('a', '1\n2\n3\n4\nhuman\n');
    await agent.shell('echo 6 >> a');
    const { decision } = await agent.begin('Edit', { file_path: s.path('a'), old_string: '3\n', new_string: 'x\n' });
    expect(decision).toBe('deny');
  });

  it('[FRE2] a command that shows a file and then changes it leaves it fresh', async () => {
    const s = await stage({ files: { a: '1\n2\n3\n' }, open: QUIET });
    const agent = s.agent('S');
    await agent.call('Bash', { command: 'cat a && echo 4 >> a' }, () => s.shell('echo 4 >> a'), {
      output: '1\n2\n3\n',
    });
    expect((await s.workspace.stale('S')).map(({ path, state }) => [path, state])).toEqual([['a', 'fresh']]);
  });

  it('[FRE5] a file that changed while it was being read is told of', async () => {
    const s = await stage({ files: { a: '1\n' }, open: QUIET });
    const agent = s.agent('S');
    const { callId } = await agent.begin('Read', { file_path: s.path('a') });
    s.write('a', 'human\n');
    await s.workspace.look();
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
  for (const [name, call] of edits) {
    it(`[FRE4] an edit of a stale file is denied: ${name}`, async () => {
      const s = await stage({ files: { a: '1\n2\n3\n', 'dir/x': 'x\n' }, open: QUIET });
      s.link('link', 'a');
      const agent = s.agent('S');
      await agent.readFile('a');
      s.write('a', '1\nhuman\n3\n');
      for (const path of [s.path('a'), './a', 'dir/../a', 'link']) {
        const [tool, input] = call(path);
        expect((await agent.begin(tool, input)).decision, path).toBe('deny');
      }
    });
  }
});

describe('the log', () => {
  it('[SRV5] an entry stands, and is told once, when the views cannot be stored', () => {
    const log: Log = Object.create(memoryLog(), {
      saveView: {
        value: () => {
          throw new Error('no space');
        },
      },
    });
    const faults: unknown[] = [];
    const journal = new Journal(
      log,
      new Views(log),
      () => 1,
      (error) => faults.push(error),
    );
    const cut = { kind: 'context-cut', session: 'S' as SessionId } as const;
    expect(journal.append(Array.from({ length: 25_000 }, () => cut))).toHaveLength(25_000);
    expect(journal.append([cut])).toHaveLength(1);
    expect(faults).toEqual([new Error('no space')]);
  });
});

describe('exchange and forgetting', () => {
  it('[SEC6] a long input of a call is forgotten along with the bytes it was to write', async () => {
    const s = await stage({ open: QUIET });
    const secret = `${'secret '.repeat(4_000)}\n`;
    await s.agent('S').writeFile('key', secret);
    const began = s.workspace.operations(0, 100).find((operation) => operation.kind === 'call-began');
    const input =
      began?.kind === 'call-began' && began.input !== null && 'content' in began.input ? began.input.content : '';
    expect((await s.workspace.content(input)).ok).toBe(true);
    await s.workspace.forget({ what: s.path('key') });
    expect((await s.workspace.content(input)).ok).toBe(false);
  });

  it('[REC6] an imported change whose old bytes are missing is no creation, and rejecting it deletes nothing', async () => {
    const from = await stage({ files: { a: 'old\n' }, open: QUIET });
    await from.agent('S').readFile('a');
    await from.agent('S').edit('a', 'old', 'new');
    const exported = await from.workspace.exportChangeRecords('S');
    const s = await stage({ files: { a: 'new\n' }, open: QUIET });
    const texts = (exported.ok ? exported.value : []).map(({ text }) => {
      const record = { ...JSON.parse(text), file_path: s.path('a'), pre_tool_content: null, old_content: null };
      return JSON.stringify(record);
    });
    expect(await s.workspace.importChangeRecords('S', texts)).toMatchObject({ ok: true, value: { taken: 1 } });
    expect((await s.records())[0]).toMatch(/^modify a /);
    await s.workspace.reject({ all: true });
    expect(s.read('a')).toBe('new\n');
  });
});
