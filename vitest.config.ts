import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests run on the sources: `@palimpsest/protocol/light` is `packages/protocol/src/light.ts`. */
const here = fileURLToPath(new URL('.', import.meta.url));

/** What guards main does not depend on luck; runs at a desk search with new seeds each time, and print them. */
const FIXED_SEEDS = { FC_SEED: '20261115', PAL_TEST_SEED: '20261115', PAL_RANDOM_SEEDS: '1,2,3,20261115,774111098' };

/** The real agents take longest by far, one after the other: begun last, they would keep one core idle. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => moduleId.includes('/test/agents/');
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  resolve: {
    alias: [
      { find: /^@palimpsest\/(core|engine|protocol)$/, replacement: `${here}packages/$1/src/index.ts` },
      { find: /^@palimpsest\/(core|engine|protocol)\/(.+)$/, replacement: `${here}packages/$1/src/$2.ts` },
    ],
  },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    reporters: process.env.CI ? ['default', ['json', { outputFile: '.vitest/results.json' }]] : ['default'],
    setupFiles: ['test/seeds.setup.ts'],
    sequence: { sequencer: LongestFirst },
    env: process.env.CI ? { ...FIXED_SEEDS, ...chosenSeeds() } : {},
    // Many stories start processes of their own and wait for them: two at once are what a machine of two cores takes.
    maxWorkers: 2,
    // Tells what never ends from what is slow on a busy machine; see test/patience.fixture.ts.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});

function chosenSeeds(): Record<string, string> {
  const names = Object.keys(FIXED_SEEDS);
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
