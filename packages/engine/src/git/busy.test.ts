import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { judgeByRules, rulesInside } from '../tree/ignore-rules.js';
import { UserHead } from './user-head.js';
import { findRepository } from './user-repository.js';

/** Far more than any of these takes, and far less than what backtracking would. */
const SOON_MS = 1_000;

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pal-busy-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function took(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

describe('a repository that was made to keep us busy', () => {
  beforeEach(() => {
    mkdirSync(join(root, '.git'));
    writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  });

  test('[SEC4] a config of one endless section name is read in no time', async () => {
    writeFileSync(join(root, '.git/config'), `[${' '.repeat(60_000)}\n[extensions]\n\tobjectFormat = sha256\n`);
    let format: string | undefined;
    const ms = await took(async () => {
      const found = await findRepository(root);
      format = found.ok ? found.value?.objectFormat : undefined;
    });
    expect(format).toBe('sha256');
    expect(ms).toBeLessThan(SOON_MS);
  });

  test('[SEC4] a HEAD of nothing but line ends is read in no time', async () => {
    writeFileSync(join(root, '.git/HEAD'), `${'\n'.repeat(60_000)}x`);
    const found = await findRepository(root);
    if (!found.ok || found.value === null) throw new Error('no repository');
    const repository = found.value;
    expect(await took(() => new UserHead(repository).read())).toBeLessThan(SOON_MS);
  });
});

test('[SEC4] a rule of many `**` cannot keep us busy, and the rules beside it hold', async () => {
  writeFileSync(join(root, '.gitignore'), `${'**/a/'.repeat(6)}b\n*.log\n`);
  const chain = rulesInside(root, '', null, { repository: false, ignoreFile: true });
  expect(await took(() => judgeByRules(chain, `${'a/'.repeat(60)}c`))).toBeLessThan(SOON_MS);
  expect(judgeByRules(chain, 'x.log')).toBe('ignored');
});
