import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { newFolder } from '../../../../test/folder.fixture.js';
import { ends } from '../../../../test/patience.fixture.js';
import { judgeByRules, rulesInside } from '../tree/ignore-rules.js';
import { withoutLineEnds } from './bounded-read.js';
import { UserHead } from './user-head.js';
import { findRepository } from './user-repository.js';

let root: string;
beforeEach(() => {
  root = newFolder();
});

describe('a repository that was made to keep us busy', () => {
  beforeEach(() => {
    mkdirSync(join(root, '.git'));
    writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  });

  /** As long as a config may be. Backtracking over it would take days, and the test would not end. */
  test('[SEC4f] a config of one endless section name is read', async () => {
    writeFileSync(join(root, '.git/config'), `[${' '.repeat(4_000_000)}\n[extensions]\n\tobjectFormat = sha256\n`);
    expect(await findRepository(root)).toMatchObject({ ok: true, value: { objectFormat: 'sha256' } });
  });

  test('[SEC4f] a HEAD of nothing but line ends is read', async () => {
    const text = `${'\n'.repeat(60_000)}x`;
    writeFileSync(join(root, '.git/HEAD'), text);
    const found = await findRepository(root);
    if (!found.ok || found.value === null) throw new Error('no repository');
    expect(new UserHead(found.value).read()).toMatchObject({ kind: 'unreadable' });
    expect(ends(() => withoutLineEnds(text.repeat(100)))).toBe(text.repeat(100));
  });
});

test('[SEC4f] a rule of many `**` cannot keep us busy, and the rules beside it hold', () => {
  writeFileSync(join(root, '.gitignore'), `${'**/a/'.repeat(8)}b\n*.log\n`);
  const chain = rulesInside(root, '', null, { repository: false, ignoreFile: true });
  expect(ends(() => judgeByRules(chain, `${'a/'.repeat(200)}c`))).toBeDefined();
  expect(judgeByRules(chain, 'x.log')).toBe('ignored');
});
