import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Stage, stage } from './stage.fixture.js';

const idOf = (text: string) =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex');

async function put(on: Stage, path: string, expected: string | null, next: string): Promise<string> {
  const done = await on.workspace.replace(path, expected === null ? null : idOf(expected), Buffer.from(next));
  return done.ok ? 'done' : done.error.code;
}

test('[AGT2e] what is there is replaced as a whole, keeps its mode, and is the running call’s', async () => {
  const on = await stage({ files: { a: 'one\n' } });
  on.chmod('a', 0o640);
  const agent = on.agent('S');
  await agent.readFile('a');
  const changes = await agent.call('Write', { file_path: 'a', content: 'two\n' }, async () => {
    expect(await put(on, 'a', 'one\n', 'two\n')).toBe('done');
    // Doing it twice is doing it once.
    expect(await put(on, 'a', 'one\n', 'two\n')).toBe('done');
  });
  expect(changes).toEqual(['modify a S/Write exact']);
  expect([on.read('a'), statSync(on.path('a')).mode & 0o777]).toEqual(['two\n', 0o640]);
  const made = await agent.call('Write', { file_path: 'x/y/b', content: 'b\n' }, async () => {
    expect(await put(on, 'x/y/b', null, 'b\n')).toBe('done');
  });
  expect(made).toEqual(['create x/y/b S/Write exact']);
  expect(await on.records()).toHaveLength(2);
});

test('[CHK5h] what has changed, has appeared or has gone is left as it is', async () => {
  const on = await stage({ files: { a: 'one' } });
  expect(await put(on, 'a', 'other', 'two')).toBe('moved');
  expect(await put(on, 'a', null, 'two')).toBe('moved');
  expect(await put(on, 'n/b', 'one', 'two')).toBe('moved');
  expect(readdirSync(on.root).filter((name) => name !== '.git')).toEqual(['a']);
  expect(on.read('a')).toBe('one');
});

test('[SEC4b] nothing is written outside, into git’s own data, or through a link', async () => {
  const on = await stage({ files: { 'd/a': 'one' } });
  const elsewhere = join(on.folder, 'elsewhere');
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, on.path('out'));
  symlinkSync('d', on.path('in'));
  const codes = [];
  for (const path of ['../x', 'out/x', '.git/x', 'sub/.Git/x', 'in/x', './d/x', '', 'd'])
    codes.push(await put(on, path, null, 'x'));
  expect(codes).toEqual([
    ...['outside', 'outside', 'bad-path', 'not-written', 'bad-path', 'bad-path', 'bad-path', 'not-written'],
  ]);
  expect([readdirSync(elsewhere), readdirSync(on.path('d'))]).toEqual([[], ['a']]);
});

test('[SEC4d] a folder that is exchanged for a link all the time never leads out', async () => {
  const on = await stage({ files: { 'd/a': 'one' } });
  const elsewhere = join(on.folder, 'elsewhere');
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, 'a'), 'one');
  symlinkSync(elsewhere, on.path('link'));
  const swapper = spawn(process.execPath, ['-e', SWAPPING], { cwd: on.root, stdio: 'ignore' });
  const ended = new Promise((resolve) => swapper.on('exit', resolve));
  for (let turn = 0; swapper.exitCode === null && swapper.signalCode === null; turn++)
    await put(on, 'd/a', turn % 2 === 0 ? 'one' : 'two', turn % 2 === 0 ? 'two' : 'one');
  await ended;
  expect(readdirSync(elsewhere)).toEqual(['a']);
  expect(readFileSync(join(elsewhere, 'a'), 'utf8')).toBe('one');
});

const SWAPPING = `
  const fs = require('node:fs');
  for (let turn = 0; turn < 20000; turn++) {
    fs.renameSync('d', 'away'); fs.renameSync('link', 'd');
    fs.renameSync('d', 'link'); fs.renameSync('away', 'd');
  }`;

test('[CHK5f] a person who saves all the time while we write loses nothing', async () => {
  const on = await stage({ files: { a: 'start\n' } });
  const person = spawn(process.execPath, ['-e', SAVING], { cwd: on.root, stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = new Promise((resolve) => person.on('exit', resolve));
  const counts = { done: 0, moved: 0 };
  for (let turn = 0; person.exitCode === null && person.signalCode === null; turn++) {
    const before = on.read('a');
    // Between two names, or emptied to be written.
    if (before === null || before === '') {
      await setImmediate();
      continue;
    }
    const answer = await put(on, 'a', before, `${before}agent ${turn}\n`);
    expect(['done', 'moved']).toContain(answer);
    counts[answer as keyof typeof counts] += 1;
    if (answer === 'done') writeFileSync(join(on.folder, 'got-through'), '');
  }
  await ended;
  await on.workspace.look();
  const kept = [on.read('a') ?? ''];
  for (const operation of on.workspace.operations(0, 100_000)) {
    if (operation.kind !== 'changed' || operation.cause !== 'rescue') continue;
    for (const { after } of operation.files) {
      const content = after === null ? null : await on.workspace.content(after.content);
      if (content?.ok === true) kept.push(Buffer.from(content.value).toString());
    }
  }
  const all = kept.join('');
  const saves = Number(readFileSync(join(on.folder, 'saves'), 'utf8'));
  expect(saves).toBeGreaterThanOrEqual(SAVES);
  const lost = Array.from({ length: saves }, (_, save) => `human ${save}\n`).filter((line) => !all.includes(line));
  expect(lost).toEqual([]);
  expect(counts.done, JSON.stringify(counts)).toBeGreaterThan(0);
});

const SAVES = 400;
/**
 * What stands there with one more line, now as a new file in its place, now into the file itself; and more slowly after
 * that, until a write of ours got through, which on a busy machine may not happen before.
 */
const SAVING = `
  const fs = require('node:fs');
  const read = () => { try { return fs.readFileSync('a', 'utf8'); } catch { return ''; } };
  let save = 0;
  for (; save < ${SAVES} || !fs.existsSync('../got-through'); save++) {
    let text = '';
    while (text === '') text = read();
    const next = text + 'human ' + save + '\\n';
    if (save % 2 === 0) fs.writeFileSync('.tmp-save', next);
    if (read() !== text) { save -= 1; continue; }
    if (save % 2 === 0) fs.renameSync('.tmp-save', 'a');
    else fs.writeFileSync('a', next);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, save < ${SAVES} ? save % 5 : 500);
  }
  fs.writeFileSync('../saves', String(save));`;
