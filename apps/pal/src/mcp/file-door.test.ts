import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { newFolder } from '../folder.fixture.js';
import { digestOf, locate, readPlace, replaceFile } from './file-door.js';

let folder: string;
let root: string;

beforeEach(() => {
  folder = newFolder();
  root = join(folder, 'root');
  mkdirSync(root);
  writeFileSync(join(root, 'a'), 'one');
});

const bytes = (text: string) => Buffer.from(text);
const put = (path: string, expected: string | null, next: string) =>
  replaceFile(root, locate(root, path), digestOf(expected === null ? null : bytes(expected)), bytes(next));
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: { facts: { code: string } }) => error.facts.code,
  );

describe('where a path leads', () => {
  test.each([
    ['a', 'a'],
    ['./a', 'a'],
    ['x/../a', 'a'],
    ['new/deep/b', 'new/deep/b'],
    ['..a/b', '..a/b'],
    ['a b\n"é', 'a b\n"é'],
  ])('[SEC4] %j is %j', (written, path) => expect(locate(root, written).path).toBe(path));

  test.each(['..', '../root2/x', '/', '.', '', '.git', 'sub/.Git/config', 'out/x', 'out', 'dangling', 'a/b', 'loop'])(
    '[SEC4] %j is refused',
    (written) => {
      symlinkSync(folder, join(root, 'out'));
      symlinkSync(join(folder, 'none'), join(root, 'dangling'));
      symlinkSync('loop', join(root, 'loop'));
      expect(() => locate(root, written)).toThrow();
    },
  );

  test('[SEC4] a root with a neighbour whose name begins the same is not that neighbour', () => {
    mkdirSync(`${root}2`);
    expect(() => locate(root, `${root}2/x`)).toThrow(/outside/);
  });
});

describe('replacing', () => {
  test('[AGT2] what is there is replaced as a whole, and keeps its mode', async () => {
    chmodSync(join(root, 'a'), 0o640);
    await put('a', 'one', 'two');
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('two');
    expect(statSync(join(root, 'a')).mode & 0o777).toBe(0o640);
    expect(readdirSync(root)).toEqual(['a']);
  });

  test('[AGT2] what has changed, has appeared or has gone is left as it is', async () => {
    expect(await code(put('a', 'other', 'two'))).toBe('moved');
    expect(await code(put('a', null, 'two'))).toBe('moved');
    expect(await code(put('b', 'one', 'two'))).toBe('moved');
    expect(readdirSync(root)).toEqual(['a']);
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('one');
  });

  test('[AGT2] twice is the same as once', async () => {
    await put('a', 'one', 'two');
    expect(await code(put('a', 'one', 'two'))).toBe('done');
  });

  test('[AGT2] folders are made for a new file, and go again when it cannot be written', async () => {
    await put('x/y/b', null, 'b');
    expect(await readPlace(locate(root, 'x/y/b'))).toEqual(bytes('b'));
    const place = locate(root, 'p/q/c');
    mkdirSync(join(root, 'p'));
    await code(replaceFile(root, place, digestOf(bytes('never')), bytes('c')));
    expect(
      await code(replaceFile(root, { ...place, file: join(root, 'p', 'q', 'x'.repeat(300)) }, null, bytes('c'))),
    ).toBe('bad-path');
    expect(readdirSync(join(root, 'p'))).toEqual([]);
  });

  test('[SEC4] a folder that becomes a way out meanwhile is not followed', async () => {
    mkdirSync(join(root, 'd'));
    const place = locate(root, 'd/new');
    rmSync(join(root, 'd'), { recursive: true });
    mkdirSync(join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), join(root, 'd'));
    expect(await code(replaceFile(root, place, null, bytes('x')))).toBe('outside');
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual([]);
  });

  test('[SEC4] a folder that is exchanged for a link all the time never leads out', async () => {
    const elsewhere = join(folder, 'elsewhere');
    for (const at of [join(root, 'd'), elsewhere]) {
      mkdirSync(at);
      writeFileSync(join(at, 'a'), 'one');
    }
    symlinkSync(elsewhere, join(root, 'link'));
    const swapper = spawn(process.execPath, ['-e', SWAPPING], { cwd: root, stdio: 'ignore' });
    const ended = new Promise((resolve) => swapper.on('exit', resolve));
    const place = { ...locate(root, 'd/a'), file: join(root, 'd', 'a') };
    for (let turn = 0; swapper.exitCode === null && swapper.signalCode === null; turn++)
      await code(
        replaceFile(
          root,
          place,
          digestOf(bytes(turn % 2 === 0 ? 'one' : 'two')),
          bytes(turn % 2 === 0 ? 'two' : 'one'),
        ),
      );
    await ended;
    expect(readdirSync(elsewhere)).toEqual(['a']);
    expect(readFileSync(join(elsewhere, 'a'), 'utf8')).toBe('one');
  });
});

const SWAPPING = `
  const fs = require('node:fs');
  for (let turn = 0; turn < 20000; turn++) {
    fs.renameSync('d', 'away'); fs.renameSync('link', 'd');
    fs.renameSync('d', 'link'); fs.renameSync('away', 'd');
  }`;
