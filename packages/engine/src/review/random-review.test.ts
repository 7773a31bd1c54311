import { expect, test } from 'vitest';
import { cases } from '../../../../test/search.fixture.js';
import { MemoryWorld } from './memory-world.fixture.js';
import { noTally, playSequence } from './random-review.fixture.js';

const SEQUENCES = cases({ brief: 100, long: 2_500 });
const STEPS = 30;

test('[REV3a] whatever the order of edits and verdicts, every line is there that must be, and no other', async () => {
  const tally = noTally();
  for (let seed = 1; seed <= SEQUENCES; seed++) {
    const world = new MemoryWorld();
    await playSequence(world, seed, STEPS, tally);
    await world.close();
  }
  expect(tally.rejected).toBeGreaterThan(SEQUENCES);
  expect(tally.cascaded).toBeGreaterThan(SEQUENCES / 10);
  expect(tally.conflicts).toBeLessThan(tally.rejected);
  expect(tally.conflicts).toBeGreaterThan(SEQUENCES / 20);
  expect(tally.undone).toBeGreaterThan(SEQUENCES / 4);
}, 600_000);
