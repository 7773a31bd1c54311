import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lines, reviewing } from './review.fixture.js';

test('[REV3b] [REV3c] rejecting a create deletes the file and the folders it made, not others', async () => {
  const on = await reviewing({});
  mkdirSync(on.on.path('logs'));
  const made = await on.shell('S', 'mkdir -p deep/er && echo x > deep/er/new.txt && echo y > logs/out.txt');
  await on.rejects({ session: 'S' });
  expect(made).not.toBe('');
  expect([existsSync(on.on.path('deep')), existsSync(on.on.path('logs')), on.text('logs/out.txt')]).toEqual([
    ...[false, true, null],
  ]);
  await on.undoes();
  expect([on.text('deep/er/new.txt'), on.text('logs/out.txt')]).toEqual(['x\n', 'y\n']);
});

test('[REV3b] rejecting a create that somebody built on is a conflict, and the file stays', async () => {
  const on = await reviewing({});
  const id = await on.writes('S', 'new', lines('abc'));
  await on.human('new', lines('abc1'));
  expect(await on.rejects({ changes: [id] })).toMatchObject({ rejected: [], conflicts: [id], written: [] });
  expect([on.text('new'), await on.statuses()]).toEqual([lines('abc1'), 'conflict']);
});

test('[REV3b] a create and the edits that rest on it go together', async () => {
  const on = await reviewing({});
  const id = await on.writes('S', 'new', lines('abc'));
  const later = await on.writes('T', 'new', lines('abcd'));
  expect(await on.rejects({ changes: [id] })).toMatchObject({ cascaded: [later], written: ['new'] });
  expect(on.text('new')).toBeNull();
});

test('[REV3d] rejecting a delete restores the file, mode and all', async () => {
  const on = await reviewing({ 'run.sh': '#!/bin/sh\n' });
  on.on.chmod('run.sh', 0o755);
  await on.workspace.look();
  const id = await on.shell('S', 'rm run.sh');
  await on.rejects({ changes: [id] });
  expect([on.text('run.sh'), lstatSync(on.on.path('run.sh')).mode & 0o111]).toEqual(['#!/bin/sh\n', 0o111]);
});

test('[REV3d] a delete of what the human made anew meanwhile is a conflict', async () => {
  const on = await reviewing({ a: lines('abc') });
  const id = await on.shell('S', 'rm a');
  await on.human('a', lines('xyz'));
  expect(await on.rejects({ changes: [id] })).toMatchObject({ conflicts: [id], written: [] });
  expect(on.text('a')).toBe(lines('xyz'));
});

test('[REV3e] rejecting a rename renames back and carries later edits along', async () => {
  const on = await reviewing({ 'old.txt': lines('abcdef') });
  const rename = await on.shell('S', 'mv old.txt new.txt');
  await on.human('new.txt', lines('abcdef1'));
  const edit = await on.writes('S', 'new.txt', lines('Abcdef1'));
  expect((await on.rejects({ changes: [rename] })).written.toSorted()).toEqual(['new.txt', 'old.txt']);
  expect([on.text('old.txt'), on.text('new.txt')]).toEqual([lines('Abcdef1'), null]);
  await on.rejects({ changes: [edit] });
  expect(on.text('old.txt')).toBe(lines('abcdef1'));
  await on.undoes();
  await on.undoes();
  expect([on.text('old.txt'), on.text('new.txt')]).toEqual([null, lines('Abcdef1')]);
});

test('[REV3e] a rename does not go back onto another file', async () => {
  const on = await reviewing({ 'old.txt': lines('abc') });
  const rename = await on.shell('S', 'mv old.txt new.txt');
  await on.human('old.txt', lines('mine'));
  expect(await on.rejects({ changes: [rename] })).toMatchObject({ conflicts: [rename], written: [] });
  expect([on.text('old.txt'), on.text('new.txt')]).toEqual([lines('mine'), lines('abc')]);
});

test('[REV3f] the mode goes back, and the text beside it stays', async () => {
  const on = await reviewing({ 'run.sh': lines('abc') });
  const id = await on.shell('S', 'chmod +x run.sh');
  await on.human('run.sh', lines('abcd'));
  await on.rejects({ changes: [id] });
  expect([on.text('run.sh'), lstatSync(on.on.path('run.sh')).mode & 0o111]).toEqual([lines('abcd'), 0]);
});

test('[REV3f] binary files go back as a whole, unless somebody touched them since', async () => {
  const on = await reviewing({});
  await on.human('b.bin', Uint8Array.of(0, 1, 2));
  const id = await on.shell('S', String.raw`printf '\000\001\003' > b.bin`);
  await on.rejects({ changes: [id] });
  expect([...readFileSync(on.on.path('b.bin'))]).toEqual([0, 1, 2]);
  const again = await on.shell('S', String.raw`printf '\000\001\004' > b.bin`);
  await on.human('b.bin', Uint8Array.of(0, 9));
  expect(await on.rejects({ changes: [again] })).toMatchObject({ conflicts: [again], written: [] });
  expect([...readFileSync(on.on.path('b.bin'))]).toEqual([0, 9]);
});

test('[REV3f] links go back to where they led, and files that became links to files', async () => {
  const on = await reviewing({ a: lines('abc'), b: lines('xyz') });
  on.on.link('link', 'a');
  await on.workspace.look();
  const led = await on.shell(
    'S',
    'node -e "fs.unlinkSync(process.argv[1]); fs.symlinkSync(process.argv[2], process.argv[1])" link b',
  );
  await on.rejects({ changes: [led] });
  expect(readlinkSync(on.on.path('link'))).toBe('a');
  const became = await on.shell('S', 'rm a && ln -s b a');
  await on.rejects({ changes: [became] });
  expect([lstatSync(on.on.path('a')).isFile(), on.text('a')]).toEqual([true, lines('abc')]);
});

test('[REV3g] what a shell command made goes like anything else', async () => {
  const on = await reviewing({ a: lines('abc'), b: lines('xyz') });
  await on.shell('S', "sed -i 's/b/B/' a; echo new > c; rm b");
  expect((await on.rejects({ session: 'S' })).written.toSorted()).toEqual(['a', 'b', 'c']);
  expect([on.text('a'), on.text('b'), on.text('c')]).toEqual([lines('abc'), lines('xyz'), null]);
});

test('[REV3b] an empty file that was created is deleted again', async () => {
  const on = await reviewing({});
  const id = await on.shell('S', 'touch empty');
  await on.rejects({ changes: [id] });
  expect(existsSync(on.on.path('empty'))).toBe(false);
});

test('[REV3h] what was too large to keep cannot be taken back, and that is said', async () => {
  const on = await reviewing({});
  on.on.write('big.txt', 'x'.repeat(11 * 1024 * 1024));
  await on.workspace.look();
  const id = await on.shell('S', 'echo more >> big.txt');
  expect(await on.workspace.reject({ changes: [id] })).toMatchObject({
    ...{ ok: false, error: { code: 'not-reversible', change: id, path: 'big.txt' } },
  });
  expect(await on.rejects({ all: true })).toMatchObject({ left: [{ id, why: 'not-reversible' }], written: [] });
  const small = await on.shell('S', 'echo small > small.txt');
  expect(await on.rejects({ changes: [id, small] })).toMatchObject({
    ...{ rejected: [small], left: [{ id, why: 'not-reversible' }], written: ['small.txt'] },
  });
  expect(await on.accepts({ changes: [id] })).toMatchObject({ accepted: [id] });
});
