import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { VERSION } from './version.js';

test('[SRV1i] the version that is told is the version of the package', () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  expect(VERSION).toBe(manifest.version);
});
