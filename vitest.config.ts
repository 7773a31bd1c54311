import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests run on the sources: `@palimpsest/protocol/light` is `packages/protocol/src/light.ts`. */
const here = fileURLToPath(new URL('.', import.meta.url));

const TESTS = ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'test/**/*.test.ts'];
/** What `npm test` leaves to `npm run test:all`: programs that are installed from npm first, and take minutes. */
const LONG = [
  'test/acp/real-agents.test.ts',
  'test/agents/agents.test.ts',
  'test/mcp/real-clients.test.ts',
  'test/mcp/real-hooks.test.ts',
  'test/package/package.test.ts',
  'test/page/browser.test.ts',
  'test/cli/review-terminal.test.ts',
];

/**
 * `npm test`, and whatever guards main, does not depend on luck; a long search at a desk starts somewhere else each time.
 * Workers inherit it, and Vitest evaluates this file once for each project: only the first time chooses.
 */
const FIXED_SEED = '20261115';
if (process.env.PAL_SEED === undefined) {
  const anywhere = process.env.PAL_SEARCH !== undefined && !process.env.CI;
  process.env.PAL_SEED = anywhere ? String(Date.now() % 1_000_000_007) : FIXED_SEED;
  if (anywhere) process.stdout.write(`PAL_SEED=${process.env.PAL_SEED}\n`);
}

/** The longest of the others. */
const SLOW =
  /(loan|killed|predict-fuzz|test\/daemon\/crash|test\/cli\/(attribution|demo|forget|review|text))\.test\.ts$/;

/** Started last, one of these would keep the other cores idle. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ project, moduleId }: TestSpecification) => project.name === 'long' || SLOW.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Threads run compiled code. The bundle's start in half the time of those that `tsc` leaves, and are what is shipped. */
const BUNDLED_THREADS = {
  name: 'bundled-threads',
  transform: (code: string) =>
    code.replace(/'..\/..\/dist\/(watch|tree)\/(\w+-worker\.js)'/, `'${here}apps/pal/bundle/engine/dist/$1/$2'`),
};

export default defineConfig({
  plugins: [BUNDLED_THREADS],
  resolve: {
    alias: [
      { find: /^@palimpsest\/(core|engine|protocol)$/, replacement: `${here}packages/$1/src/index.ts` },
      { find: /^@palimpsest\/(core|engine|protocol)\/(.+)$/, replacement: `${here}packages/$1/src/$2.ts` },
    ],
  },
  test: {
    projects: [
      { extends: true, test: { name: 'quick', include: TESTS, exclude: LONG } },
      { extends: true, test: { name: 'long', include: LONG } },
    ],
    reporters: process.env.CI ? ['default', ['json', { outputFile: '.vitest/results.json' }]] : ['default'],
    setupFiles: ['test/every-file.setup.ts'],
    sequence: { sequencer: LongestFirst },
    // Files share what a worker has loaded: no module of ours keeps state, and no test changes the process it runs in.
    isolate: false,
    // For a machine of two cores: half of the time a story waits for processes of its own, for the disk or for a watcher.
    maxWorkers: 3,
    // Tells what never ends from what is slow on a busy machine; see test/patience.fixture.ts.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
