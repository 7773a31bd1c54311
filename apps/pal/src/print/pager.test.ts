import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../../../test/folder.fixture.js';
import { page } from './pager.js';

const LONG = 'line\n'.repeat(50_000);

test('[INT3g] a long text goes through the pager that was chosen, all of it', async () => {
  const file = join(newFolder(), 'seen');
  const environment = { ...process.env, PAGER: 'false', PAL_PAGER: `cat > '${file}'` };
  expect(await page(LONG, { rows: 24, environment })).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe(LONG);
});

test.each([
  ['it fits', 'short\n', { PAGER: 'cat >&2' }, 24],
  ['there is no screen', LONG, { PAGER: 'cat >&2' }, undefined],
  ['none is wanted', LONG, { PAGER: 'cat >&2', PAL_PAGER: '' }, 24],
  ['it cannot be found', LONG, { PAGER: 'no-such-pager-anywhere 2>/dev/null' }, 24],
])('[INT3g] not where %s', async (_, text, environment, rows) => {
  expect(await page(text, { rows, environment: { ...process.env, ...environment } })).toBe(false);
});

test('[INT3g] leaving the pager early is no failure', async () => {
  expect(await page(LONG, { rows: 24, environment: { ...process.env, PAGER: 'head -1 >/dev/null' } })).toBe(true);
});
