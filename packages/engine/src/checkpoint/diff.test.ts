import { expect, test } from 'vitest';
import { stage } from '../stories/stage.fixture.js';
import { refusal, save, value } from './checkpoint.fixture.js';

test('[CHK2a] list first: renames, binary, modes, odd names; contents of both sides by id', async () => {
  const long = Array.from({ length: 30 }, (_, n) => `line ${n}\n`).join('');
  const at = await stage({
    files: { 'a.txt': '1\n', 'move me.txt': long, 'b.sh': 'x', 'dir/ñ "q"\n.txt': 'odd', gone: 'g' },
  });
  const a = await save(at);
  at.write('a.txt', '2\n');
  at.move('move me.txt', 'moved/hère.txt');
  at.chmod('b.sh', 0o755);
  at.write('bin', Buffer.from([0, 1, 2]));
  at.write('dir/ñ "q"\n.txt', 'odder');
  at.remove('gone');
  const b = await save(at);
  const { files } = value(await at.workspace.checkpointDiff(a.id, b.id));
  expect(
    files.map(({ kind, path, fromPath }) => `${kind} ${fromPath === undefined ? '' : `${fromPath} > `}${path}`),
  ).toEqual([
    'modify a.txt',
    'modify b.sh',
    'create bin',
    'modify dir/ñ "q"\n.txt',
    'delete gone',
    'rename move me.txt > moved/hère.txt',
  ]);
  expect(files[1]).toMatchObject({ before: { mode: '100644' }, after: { mode: '100755' } });
  expect(
    files.every(({ binary }) => binary === undefined),
    'nothing is read for a list',
  ).toBe(true);
  expect(Buffer.from(value(await at.workspace.content(files[0]?.before?.content ?? ''))).toString()).toBe('1\n');
  expect(Buffer.from(value(await at.workspace.content(files[0]?.after?.content ?? ''))).toString()).toBe('2\n');
  const back = value(await at.workspace.checkpointDiff(b.id, a.id)).files;
  expect(back.find(({ kind }) => kind === 'rename')).toMatchObject({ fromPath: 'moved/hère.txt', path: 'move me.txt' });
});

test('[CHK2a] against now, by path, with lines; the workspace is not touched and nothing is saved', async () => {
  const at = await stage({ files: { 'a.txt': '1\n2\n3\n', 'd/b.txt': 'b\n', 'd/c.bin': 'c' } });
  const a = await save(at);
  at.write('a.txt', '1\ntwo\n3\n');
  at.write('d/b.txt', 'b\nmore\n');
  at.write('d/c.bin', Buffer.from([0]));
  const whole = value(await at.workspace.checkpointDiff(a.id, 'now'));
  expect(whole.files.map(({ path }) => path)).toEqual(['a.txt', 'd/b.txt', 'd/c.bin']);
  const below = value(await at.workspace.checkpointDiff(a.id, 'now', { path: 'd' })).files;
  expect(below).toMatchObject([
    { path: 'd/b.txt', binary: false, spans: [{ oldStart: 1, oldLines: 0, newStart: 2, newLines: 1 }] },
    { path: 'd/c.bin', binary: true, spans: [] },
  ]);
  expect((await at.workspace.checkpoints()).length).toBe(1);
  expect(value(await at.workspace.checkpointDiff('now', 'now')).files).toEqual([]);
  expect(value(await at.workspace.checkpointDiff(a.commit.slice(0, 10), a.id)).files).toEqual([]);
  expect(refusal(await at.workspace.checkpointDiff(a.id, 'k777'))).toMatchObject({ code: 'unknown-checkpoint' });
  expect(refusal(await at.workspace.checkpointDiff(a.id, 'now', { path: '../x' }))).toMatchObject({ code: 'outside' });
});
