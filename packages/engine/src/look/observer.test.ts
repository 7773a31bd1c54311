import { statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { asPath } from '@palimpsest/core';
import { expect, test } from 'vitest';
import { memoryContent } from '../content/memory-content.fixture.js';
import { KnownTree } from '../store/known-tree.js';
import { Unstored } from '../store/unstored.js';
import { Coverage } from '../tree/coverage.js';
import { coverageRules } from '../tree/coverage-rules.js';
import { newFolder, put } from '../tree/folder.fixture.js';
import { openDisk } from '../tree/real-disk.js';
import { STAT_STEP_MS } from '../tree/stat.js';
import { Observer } from './observer.js';

test('[FRE2c] a stat that was too young when the file was read proves nothing, however long storing took', async () => {
  const root = put(newFolder(), { a: 'one' });
  const place = join(root, 'a');
  // Still to come when it is read, and past when it is stored: a clock step in slow motion.
  const mtime = Date.now() / 1000 + 2;
  utimesSync(place, mtime, mtime);
  const memory = memoryContent();
  const slow = {
    ...memory,
    putMany: async (list: readonly Uint8Array[]) => {
      await sleep(statSync(place).mtimeMs + STAT_STEP_MS * 2 - Date.now());
      return memory.putMany(list);
    },
  };
  const known = new KnownTree();
  const coverage = new Coverage(coverageRules(root, {}));
  const parts = { root, known, content: slow, disk: openDisk(root), coverage: () => coverage };
  const unstored = new Unstored(known, () => false);
  const observer = new Observer({ ...parts, unstored, cameUnwatched: () => false, isRecorded: () => false });
  await observer.look([asPath('a')]);
  expect(known.get(asPath('a'))).toMatchObject({ size: 3, mtimeMs: -1 });
});
