import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { newFolder } from '../../../../../test/folder.fixture.js';
import { locate, readPlace } from './workspace-file.js';

let folder: string;
let root: string;

beforeEach(() => {
  folder = newFolder();
  root = join(folder, 'root');
  mkdirSync(root);
  writeFileSync(join(root, 'a'), 'one');
});

describe('where a path leads', () => {
  test.each([
    ['a', 'a'],
    ['./a', 'a'],
    ['x/../a', 'a'],
    ['new/deep/b', 'new/deep/b'],
    ['..a/b', '..a/b'],
    ['a b\n"é', 'a b\n"é'],
  ])('[SEC4b] %j is %j', (written, path) => expect(locate(root, written).path).toBe(path));

  test.each(['..', '../root2/x', '/', '.', '', '.git', 'sub/.Git/config', 'out/x', 'out', 'dangling', 'a/b', 'loop'])(
    '[SEC4b] %j is refused',
    (written) => {
      symlinkSync(folder, join(root, 'out'));
      symlinkSync(join(folder, 'none'), join(root, 'dangling'));
      symlinkSync('loop', join(root, 'loop'));
      expect(() => locate(root, written)).toThrow();
    },
  );

  test('[SEC4b] a root with a neighbour whose name begins the same is not that neighbour', () => {
    mkdirSync(`${root}2`);
    expect(() => locate(root, `${root}2/x`)).toThrow(/outside/);
  });
});

test('[AGT2e] what is no regular file is refused, and what is not there is nothing', async () => {
  mkdirSync(join(root, 'd'));
  expect(await readPlace(locate(root, 'a'))).toEqual(Buffer.from('one'));
  expect(await readPlace(locate(root, 'none'))).toBeNull();
  await expect(readPlace(locate(root, 'd'))).rejects.toThrow(/folder/);
});
