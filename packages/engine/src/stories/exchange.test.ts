import { expect, test } from 'vitest';
import { stage } from './stage.fixture.js';

test('[FRE1f] what a session saw goes out as task_metadata.json, in Roo’s and in Cline’s names, and comes in again', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n', 'b.txt': 'two\n' } });
  const agent = on.agent('S');
  await agent.readFile('a.txt');
  await agent.edit('a.txt', 'one', 'ONE');
  on.write('a.txt', 'mine\n');
  await on.workspace.look();
  const roo = on.workspace.exportTaskMetadata('S', 'roo');
  const entries = roo.ok ? (JSON.parse(roo.value.text).files_in_context as Record<string, unknown>[]) : [];
  expect(entries.map((entry) => [entry.path, entry.record_source, entry.record_state])).toEqual([
    ['a.txt', 'read_tool', 'stale'],
    ['a.txt', 'roo_edited', 'stale'],
    ['a.txt', 'user_edited', 'active'],
  ]);
  const cline = on.workspace.exportTaskMetadata('S', 'cline');
  expect(cline.ok && cline.value.text).toContain('cline_read_date');
  const imported = await on.workspace.importTaskMetadata('T', roo.ok ? roo.value.text : '');
  expect(imported).toMatchObject({ ok: true, value: { misplaced: [] } });
  expect((await on.workspace.stale('T')).map(({ path, state }) => `${path} ${state}`)).toEqual(['a.txt stale']);
  expect(await on.workspace.importTaskMetadata('T', '{"files_in_context": [')).toMatchObject({
    ok: false,
    error: { code: 'bad-input' },
  });
});

test('[REC6a] [REC6b] changes go out as one JSON file each and come in again with their bytes', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  const agent = on.agent('S');
  await agent.readFile('a.txt');
  await agent.edit('a.txt', 'one', 'ONE');
  await agent.call('Bash', { command: 'make' }, () => {
    on.write('x.txt', 'x\n');
    on.write('y.bin', Uint8Array.from([0, 255, 1]));
  });
  const files = await on.workspace.exportChangeRecords('S');
  const records = files.ok ? files.value.map(({ text }) => JSON.parse(text) as Record<string, unknown>) : [];
  expect(records.map((record) => [record.tool_call_id, record.change_type, record.tool_name])).toEqual([
    ['call-2', 'modify', 'Edit'],
    ['call-3:0', 'create', 'Bash'],
    ['call-3:1', 'create', 'Bash'],
  ]);
  expect(records[0]).toMatchObject({
    file_path: on.path('a.txt'),
    pre_tool_content: 'one\n',
    new_content: 'ONE\n',
    status: 'pending',
  });
  const other = await stage({ files: { 'a.txt': 'ONE\n' } });
  const texts = files.ok ? files.value.map(({ text }) => text.replaceAll(on.root, other.root)) : [];
  expect(await other.workspace.importChangeRecords('S', texts)).toMatchObject({
    ok: true,
    value: { taken: 3, misplaced: [] },
  });
  const changes = await other.workspace.changes({ session: 'S' });
  const after = changes.ok
    ? await Promise.all(changes.value.map((entry) => other.workspace.content(entry.file.after!.content)))
    : [];
  expect(after.map((bytes) => bytes.ok && Buffer.from(bytes.value).toString('latin1'))).toEqual([
    'ONE\n',
    'x\n',
    '\u0000\u00ff\u0001',
  ]);
  expect(other.read('x.txt')).toBeNull();
});

test('[REC6b] an imported change whose old bytes are missing is no creation, and rejecting it deletes nothing', async () => {
  const from = await stage({ files: { a: 'old\n' } });
  await from.agent('S').readFile('a');
  await from.agent('S').edit('a', 'old', 'new');
  const exported = await from.workspace.exportChangeRecords('S');
  const on = await stage({ files: { a: 'new\n' } });
  const texts = (exported.ok ? exported.value : []).map(({ text }) => {
    const record = { ...JSON.parse(text), file_path: on.path('a'), pre_tool_content: null, old_content: null };
    return JSON.stringify(record);
  });
  expect(await on.workspace.importChangeRecords('S', texts)).toMatchObject({ ok: true, value: { taken: 1 } });
  expect((await on.records())[0]).toMatch(/^modify a /);
  await on.workspace.reject({ all: true });
  expect(on.read('a')).toBe('new\n');
});
