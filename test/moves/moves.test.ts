import { describe, expect, test } from 'vitest';
import { cases, seeds } from '../search.fixture.js';
import { Ledger } from './ledger.js';
import { report } from './main.js';
import { MOVES } from './moves.js';
import { blobId } from './photograph.js';
import { play } from './play.js';

const SEEDS = seeds({ brief: [1], long: [2, 3] });
const STEPS = cases({ brief: 50, long: 100 });

// Long enough for a machine at load 20: what takes long is not what this is about.
const LIMIT_MS = 900_000;

describe('moves over the public door', () => {
  test.each(SEEDS)(
    '[CAP4f] [REV3a] [CHK3c] [FRE4a] seed %i: nothing lost, nobody misnamed',
    async (seed) => {
      const played = await play({ seed, steps: STEPS });
      expect(report(played)).toBe('');
    },
    LIMIT_MS,
  );

  test('a difference that is not recorded, or recorded twice, is noticed', () => {
    const text = (content: string) => ({ id: blobId(Buffer.from(content)), mode: '100644' as const });
    const version = (content: string) => ({ content: text(content).id, mode: '100644' as const });
    const start = { files: new Map([['a', text('1\n')]]), folders: new Set<string>() };
    const now = { files: new Map([['a', text('2\n')]]), folders: new Set<string>() };
    const change = {
      kind: 'changed',
      author: { kind: 'human' } as const,
      files: [{ path: 'a', before: version('1\n'), after: version('2\n') }],
    };
    const ledger = new Ledger(start);
    expect(ledger.complaints(now)).toHaveLength(1);
    ledger.take([{ seq: 1, ...change }]);
    expect(ledger.complaints(now)).toEqual([]);
    expect(() => ledger.take([{ seq: 2, ...change }])).toThrow('the chain of a is broken');
  });

  test('every move has a name', () => {
    expect(Object.values(MOVES).flatMap((moves) => Object.keys(moves)).length).toBeGreaterThan(150);
  });
});
