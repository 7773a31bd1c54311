import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytes, latin1, sealedGit, smallText, text } from '../lines/text.fixture.js';
import { equalBytes } from '../lines/text.js';
import { formatUnified } from '../lines/unified.js';
import { applyHunks } from './hunks.js';
import type { PatchSection } from './patch-section.js';
import { parseUnifiedDiff } from './unified-diff.js';

function parse(patch: string): readonly PatchSection[] {
  return parseUnifiedDiff(patch) ?? [];
}

/** What the first file of a patch becomes; bytes and patch are texts with a character for each byte. */
function apply(patch: string, base: Uint8Array | null): string {
  const [section] = parse(patch);
  if (section?.kind === 'add') return base === null ? section.text : 'refused';
  if (section === undefined || base === null) return 'refused';
  if (section.kind === 'delete') return 'no file';
  return section.hunks === null ? 'refused' : (applyHunks(latin1(base), section.hunks, 'exact', 'strict') ?? 'refused');
}

describe('unified text', () => {
  test('[COR3a] a formatted patch parses and applies', () => {
    fc.assert(
      fc.property(smallText, smallText, fc.nat(4), (a, b, context) => {
        const patch = formatUnified({ path: 'f', bytes: a }, { path: 'f', bytes: b }, context);
        if (equalBytes(a, b)) expect(patch.length).toBe(0);
        else expect(apply(latin1(patch), a)).toBe(latin1(b));
      }),
      { numRuns: 1500 },
    );
  });

  test('[COR3a] a patch reads as git writes it', () => {
    const patch = formatUnified(
      { path: 'f', bytes: text('a b c d e f g h| i.') },
      { path: 'f', bytes: text('a b x d e f g h i') },
    );
    expect(latin1(patch)).toBe(
      [
        'diff --git a/f b/f',
        '--- a/f',
        '+++ b/f',
        '@@ -1,9 +1,9 @@',
        ' a\n b\n-c\n+x\n d\n e\n f\n g\n-h\r\n-i',
        '\\ No newline at end of file',
        '+h\n+i\n',
      ].join('\n'),
    );
  });

  test.each([
    ['a created file', null, 'new.txt', 'a b'],
    ['a created empty file', null, 'empty', ''],
    ['a deleted file', 'old.txt', null, 'a b.'],
    ['an edited file', 'f', 'f', 'a b c'],
    ['a renamed file', 'one', 'two', 'a b c d e f'],
    ['a name with spaces', 'my file', 'my file', 'a b'],
    ['a name with quotes, tabs and newlines', 'q"\t\n\\x', 'q"\t\n\\x', 'a b'],
    ['a name beyond ASCII', 'dé/漢', 'dé/漢', 'a b'],
  ])('[COR3a] git applies the patch of %s, and it parses back', async (_, oldPath, newPath, content) => {
    const directory = await mkdtemp(join(tmpdir(), 'palimpsest-unified-'));
    try {
      const before = oldPath === null ? null : { path: oldPath, bytes: text(content) };
      const changed = oldPath === null ? text(content) : text(`${content} more`);
      const after = newPath === null ? null : { path: newPath, bytes: changed };
      const patch = formatUnified(before, after);
      await writeFile(join(directory, 'the.patch'), patch);
      if (before !== null) {
        await mkdir(dirname(join(directory, before.path)), { recursive: true });
        await writeFile(join(directory, before.path), before.bytes);
      }
      expect((await sealedGit(['apply', 'the.patch'], directory)).code).toBe(0);
      if (after !== null) expect(new Uint8Array(await readFile(join(directory, after.path)))).toEqual(after.bytes);
      else await expect(readFile(join(directory, oldPath!))).rejects.toThrow('ENOENT');

      const [parsed] = parse(new TextDecoder().decode(patch));
      const moved = oldPath !== null && newPath !== null && oldPath !== newPath;
      expect(parsed).toMatchObject({ path: oldPath ?? newPath, ...(moved ? { moveTo: newPath } : {}) });
      expect(apply(latin1(patch), before?.bytes ?? null)).toBe(after === null ? 'no file' : latin1(after.bytes));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });

  test('[COR3b] extended headers of git are understood', () => {
    const files = parse(
      [
        'From 0123 Mon Sep 17 00:00:00 2001\nSubject: [PATCH] several\n---\n f | 2 +-\n',
        'diff --git a/run b/run\nold mode 100644\nnew mode 100755\n',
        'diff --git a/a b.txt b/c d.txt\nsimilarity index 90%\nrename from a b.txt\nrename to c d.txt\n',
        'diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n',
        'diff --git a/empty file b/empty file\nnew file mode 100755\nindex 0000000..e69de29\n',
        'diff --git a/gone b/gone\ndeleted file mode 100644\nindex 1..0\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n',
        'diff --git a/pic.png b/pic.png\nindex 1..2 100644\nBinary files a/pic.png and b/pic.png differ\n',
        'diff --git "a/\\303\\251" "b/\\303\\251"\nindex 1..2 100644\n--- "a/\\303\\251"\n+++ "b/\\303\\251"\n',
        '@@ -1,2 +1,2 @@ function f() {\n-a\n+b\n\n-- \n2.39.5\n',
      ].join(''),
    );
    const told = files.map((file) =>
      file.kind === 'update'
        ? [file.copy ? 'copy' : file.kind, file.path, file.moveTo, file.hunks?.length]
        : [file.kind, file.path],
    );
    expect(told).toEqual([
      ['update', 'run', undefined, 0],
      ['update', 'a b.txt', 'c d.txt', 0],
      ['copy', 'x', 'y', 0],
      ['add', 'empty file'],
      ['delete', 'gone'],
      ['update', 'pic.png', undefined, undefined],
      ['update', 'é', undefined, 1],
    ]);
  });

  test('[COR3b] a plain diff with dates, or without prefixes, is understood', () => {
    const files = parse(
      '--- a/f\t2026-01-01 00:00:00\n+++ b/f\t2026-01-02 00:00:00\n@@ -1 +1 @@\n-a\n+b\n--- x/f\n+++ y/f\n@@ -1 +1 @@\n-a\n+b\n',
    );
    expect(files.map(({ path }) => path)).toEqual(['f', 'y/f']);
  });

  test('[COR3b] removed and added lines that look like headers are lines', () => {
    expect(apply('--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n--- a/x\n+++ b/x\n c\n', text('-- c').slice())).toBe('refused');
    expect(apply('--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n--- a/x\n+++ b/x\n c\n', bytes('-- a/x\nc\n'))).toBe(
      '++ b/x\nc\n',
    );
  });

  const HEAD = '--- a/f\n+++ b/f\n';
  test.each([
    ['too few lines', `${HEAD}@@ -1,2 +1,2 @@\n a\n`],
    ['too many lines', `${HEAD}@@ -1,1 +1,1 @@\n a\n b\n`],
    ['more old lines than counted', `${HEAD}@@ -1,1 +1,2 @@\n a\n-b\n`],
    ['a line with no sign', `${HEAD}@@ -1,2 +1,2 @@\n a\nxb\n`],
    ['a header with no numbers', `${HEAD}@@ -x +1 @@\n a\n`],
    ['a hunk of no file', '@@ -1 +1 @@\n-a\n+b\n'],
    ['no patch at all', 'hello\n'],
    ['a cut off last line', `${HEAD}@@ -1 +1 @@\n-a\n+b`],
    ['a line after one with no newline', `${HEAD}@@ -1,1 +1,2 @@\n a\n\\ No newline at end of file\n+b\n`],
    ['a name that is not UTF-8', '--- "a/\\377"\n+++ "b/\\377"\n@@ -1 +1 @@\n-a\n+b\n'],
    ['a name with an open quote', '--- "a/f\n+++ "b/f\n@@ -1 +1 @@\n-a\n+b\n'],
    ['a mode that no file has', 'diff --git a/f b/f\nold mode 1\nnew mode 2\n'],
    ['a file of no name', 'diff --git\nold mode 100644\n'],
  ])('[COR3c] %s is refused', (_, patch) => {
    expect(parseUnifiedDiff(patch)).toBe(null);
  });
});

describe('[PAT7a] a patch whose context does not match is refused', () => {
  const patch = (hunk: string) => `--- a/f\n+++ b/f\n${hunk}`;
  const CHANGE_B = patch('@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n');
  test.each([
    ['at its place', CHANGE_B, 'a b c', 'a\nx\nc\n'],
    ['at its place although it is elsewhere too', CHANGE_B, 'a b c a b c', 'a\nx\nc\na\nb\nc\n'],
    ['at the one place it moved to', CHANGE_B, 'q q a b c', 'q\nq\na\nx\nc\n'],
    ['nowhere when the context differs', CHANGE_B, 'a b d', 'refused'],
    ['nowhere when the removed line differs', CHANGE_B, 'a B c', 'refused'],
    ['nowhere when only the terminators differ', CHANGE_B, 'a| b| c|', 'refused'],
    ['nowhere when it could be in two places', CHANGE_B, 'q a b c a b c', 'refused'],
    ['nowhere in an empty text', CHANGE_B, '', 'refused'],
  ])('[PAT7a] a hunk goes %s', (_, change, base, expected) => {
    expect(apply(change, text(base))).toBe(expected);
  });

  test('[PAT7a] after one hunk has moved, the next is looked for where it moved along', () => {
    const two = patch('@@ -1,2 +1,2 @@\n-a\n+A\n b\n@@ -4,1 +4,1 @@\n-x\n+X\n');
    expect(apply(two, text('a b c x d'))).toBe('A\nb\nc\nX\nd\n');
    expect(apply(two, text('q a b x x d'))).toBe('q\nA\nb\nx\nX\nd\n');
    expect(apply(two, text('q a b x c x'))).toBe('refused');
  });

  test('[PAT7b] text is inserted literally', () => {
    expect(apply(patch("@@ -1 +1 @@\n-a\n+$& $$ $1 $` $' \\1\n"), text('a'))).toBe("$& $$ $1 $` $' \\1\n");
  });

  test('[PAT7a] an insertion without context goes only where it is stated', () => {
    expect(apply(patch('@@ -1,0 +2 @@\n+x\n'), text('a b'))).toBe('a\nx\nb\n');
    expect(apply(patch('@@ -7,0 +8 @@\n+x\n'), text('a b'))).toBe('refused');
  });
});
