import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ends } from '../../../test/patience.fixture.js';
import { findMentions, type Mention } from './mentions.js';

/** A mention as `path`, `path:from-to` or `folder/`. */
function notation({ path, lines, folder }: Mention): string {
  if (folder === true) return path === '/' ? '/' : `${path}/`;
  return lines === undefined ? path : `${path}:${lines.from}-${lines.to}`;
}

const CASES: readonly (readonly [prompt: string, mentions: string])[] = [
  ['look at @src/app.ts please', 'src/app.ts'],
  ['@a.ts', 'a.ts'],
  ['@/abs/a.ts and @./b.ts', '/abs/a.ts | ./b.ts'],
  ['@"a b.ts" is odd', 'a b.ts'],
  ["@'a b.ts'", 'a b.ts'],
  ['@a\\ b.ts is odd', 'a b.ts'],
  ['@src/a.ts:10-40', 'src/a.ts:10-40'],
  ['@src/a.ts#L10-40', 'src/a.ts:10-40'],
  ['@src/a.ts#L10-L40', 'src/a.ts:10-40'],
  ['@src/a.ts#L7', 'src/a.ts:7-7'],
  ['@src/a.ts:7', 'src/a.ts:7-7'],
  ['@src/a.ts:7:3', 'src/a.ts:7-7'],
  ['@a.ts:40-10', 'a.ts:10-40'],
  ['@"a b.ts":3-4 and @"c d.ts#L5-6"', 'a b.ts:3-4 | c d.ts:5-6'],
  ['all of @src/ and @src/lib/.', 'src/ | src/lib/'],
  ['mail me@example.com or a.b+c@d.org', ''],
  ['npm i pkg@1.2.3 and node_modules/@types/node', ''],
  ['(see @a.ts), [@b.ts]; "@c.ts"! @d.ts? @e.ts: then @f.ts...', 'a.ts | b.ts | c.ts | d.ts | e.ts | f.ts'],
  ['@a.ts,@b.ts;@c.ts', 'a.ts | b.ts | c.ts'],
  ['@app/(group)/[id]/page.tsx', 'app/(group)/[id]/page.tsx'],
  ['ask @alice about it', 'alice'],
  ['@', ''],
  ['@ a', ''],
  ['@@a', '@a'],
  ['@https://example.com/x', ''],
  ['@Makefile @.env @..', 'Makefile | .env | ..'],
  ['@ä/ö.ts，@日本.ts。', 'ä/ö.ts | 日本.ts'],
  ['@a.ts and again @a.ts', 'a.ts'],
  ['`@a.ts` **@b.ts**', 'a.ts | b.ts'],
  ['@"unclosed', ''],
  ['@C:\\src\\a.ts', 'C:\\src\\a.ts'],
];

for (const [prompt, mentions] of CASES) {
  test(`[FRE8a] ${JSON.stringify(prompt)} mentions ${mentions === '' ? 'nothing' : mentions}`, () =>
    expect(findMentions(prompt).map(notation).join(' | ')).toBe(mentions));
}

test('[FRE8a] any quoted name comes back as it is', () => {
  const name = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => /^[^"\n:#/]+$/.test(text));
  fc.assert(
    fc.property(name, (path) => {
      expect(findMentions(`see @"${path}" now`)).toEqual([{ path }]);
    }),
  );
});

test('[FRE8a] no text makes it fail', () => {
  const text = fc.string({
    unit: fc.constantFrom('@', '"', '\\', ' ', ':', '#L', '1', '-', '/', '.', '(', ')', 'a', '\n'),
  });
  fc.assert(
    fc.property(text, (prompt) => {
      for (const { path } of findMentions(prompt)) expect(path).not.toBe('');
    }),
  );
});

test('[FRE8a] a long text takes a bounded time', () => {
  const long = ['@'.repeat(2_000_000), '@a '.repeat(50_000), '@', '('.repeat(2_000_000)].join('');
  expect(ends(() => findMentions(long))).toBeDefined();
});
