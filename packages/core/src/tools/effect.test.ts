import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ends } from '../../../../test/patience.fixture.js';
import { effectGives, effectOn, type Replacement, undoEffect } from './effect.js';
import { intentOf } from './intent.js';
import { filesOfPatch, parsePatch } from './patch.js';

const bytes = (text: string | null) => (text === null ? null : Uint8Array.from(Buffer.from(text, 'utf8')));
const text = (result: Uint8Array | null | 'unproven') =>
  result instanceof Uint8Array ? Buffer.from(result).toString('utf8') : result === null ? null : `(${result})`;
const replace = (...edits: readonly [string, string, 'all'?][]) => ({
  kind: 'replace' as const,
  edits: edits.map(([old, fresh, all]): Replacement => ({ old, new: fresh, all: all === 'all' })),
});

/** The one file effect of a call. */
function effectOf(tool: string, input: unknown, path?: string) {
  const files = intentOf(tool, input).files;
  const effect = (path === undefined ? files[0] : files.find((file) => file.path === path))?.effect;
  if (effect === null || effect === undefined) throw new Error('no effect');
  return effect;
}

describe('replacements', () => {
  const CASES: readonly (readonly [string, ReturnType<typeof replace>, string | null, string])[] = [
    ['$& and $$ are text', replace(['b', '$&$$$1']), 'abc', 'a$&$$$1c'],
    ['an ambiguous text is refused', replace(['a', 'x']), 'a a', '(unproven)'],
    ['overlapping places are ambiguous', replace(['aa', 'x']), 'aaa', '(unproven)'],
    ['all replaces all', replace(['a', 'x', 'all']), 'a a', 'x x'],
    ['a missing text is refused', replace(['z', 'x']), 'a', '(unproven)'],
    ['a missing file is refused', replace(['z', 'x']), null, '(unproven)'],
    ['an empty text makes a file', replace(['', 'x\n']), null, 'x\n'],
    ['an empty text does not overwrite', replace(['', 'x\n']), 'a', '(unproven)'],
    ['edits go in order', replace(['a', 'b'], ['b', 'c']), 'a', 'c'],
    ['one failing edit fails all', replace(['a', 'b'], ['z', 'c']), 'a', '(unproven)'],
    ['LF words find CRLF lines', replace(['a\nb', 'x\ny\nz']), 'a\r\nb\r\n', 'x\r\ny\r\nz\r\n'],
    ['new lines of a CRLF file end as it does', replace(['a', 'x\ny']), 'a\r\nb\r\n', 'x\r\ny\r\nb\r\n'],
    ['mixed line endings are taken literally first', replace(['a\nb', 'c']), 'a\nb\r\n', 'c\r\n'],
    ['non-ASCII text', replace(['é', '→😀']), 'caf\u00e9', 'caf→😀'],
  ];
  for (const [name, effect, before, after] of CASES) {
    test(`[PAT7c] ${name}`, () => expect(text(effectOn(effect, bytes(before)))).toBe(after));
  }

  test('[CAP9b] bytes that are not UTF-8 stay as they are', () => {
    const before = Uint8Array.of(0xff, 0x61, 0x80, 0x0a);
    expect(effectOn(replace(['a', 'é']), before)).toEqual(Uint8Array.of(0xff, 0xc3, 0xa9, 0x80, 0x0a));
  });
});

describe('[CAP4a] what a tool may have made of its input counts as its own', () => {
  const whole = { kind: 'replace-all-content' as const, text: 'a\nb\n' };
  const CASES: readonly (readonly [string, Parameters<typeof effectGives>[0], string, string, boolean])[] = [
    ['a whole file as given', whole, 'x\r\n', 'a\nb\n', true],
    ['a whole file with the old line endings', whole, 'x\r\n', 'a\r\nb\r\n', true],
    ['a whole file with the old byte order mark', whole, '\ufeffx\n', '\ufeffa\nb\n', true],
    ['a literal edit of a CRLF file', replace(['a', 'x\ny']), 'a\r\nb\r\n', 'x\ny\r\nb\r\n', true],
    ['a removal that takes the newline along', replace(['a', '']), 'a\nb\n', 'b\n', true],
    ['another text', whole, 'x', 'a\nb\nhuman\n', false],
    ['an edit and somebody else', replace(['a', 'x']), 'a\nb\n', 'x\nB\n', false],
  ];
  for (const [name, effect, before, after, proven] of CASES) {
    test(`[CAP4a] ${name}`, () => expect(effectGives(effect, bytes(before), bytes(after))).toBe(proven));
  }
});

describe('[CAP4a] a replacement can be taken out of a text that others changed too', () => {
  const CASES: readonly (readonly [string, ReturnType<typeof replace>, string, string])[] = [
    ['one', replace(['a - b', 'a + b']), 'human\na + b\n', 'human\na - b\n'],
    ['several, backwards', replace(['a', 'b'], ['b', 'c']), 'x c', 'x a'],
    ['new text twice', replace(['a', 'b']), 'b b', '(unproven)'],
    ['new text gone', replace(['a', 'b']), 'x', '(unproven)'],
    ['a removal', replace(['a', '']), 'x', '(unproven)'],
    ['old text that also stands elsewhere', replace(['a', 'b']), 'a b', '(unproven)'],
    ['CRLF', replace(['a\nb', 'c\nd']), 'h\r\nc\r\nd\r\n', 'h\r\na\r\nb\r\n'],
  ];
  for (const [name, effect, after, before] of CASES) {
    test(`[CAP4a] ${name}`, () => expect(text(undoEffect(effect, bytes(after)!))).toBe(before));
  }

  test('[CAP4a] undoing what was done gives what was there, or says that it cannot', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', 'é', '$&'), maxLength: 6 });
    fc.assert(
      fc.property(word, word, word, word, (head, old, fresh, tail) => {
        const before = bytes(head + old + tail)!;
        const after = effectOn(replace([old, fresh]), before);
        if (!(after instanceof Uint8Array)) return;
        const undone = undoEffect(replace([old, fresh]), after);
        if (undone !== 'unproven') expect(effectGives(replace([old, fresh]), undone, after)).toBe(true);
      }),
      // The example is one that was found: the words were read by the line endings of the wrong side.
      { numRuns: 3_000, examples: [['', 'a', '\n', '\n\r\n']] },
    );
  });
});

const patch = (...lines: readonly string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
const update = (...lines: readonly string[]) => patch('*** Update File: f', ...lines);

describe('the Begin Patch format', () => {
  const CASES: readonly (readonly [string, string, string, string])[] = [
    ['a hunk with context', update('@@', ' a', '-b', '+B', ' c'), 'a\nb\nc\n', 'a\nB\nc\n'],
    ['a hunk without @@', update('-b', '+B'), 'a\nb\n', 'a\nB\n'],
    [
      'a named context',
      update('@@ def g():', '-  x', '+  y'),
      'def f():\n  x\ndef g():\n  x\n',
      'def f():\n  x\ndef g():\n  y\n',
    ],
    [
      'stacked contexts',
      update('@@ class B', '@@ def f', '-x', '+y'),
      'class A\ndef f\nx\nclass B\ndef f\nx\n',
      'class A\ndef f\nx\nclass B\ndef f\ny\n',
    ],
    ['two hunks in order', update('@@', '-a', '+A', '@@', '-a', '+B'), 'a\na\n', 'A\nB\n'],
    ['the end of the file', update('@@', '-a', '+A', '*** End of File'), 'a\na\n', 'a\nA\n'],
    ['only additions go to the end', update('@@', '+z'), 'a\n', 'a\nz\n'],
    ['a missing last newline is added', update('@@', '-b', '+B'), 'a\nb', 'a\nB\n'],
    ['an empty line is context', update('@@', ' a', '', '-b', '+B'), 'a\n\nb\n', 'a\n\nB\n'],
    ['context that does not match', update('@@', ' x', '-b', '+B'), 'a\nb\n', '(unproven)'],
    ['context that matches but for spaces', update('@@', ' a', '-b', '+B'), 'a \nb\n', '(unproven)'],
    ['hunks out of order', update('@@', '-b', '+B', '@@', '-a', '+A'), 'a\nb\n', '(unproven)'],
    ['CRLF', update('@@', ' a', '-b', '+B'), 'a\r\nb\r\n', 'a\r\nB\r\n'],
    ['$& is text', update('@@', '-a', '+$&'), 'a\n', '$&\n'],
  ];
  for (const [name, input, before, after] of CASES) {
    test(`[PAT7c] ${name}`, () => expect(text(effectOn(effectOf('apply_patch', input), bytes(before)))).toBe(after));
  }

  test('[CAP4a] what the tool forgives still proves whose it is', () => {
    const effect = effectOf('apply_patch', update('@@', ' a', '-"b"', '+B'));
    expect(effectGives(effect, bytes('a \n\u201cb\u201d\n'), bytes('a\nB\n'))).toBe(true);
  });

  test('[PAT7d] a move is both its sides', () => {
    const input = patch('*** Update File: f', '*** Move to: g', '@@', '-a', '+b');
    expect(intentOf('apply_patch', input).files.map((file) => file.path)).toEqual(['f', 'g']);
    expect(text(effectOn(effectOf('apply_patch', input, 'f'), bytes('a\n')))).toBe(null);
    expect(effectOf('apply_patch', input, 'g')).toMatchObject({ kind: 'patch', from: 'f' });
    expect(text(effectOn(effectOf('apply_patch', input, 'g'), bytes('a\n')))).toBe('b\n');
  });

  test('[PAT7d] add, delete, and the same file twice', () => {
    const input = patch(
      '*** Add File: n',
      '+one',
      '+',
      '*** Delete File: d',
      '*** Update File: u',
      '-a',
      '+b',
      '*** Update File: u',
      '-b',
      '+c',
    );
    expect(text(effectOn(effectOf('apply_patch', input, 'n'), null))).toBe('one\n\n');
    expect(text(effectOn(effectOf('apply_patch', input, 'd'), bytes('x')))).toBe(null);
    expect(text(effectOn(effectOf('apply_patch', input, 'u'), bytes('a\n')))).toBe('c\n');
  });

  const BROKEN = [
    '*** Begin Patch',
    'x',
    patch('nonsense'),
    update('nonsense'),
    patch('*** Add File: n', 'x'),
    update(),
  ];
  for (const broken of BROKEN) {
    test(`[PAT7a] ${JSON.stringify(broken)} is no patch`, () => expect(parsePatch(broken)).toBe(null));
  }

  test('[PAT7c] a heredoc around the patch', () => {
    expect(parsePatch(`<<'EOF'\n${update('-a', '+b')}\nEOF`)).toHaveLength(1);
  });
});

describe('unified diffs', () => {
  const diff = (...lines: readonly string[]) => ['--- a/f', '+++ b/f', ...lines, ''].join('\n');
  const CASES: readonly (readonly [string, string, string, string])[] = [
    ['at its place', diff('@@ -2 +2 @@', '-a', '+b'), 'a\na\n', 'a\nb\n'],
    ['moved, where it is the only one', diff('@@ -1 +1 @@', '-b', '+B'), 'a\nb\n', 'a\nB\n'],
    ['moved, where there is a doubt', diff('@@ -1 +1 @@', '-b', '+B'), 'a\nb\nb\n', '(unproven)'],
    ['an insertion', diff('@@ -1,0 +2 @@', '+x'), 'a\nb\n', 'a\nx\nb\n'],
    ['no newline at the end', diff('@@ -1 +1 @@', '-a', '\\ No newline at end of file', '+b'), 'a', 'b\n'],
    ['context that does not match', diff('@@ -1,2 +1,2 @@', ' x', '-b', '+B'), 'a\nb\n', '(unproven)'],
  ];
  for (const [name, input, before, after] of CASES) {
    test(`[PAT7c] ${name}`, () => expect(text(effectOn(effectOf('apply_patch', input), bytes(before)))).toBe(after));
  }

  test('[PAT7d] a rename, a new and a deleted file', () => {
    const git = [
      'diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n',
      'diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+hi\n',
      'diff --git a/d b/d\ndeleted file mode 100644\n--- a/d\n+++ /dev/null\n@@ -1 +0,0 @@\n-bye\n',
    ].join('');
    const kinds = filesOfPatch(parsePatch(git) ?? []).map(({ path, effect }) => `${path} ${effect?.kind}`);
    expect(kinds).toEqual(['x move', 'y patch', 'n replace-all-content', 'd delete']);
  });
});

describe('other ways to edit', () => {
  const block = (old: string, fresh: string) => `<<<<<<< SEARCH\n${old}=======\n${fresh}>>>>>>> REPLACE`;
  const CASES: readonly (readonly [string, string, unknown, string, string])[] = [
    [
      'search blocks',
      'replace_in_file',
      { path: 'f', diff: `${block('a\n', 'A\n')}\n${block('c\n', '')}` },
      'a\nb\nc',
      'A\nb',
    ],
    ['a search block over the whole file', 'replace_in_file', { path: 'f', diff: block('', 'x\n') }, 'a\n', 'x\n'],
    [
      'insert after a line',
      'str_replace_editor',
      { command: 'insert', path: 'f', insert_line: 1, new_str: 'x' },
      'a\nb\n',
      'a\nx\nb\n',
    ],
    [
      'insert at the top',
      'str_replace_editor',
      { command: 'insert', path: 'f', insert_line: 0, new_str: 'x\n' },
      'a\n',
      'x\na\n',
    ],
    ['insert before a line', 'insert_content', { path: 'f', line: 2, content: 'x' }, 'a\nb\n', 'a\nx\nb\n'],
    ['insert at the end', 'insert_content', { path: 'f', line: 0, content: 'x' }, 'a', 'a\nx'],
    ['search and replace takes all', 'search_and_replace', { path: 'f', search: 'a', replace: 'b' }, 'a a', 'b b'],
    ['a new file by the editor', 'editor', { path: 'f', new_text: 'x' }, '', 'x'],
  ];
  for (const [name, tool, input, before, after] of CASES) {
    test(`[PAT7c] ${name}`, () => expect(text(effectOn(effectOf(tool, input), bytes(before)))).toBe(after));
  }
});

test('[PAT7e] large files take a bounded time', () => {
  const before = new Uint8Array(4_000_000).fill(0x61);
  expect(text(ends(() => effectOn(replace(['a', 'b']), before)))).toBe('(unproven)');
  const lines = bytes('line\n'.repeat(100_000))!;
  const patch = effectOf('apply_patch', update('@@', ...Array.from({ length: 200 }, () => ' line'), '-x', '+y'));
  expect(ends(() => effectGives(patch, lines, lines))).toBe(false);
});
