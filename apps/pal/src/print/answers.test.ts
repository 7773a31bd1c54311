import { describe, expect, test } from 'vitest';
import { beginText } from './call.js';
import { forgottenText } from './forgotten.js';
import { type OperationWords, operationText } from './operations.js';
import { plainStyle } from './plain.js';
import { staleText } from './stale.js';
import { undoText, verdictText } from './verdict.js';

const style = plainStyle();
const nothing = { paths: ['a.txt'], already: [], cascaded: [], conflicts: [], left: [], written: [], deleted: [] };
const many = Array.from({ length: 1113 }, (_, index) => `c4.${index + 1}`);

describe('verdicts', () => {
  test('[INT3b] what was removed is not said to be written', () => {
    const answer = { ...nothing, written: ['a.txt', 'f/a', 'f/b'], deleted: ['f/a', 'f/b'] };
    expect(verdictText('rejected', ['c5.1'], answer, 'done', style)).toBe(
      'rejected  c5.1 in a.txt\nwritten  a.txt\nremoved  f/a f/b\n`pal undo` takes this back',
    );
    expect(verdictText('rejected', ['c5.1'], answer, 'dry-run', style)).toBe(
      'would be rejected  c5.1 in a.txt\nwould write  a.txt\nwould remove  f/a f/b',
    );
  });

  test('[REV2b] what was so before is not said to be decided, and no undo of it is promised', () => {
    const again = { ...nothing, already: ['c5.1'] };
    expect(verdictText('accepted', ['c5.1'], again, 'done', style)).toBe(
      'nothing accepted: c5.1 in a.txt was accepted before',
    );
    expect(verdictText('accepted', ['c5.1', 'c6.1'], again, 'done', style)).toBe(
      'accepted  c6.1 in a.txt\naccepted before  c5.1\n`pal undo` takes this back',
    );
  });

  test('[REV2d] a hunk that keeps the other verdict is named', () => {
    const part = { ...nothing, left: [{ id: 'c5.1.1', why: 'rejected-before' }] };
    expect(verdictText('accepted', ['c5.1.2'], part, 'done', style)).toBe(
      'accepted  c5.1.2 in a.txt\nleft as it is  c5.1.1: rejected before; name it to have it back\n`pal undo` takes this back',
    );
  });

  test('[REV9e] undo and redo say what was decided about what, and when', () => {
    const at = new Date(style.now - 180_000).toISOString();
    const decision = { seq: 7, kind: 'decided', verdict: 'reject', ids: ['c5.1'], paths: ['a.txt'], at } as const;
    const answer = { ...nothing, kind: 'decided', operation: 9, passedOver: [], decision: { ...decision } } as const;
    const said = (changed: object) =>
      undoText('undone', { ...answer, decision: { ...answer.decision, ...changed } } as never, 'done', style);
    expect(said({})).toBe('undone: the rejection of c5.1 in a.txt, 3 min ago (operation 7)');
    expect(said({ verdict: 'accept', ids: many, paths: many })).toBe(
      'undone: the acceptance of c4.1 c4.2 c4.3 and 1110 more in c4.1, c4.2, c4.3 and 1110 more, 3 min ago (operation 7)',
    );
    expect(said({ kind: 'restored', ids: [], checkpoint: 'k3' })).toBe(
      'undone: the restore of k3 in a.txt, 3 min ago (operation 7)',
    );
    expect(undoText('redone', { ...answer, decision: null } as never, 'dry-run', style)).toBe(
      'would be redone: operation 9',
    );
  });

  test('[INT3b] of a thousand names some are shown and the others counted', () => {
    const text = verdictText('rejected', many, { ...nothing, written: many }, 'done', style);
    expect(text).toContain('c4.20 … and 1093 more\n');
    expect(text.length).toBeLessThan(500);
  });

  test('[INT3b] one reason for many is said once', () => {
    const left = many.map((id) => ({ id, why: 'not-reversible' }));
    const lines = verdictText('rejected', [], { ...nothing, left }, 'done', style).split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/^left as it is {2}c4\.1 .* … and 1093 more: what was there before was not kept/);
  });
});

test('[INT3b] a warning that is a notice as well is said once', () => {
  const text = 'a.txt has changed since you last saw it.';
  const other = { kind: 'rejected', text: 'b.txt was rejected' };
  const answer = { decision: 'warn' as const, reason: text, notices: [{ kind: 'changed-outside', text }, other] };
  expect(beginText(answer)).toBe(`allowed, with a warning\n${text}\nnotice: b.txt was rejected`);
});

test('[INT3b] what there is none of is not forgotten', () => {
  const what = { contents: ['a'], calls: 0, texts: 0, onDisk: [], alsoIn: [], inGit: [] };
  expect(forgottenText(what, 'done')).toBe('forgotten: 1 content');
});

test('[INT3b] of a stale file those lines are listed that were seen as they are', () => {
  const content = '8b2034dd771e26f49fb7300df97c17840651afed';
  const seen = { content, at: '2026-01-01T00:00:00.000Z' };
  const file = { session: 's', path: 'a', visible: true, seen };
  const rows = staleText(
    [
      {
        ...file,
        state: 'stale',
        now: {
          content,
          lines: [
            [1, 49],
            [51, 51],
          ],
        },
      },
      { ...file, state: 'stale', now: { content, lines: [] } },
      { ...file, state: 'missing', seen: { ...seen, lines: [[2, 3]] }, now: null },
    ],
    { ...style, now: Date.parse(seen.at) },
  ).split('\n');
  expect(rows.slice(1).map((row) => row.split(/ {2,}/)[2])).toEqual(['1–49, 51', 'none', '2–3']);
});

describe('the log', () => {
  const said = (operation: Omit<OperationWords, 'seq' | 'at'> & { readonly kind: string }) =>
    operationText({ seq: 9, at: 0, ...operation }, style)
      .slice('     9  00:00:00  '.length)
      .replace(/ {2,}/g, '  ');
  const agent = { kind: 'agent', agent: 'claude', tool: 'Bash' };
  test.each([
    [{ kind: 'undone', target: 10 }, 'undone  operation 10'],
    [{ kind: 'decided', verdict: 'reject', changes: ['c1.1'] }, 'decided  reject c1.1'],
    [{ kind: 'decided', verdict: 'accept', hunks: ['c1.1.1', 'c1.1.2'] }, 'decided  accept c1.1.1, c1.1.2'],
    [{ kind: 'decided', verdict: 'reject', conflicts: [{ change: 'c1.1' }] }, 'decided  reject c1.1: in conflict'],
    [
      { kind: 'attributed', by: 'person', changes: [{ id: 'c8.1' }], author: agent },
      'attributed  c8.1 to claude · Bash, as a person said',
    ],
    [{ kind: 'resolved', change: 'c4.1', take: 'theirs' }, 'resolved  c4.1, theirs taken'],
    [
      { kind: 'restored', checkpoint: 'k2', rescue: 'k13', way: 'keep-mine', files: [{}, {}] },
      'restored  k2 around people’s edits, 2 files; how it was before is k13',
    ],
    [{ kind: 'forgotten', contents: ['x'], path: '.env' }, 'forgotten  1 content of .env'],
  ])('[INT3b] %j', (operation, text) => expect(said(operation)).toBe(text));
});
