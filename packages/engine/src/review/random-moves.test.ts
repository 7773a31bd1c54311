import { expect, test } from 'vitest';
import { cases, SEED } from '../../../../test/search.fixture.js';
import { MemoryWorld } from './memory-world.fixture.js';
import { type MoveTally, playMoves } from './random-moves.fixture.js';

const SEQUENCES = cases({ brief: 5, long: 100 });
const STEPS = 40;

/** Each of these found something once. */
const TELLING_SEEDS = [
  ...[28, 247, 304, 427, 685, 717, 734, 824, 855, 909, 939, 1040, 1147, 1269, 1404, 1427, 1693, 1755, 1787, 1860],
  ...[1886, 2089, 2185, 2270, 2309, 2456, 2606, 2721, 2779, 2790, 100212, 300183, 300195],
  ...[300313, 300484, 300641, 20261148],
];
/** These after more steps. */
const LONG_STEPS = 60;
const TELLING_LONG_SEEDS = [720639, 720655, 740280, 750018];

test('[REV3a] wherever files go, no line of a person is lost, none of a rejected change is left, and none is misnamed', async () => {
  const tally: MoveTally = new Map();
  const seeds = [...TELLING_SEEDS, ...Array.from({ length: SEQUENCES }, (_, index) => SEED + index)];
  const plays = [
    ...seeds.map((seed) => ({ seed, steps: STEPS })),
    ...TELLING_LONG_SEEDS.map((seed) => ({ seed, steps: LONG_STEPS })),
  ];
  for (const { seed, steps } of plays) {
    const world = new MemoryWorld();
    await playMoves(world, seed, steps, tally);
    await world.close();
  }
  expect(tally.get('rejected') ?? 0).toBeGreaterThan(seeds.length);
  expect(tally.get('conflicts') ?? 0).toBeLessThan(tally.get('rejected') ?? 0);
}, 600_000);
