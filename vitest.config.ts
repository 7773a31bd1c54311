import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (member: string) => fileURLToPath(new URL(`./${member}/src/index.ts`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: {
      '@palimpsest/core': source('packages/core'),
      '@palimpsest/engine': source('packages/engine'),
      '@palimpsest/protocol': source('packages/protocol'),
    },
  },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    reporters: process.env.CI ? ['default', ['json', { outputFile: '.vitest/results.json' }]] : ['default'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
