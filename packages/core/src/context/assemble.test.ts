import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases, SEED } from '../../../../test/search.fixture.js';
import { CONSERVATIVE_SCALE, textTokens } from '../conversation/tokens.js';
import { asPath } from '../path.js';
import { contentNamed } from '../views/story.fixture.js';
import {
  type AssembledContext,
  assembleContext,
  type ContextFacts,
  type FileFact,
  SHARES,
  uncovered,
  withFound,
} from './assemble.js';
import { gatesOf, type Situation } from './gates.js';
import { termsOf } from './terms.js';

const scale = CONSERVATIVE_SCALE;
const NOTHING: ContextFacts = { notices: [], files: [], patches: [], git: null };

function gates(prompt: string, situation: Partial<Situation> = {}) {
  return gatesOf({ prompt, open: [], named: [], ledger: 'filled', failed: null, outsideEdits: false, ...situation });
}

function file(path: string, text: string, more: Partial<FileFact> = {}): FileFact {
  return { path: asPath(path), reason: 'pinned', lines: text.match(/[^\n]*\n|[^\n]+$/g) ?? [], visible: [], ...more };
}

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `this is line ${at + 1}\n`).join('');

const diffOf = (path: string, lines: number) =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,0 +1,${lines} @@\n${'+a line that is new\n'.repeat(lines)}`;

function patch(path: string, lines = 2, more = {}) {
  const summary = `changed with Edit, +${lines} −0`;
  return {
    id: 'c1.1',
    path: asPath(path),
    summary,
    status: 'pending',
    diff: diffOf(path, lines),
    isVisible: false,
    ...more,
  } as const;
}

const kinds = ({ blocks }: AssembledContext) => blocks.map(({ kind }) => kind).join(' ');

const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', ' ', '\n', '`', '漢', '🙂', 'x1', '```'), maxLength: 3_000 }),
  fc.nat(400).map(numbered),
);
const anyFile = fc.record({
  path: fc.constantFrom('a.ts', 'lib/b.ts', 'c d.ts').map(asPath),
  reason: fc.constant('pinned'),
  lines: fc.oneof(
    text.map((one) => one.match(/[^\n]*\n|[^\n]+$/g) ?? []),
    fc.constantFrom('missing', 'binary', 'too large'),
  ),
  visible: fc
    .array(
      fc
        .tuple(fc.integer({ min: 1, max: 30 }), fc.nat(5))
        .map(([from, more]) => ({ from: from * 10, to: from * 10 + more })),
      { maxLength: 2 },
    )
    .map((all) => all.sort((a, b) => a.from - b.from).filter((one, at) => at === 0 || one.from > all[at - 1]!.to)),
}) as fc.Arbitrary<FileFact>;
const anyPatch = fc
  .tuple(fc.constantFrom('a.ts', 'b.ts'), fc.nat(200), fc.boolean())
  .map(([path, lines, isVisible]) => patch(path, lines, { isVisible }));
const anyPart = fc.tuple(fc.nat(80), fc.nat(3)).map(([lines, count]) => ({
  files: Array.from({ length: count }, (_, at) => ({ path: `g${at}.ts`, added: lines, removed: 0 })),
  diff: count === 0 ? '' : diffOf('g0.ts', lines),
}));
const anyFacts = fc.record({
  notices: fc.array(fc.string({ maxLength: 200 }), { maxLength: 25 }),
  files: fc.array(anyFile, { maxLength: 6 }),
  patches: fc.array(anyPatch, { maxLength: 20 }),
  git: fc.option(fc.record({ staged: anyPart, unstaged: anyPart })),
}) as fc.Arbitrary<ContextFacts>;
const anyPrompt = fc.constantFrom(
  'thanks',
  'show the git diff',
  'why does parseLine fail?',
  'add a test',
  'review my changes',
  '看看我的改动',
);

test('[CTX5a] no budget is exceeded, in all or by a kind, whatever was gathered', () => {
  fc.assert(
    fc.property(anyPrompt, anyFacts, fc.oneof(fc.nat(60), fc.nat(20_000)), (prompt, facts, budget) => {
      const context = withFound(
        assembleContext(gates(prompt), facts, { budget, scale }),
        [{ path: asPath('z.ts'), content: contentNamed('v1'), from: 3, lines: ['found\n', 'here\n'] }],
        'the prompt names it',
        scale,
      );
      const { blocks, tokens, left } = context;
      expect(tokens).toBeLessThanOrEqual(budget);
      expect(tokens + left).toBe(budget);
      expect(blocks.reduce((sum, block) => sum + block.tokens, 0)).toBe(tokens);
      expect(textTokens(blocks.map((block) => block.text).join('\n'), scale)).toBeLessThanOrEqual(budget);
      for (const block of blocks) {
        expect(textTokens(block.text, scale)).toBeLessThanOrEqual(block.tokens);
        expect(block.reason).not.toBe('');
      }
      for (const [kind, share] of Object.entries(SHARES)) {
        const spent = blocks.filter((block) => block.kind === kind).reduce((sum, block) => sum + block.tokens, 0);
        expect(spent).toBeLessThanOrEqual(Math.floor(budget * share));
      }
    }),
    { numRuns: cases({ brief: 300, long: 5_000 }), seed: SEED },
  );
});

test('[CTX4b] a file that does not fit shows its head and its tail, and says what is left out', () => {
  const long = file('a.ts', numbered(500));
  const { blocks } = assembleContext(gates('hi'), { ...NOTHING, files: [long] }, { budget: 2_000, scale });
  const [block] = blocks;
  expect(block?.text).toMatch(/^a\.ts, lines 1-\d+ and others of 500 \(pinned\):\n```\nthis is line 1\n/);
  expect(block?.text).toMatch(/\[lines \d+-\d+ not shown\]\n[\s\S]*this is line 500\n```\n$/);
  expect(block?.lines).toHaveLength(2);
  expect(block?.lines?.[1]?.to).toBe(500);
});

test('[CTX5b] what the model has in front of it unchanged is not sent again: only the lines that it has not', () => {
  const seen = file('a.ts', numbered(20), { visible: [{ from: 1, to: 20 }] });
  const part = file('b.ts', numbered(20), { visible: [{ from: 1, to: 17 }] });
  const { blocks, omitted } = assembleContext(
    gates('hi'),
    { ...NOTHING, files: [seen, part] },
    { budget: 4_000, scale },
  );
  expect(omitted).toMatchObject([{ path: 'a.ts', why: 'the model has it in front of it, unchanged' }]);
  expect(blocks.map(({ path, lines }) => [path, lines])).toEqual([['b.ts', [{ from: 18, to: 20 }]]]);
  expect(blocks[0]?.text).toContain('[lines 1-17 not shown]\nthis is line 18\n');
});

test('[CTX4c] the summary of patches is always there; diffs come when asked for, before edits, or when they are cheap', () => {
  const small = { ...NOTHING, patches: [patch('a.ts', 2)] };
  const large = { ...NOTHING, patches: [patch('a.ts', 300)] };
  const of = (prompt: string, facts: ContextFacts) =>
    kinds(assembleContext(gates(prompt), facts, { budget: 4_000, scale }));
  expect(of('thanks!', small)).toBe('patch-summary');
  expect(of('why is it slow?', small)).toBe('patch-summary patch');
  expect(of('why is it slow?', large)).toBe('patch-summary');
  expect(of('show me the diff', large)).toBe('patch-summary patch');
  expect(of('add a test for it', large)).toBe('patch-summary patch');
});

test('[CTX4c] what the model wrote itself is not shown to it unasked, and what was rejected not at all', () => {
  const of = (prompt: string, more: object) =>
    kinds(assembleContext(gates(prompt), { ...NOTHING, patches: [patch('a.ts', 2, more)] }, { budget: 4_000, scale }));
  expect(of('why is it slow?', { isVisible: true })).toBe('patch-summary');
  expect(of('what did you change?', { isVisible: true })).toBe('patch-summary patch');
  expect(of('what did you change?', { status: 'rejected' })).toBe('patch-summary');
});

test('[CTX4d] of git the summary comes first, and the diff as far as there is room', () => {
  const part = { files: [{ path: 'a.ts', added: 300, removed: 0 }], diff: diffOf('a.ts', 300) };
  const git = { staged: part, unstaged: { files: [], diff: '' } };
  const context = assembleContext(gates('git diff please'), { ...NOTHING, git }, { budget: 1_500, scale });
  expect(kinds(context)).toBe('git-summary git-diff');
  expect(context.blocks[0]?.text).toContain('- staged: a.ts +300 −0');
  expect(context.blocks[1]?.text).toMatch(/\[\d+ more lines of this diff are left out\]/);
});

test('[CTX4a] nothing inside a block closes its fence, and no name breaks its line', () => {
  const files = [file('a.ts', 'one\n````\ntwo\n'), file('x\ny.ts', 'text\n')];
  const { blocks } = assembleContext(gates('hi'), { ...NOTHING, files }, { budget: 4_000, scale });
  expect(blocks[0]?.text).toContain('`````\none\n````\ntwo\n`````\n');
  expect(blocks[1]?.text).toMatch(/^"x\\ny\.ts", its one line/);
});

test('[CTX4e] only what stands in no text that is there is looked for', () => {
  const terms = termsOf('why does parseLine call `readAll` in reader.ts?');
  expect(terms.filter(({ kind }) => kind === 'name').map(({ text: name }) => name)).toEqual([
    'readAll',
    'parseLine',
    'reader.ts',
  ]);
  expect(uncovered(terms, ['function parseLine() {}', 'reader.ts']).map(({ text: name }) => name)).toContain('readAll');
  expect(uncovered(terms, ['parseline readall reader.ts call'])).toEqual([]);
});
