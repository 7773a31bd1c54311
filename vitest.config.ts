import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests run on the sources: `@palimpsest/protocol/light` is `packages/protocol/src/light.ts`. */
const here = fileURLToPath(new URL('.', import.meta.url));

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
    // Many stories wait for processes of their own; more at once than cores would only make them wait for each other.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
