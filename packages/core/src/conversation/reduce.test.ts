import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asSeq } from '../ids.js';
import type { Message } from '../message.js';
import { effectiveHistory, historyTokens } from './effective-history.js';
import { agentsItems, anyItems, assistant, items, result, user } from './history.fixture.js';
import { rulesBroken } from './pairing.js';
import {
  condensed,
  forcedReduction,
  halvedResult,
  planCondensing,
  type Reduced,
  type ReduceRequest,
  reduceHistory,
} from './reduce.js';

const histories = fc.oneof(anyItems, agentsItems);

function check(request: ReduceRequest, reduced: Reduced): void {
  const before = historyTokens(effectiveHistory(request.items, request.reductions));
  expect(reduced.before).toBe(before);
  if (reduced.outcome !== 'reduced') return;
  expect(reduced.after).toBeLessThan(before);
  const effective = effectiveHistory(request.items, reduced.reductions);
  expect(historyTokens(effective)).toBe(reduced.after);
  expect(reduced.fits).toBe(reduced.after <= request.budget);
  expect(rulesBroken(effective.messages.map(({ message }) => message))).toEqual([]);
  // Everything is back when the reductions are.
  expect(historyTokens(effectiveHistory(request.items, request.reductions))).toBe(before);
}

describe('reducing', () => {
  test('[CON3h] it gets smaller, keeps the rules, and can be undone; or it says that it cannot', () => {
    fc.assert(
      fc.property(histories, fc.nat(8000), (history, budget) => {
        const request = { items: history, reductions: [], budget };
        const reduced = reduceHistory(request);
        check(request, reduced);
        if (reduced.outcome === 'fits') expect(reduced.before).toBeLessThanOrEqual(budget);
        else expect(reduced.before).toBeGreaterThan(budget);
      }),
      { numRuns: 300 },
    );
  });

  test('[CON3h] reducing what was reduced goes on from there, and never brings anything back', () => {
    fc.assert(
      fc.property(agentsItems, fc.nat(4000), fc.nat(4000), (history, one, two) => {
        const [more, less] = [Math.max(one, two), Math.min(one, two)];
        const first = reduceHistory({ items: history, reductions: [], budget: more });
        const reductions = first.outcome === 'reduced' ? first.reductions : [];
        check(
          { items: history, reductions, budget: less },
          reduceHistory({ items: history, reductions, budget: less }),
        );
      }),
      { numRuns: 100 },
    );
  });

  const read = (call: string, path: string, lines?: [number, number]): Message => ({
    role: 'assistant',
    blocks: [
      {
        type: 'tool-call',
        call,
        tool: 'Read',
        input: { file_path: path, ...(lines === undefined ? {} : { offset: lines[0], limit: lines[1] }) },
      },
    ],
  });

  test('[CON3i] a read that was read again goes first, and nothing else when that is enough', () => {
    const history = items(
      ...[user('task'), read('c1', 'a.ts'), result('c1', 'old '.repeat(500)), assistant('b', 'c2')],
      ...[result('c2', 'kept '.repeat(100)), read('c3', 'a.ts'), result('c3', 'new '.repeat(500)), user('go')],
    );
    const all = historyTokens(effectiveHistory(history, []));
    const reduced = reduceHistory({ items: history, reductions: [], budget: all - 200 });
    expect(reduced).toMatchObject({
      outcome: 'reduced',
      fits: true,
      reductions: [{ type: 'superseded', message: 3, call: 'c1', by: 7 }],
    });
  });

  test('[CON3i] a read of another part, or one that failed, supersedes nothing', () => {
    const part = items(
      ...[user('task'), read('c1', 'a.ts'), result('c1', 'x'.repeat(90)), read('c2', 'a.ts', [5, 10])],
      ...[result('c2', 'y'), user('go')],
    );
    const failed = items(
      ...[user('task'), read('c1', 'a.ts'), result('c1', 'x'.repeat(90)), read('c2', 'a.ts')],
      { role: 'user' as const, blocks: [{ type: 'tool-result', call: 'c2', text: 'no', outcome: 'failed' }] },
      user('go'),
    );
    for (const history of [part, failed]) {
      const reduced = reduceHistory({ items: history, reductions: [], budget: 5 });
      expect(JSON.stringify(reduced)).not.toContain('superseded');
    }
  });

  test('[CON3j] then the largest results are shortened, and last whole groups are hidden, oldest first', () => {
    const history = items(
      ...[user('task'), assistant('a', 'c1'), result('c1', 'a'.repeat(20_000)), assistant('b', 'c2')],
      ...[result('c2', 'b'.repeat(600)), assistant('c', 'c3'), result('c3', 'c'.repeat(600)), user('go')],
    );
    const to = (budget: number) => reduceHistory({ items: history, reductions: [], budget });
    expect(to(4000)).toMatchObject({ fits: true, reductions: [{ type: 'shrunk', message: 3, chars: 8000 }] });
    expect(to(500)).toMatchObject({
      fits: true,
      reductions: [{ type: 'shrunk' }, { type: 'hidden', messages: [2, 3] }],
    });
    expect(reduceHistory({ items: items(user('task')), reductions: [], budget: 1 })).toMatchObject({
      outcome: 'cannotReduce',
    });
  });

  test('[CON4b] forced, the newest three quarters stay', () => {
    const texts = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? user(`u${n}`) : assistant(`a${n}`)));
    const request = { items: items(...texts), reductions: [], budget: 0 };
    const forced = forcedReduction(request);
    check(request, forced);
    const left = effectiveHistory(request.items, forced.outcome === 'reduced' ? forced.reductions : []).messages;
    expect(left.flatMap(({ from }) => from)).toEqual([1, ...Array.from({ length: 15 }, (_, n) => n + 6)]);
    fc.assert(
      fc.property(histories, (history) => {
        const asked = { items: history, reductions: [], budget: 0 };
        check(asked, forcedReduction(asked));
      }),
    );
  });

  test('[CON4g] as a last resort the largest result is halved, again and again, that of the last message too', () => {
    fc.assert(
      fc.property(histories, (history) => {
        let asked: ReduceRequest = { items: history, reductions: [], budget: 0 };
        for (let round = 0; round < 200; round++) {
          const halved = halvedResult(asked);
          check(asked, halved);
          if (halved.outcome !== 'reduced') return;
          asked = { ...asked, reductions: halved.reductions };
        }
        throw new Error('it never ends');
      }),
      { numRuns: 50 },
    );
  });

  test('[CON4a] a summary is made of what came since the last one, and calls stay with their results', () => {
    fc.assert(
      fc.property(agentsItems, (history) => {
        const plan = planCondensing({ items: history, reductions: [] });
        if (plan === null) return;
        const summary = { seq: asSeq(history.length + 1), message: user('in short'), summary: true };
        const request = { items: history, reductions: [], budget: 0 };
        const once = condensed(request, plan.upTo, summary);
        if (once.outcome !== 'reduced') return;
        check({ ...request, items: [...history, summary] }, once);
        const more = [...history, summary, { seq: asSeq(history.length + 2), message: assistant('more') }];
        const again = planCondensing({ items: more, reductions: once.reductions });
        // The last summary is part of what the next one is made of, and what it stands for is not.
        if (again !== null) expect(JSON.stringify(again.messages)).toContain('in short');
        expect(again === null || again.upTo > plan.upTo).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
