import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeName, encodeName } from './names.js';
import { hashObject } from './object-id.js';
import { openObjects } from './objects.js';
import { fsck, tempFolder, testGit, userGit } from './repository.fixture.js';
import { encodeCommit, encodeTree, parseCommit, parseTree, type TreeEntry } from './trees.js';

const folder = tempFolder();
const empty = hashObject('blob', new Uint8Array());
const file = (name: string): TreeEntry => ({ mode: '100644', name, id: empty });
const names = fc
  .uint8Array({ minLength: 1, maxLength: 12 })
  .map((bytes) => decodeName(bytes.map((byte) => (byte === 0 || byte === 0x2f ? 0x61 : byte))))
  .filter((name) => name !== '.' && name !== '..' && name !== '.git');

test('[CAP9a] a name of any bytes comes back byte for byte', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      expect([...encodeName(decodeName(bytes))]).toEqual([...bytes]);
    }),
  );
});

test('[CAP9a] a name of any text comes back as it was', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => decodeName(encodeName(text)) === text));
});

test('[CHK2c] a tree that was encoded is parsed back, sorted', () => {
  fc.assert(
    fc.property(fc.uniqueArray(names, { maxLength: 20 }), (list) => {
      const entries = list.map(file);
      const parsed = parseTree(encodeTree(entries));
      expect(parsed.ok && parsed.value.map((entry) => entry.name).sort()).toEqual([...list].sort());
    }),
  );
});

test('[CHK2c] git sorts folders as if their names ended in a slash, and so do we', async () => {
  const objects = await openObjects(`${folder}/sorted.git`, { git: testGit, durability: 'lazy' });
  await objects.write('blob', new Uint8Array());
  const inner = await objects.write('tree', encodeTree([file('x')]));
  const strange = [' -> ', '-dash', 'e\u0301', '\u00e9', 'new\nline', '"q"', decodeName(Buffer.from([0xff, 0x41]))];
  const entries: TreeEntry[] = [
    file('a.b'),
    { mode: '40000', name: 'a', id: inner },
    file('a0'),
    file('a-b'),
    { mode: '100755', name: 'run', id: empty },
    { mode: '120000', name: 'link', id: empty },
    ...strange.map(file),
  ];
  const tree = await objects.write('tree', encodeTree(entries));
  const listed = userGit(folder, '--git-dir', objects.gitDir, 'ls-tree', '-z', '--name-only', tree);
  const read = await objects.read(tree);
  const parsed = read.ok && read.value !== null ? parseTree(read.value.bytes) : null;
  expect(parsed?.ok && parsed.value.map((entry) => encodeName(entry.name).toString('utf8'))).toEqual(
    listed.split('\0').filter((name) => name !== ''),
  );
  const commit = encodeCommit({
    tree,
    parents: [],
    author: 'pal <pal@localhost>',
    timeSeconds: 1_700_000_000,
    message: 'a\0b',
  });
  const first = await objects.write('commit', commit);
  const second = await objects.write(
    'commit',
    encodeCommit({ tree, parents: [first], author: 'pal <pal@localhost>', timeSeconds: 1, message: 'é' }),
  );
  expect(userGit(folder, '--git-dir', objects.gitDir, 'log', '--format=%H %an %at %s', second)).toBe(
    `${second} pal 1 é\n${first} pal 1700000000 a\ufffdb`,
  );
  expect(parseCommit(commit)).toEqual({
    ok: true,
    value: { tree, parents: [], author: 'pal <pal@localhost>', timeSeconds: 1_700_000_000, message: 'a\ufffdb\n' },
  });
  expect(fsck(objects.gitDir)).toBe('');
  await objects.close();
});

test.each(['', '.', '..', '.git', 'a/b', 'a\0'])('[SEC4f] the name %j is refused in a tree', (name) => {
  expect(() => encodeTree([file(name)])).toThrow('not a name');
});

test('[SEC4f] an author cannot smuggle header lines into a commit', () => {
  expect(() =>
    encodeCommit({ tree: empty, parents: [], author: 'x\nparent y <z>', timeSeconds: 0, message: '' }),
  ).toThrow('author');
});

test('[CHK8a] a truncated tree is malformed, wherever it is cut', () => {
  const tree = encodeTree([file('a'), file('b')]);
  for (let length = 1; length < tree.length; length++)
    if (length !== tree.length / 2) expect(parseTree(tree.subarray(0, length)).ok).toBe(false);
});
