import { expect, test } from 'vitest';
import { MemoryWorld } from './memory-world.fixture.js';
import { noTally, playSequence } from './random-review.fixture.js';

/** More on demand: PAL_REVIEW_SEQUENCES=50000, from PAL_REVIEW_SEED on. */
const SEQUENCES = Number(process.env.PAL_REVIEW_SEQUENCES ?? 2_500);
const FIRST_SEED = Number(process.env.PAL_REVIEW_SEED ?? 1);
const STEPS = 30;

test('[REV3] whatever the order of edits and verdicts, every line is there that must be, and no other', async () => {
  const tally = noTally();
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEQUENCES; seed++) {
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
