import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { coverageRules } from '../tree/coverage-rules.js';
import { newFolder } from '../tree/folder.fixture.js';
import { openWatch } from './directory-watch.js';
import { type WatchSetUp, watchContract } from './watch.fixture.js';
import type { WatchStyle } from './watch-messages.js';

async function real(style: WatchStyle): Promise<WatchSetUp> {
  const root = newFolder();
  const watch = await openWatch({ rules: coverageRules(root), cookieFolder: newFolder(), style });
  let count = 0;
  return { watch, change: (path) => writeFileSync(join(root, path), String(count++)) };
}

watchContract('a watcher for each folder', () => real('folders'));
watchContract('one recursive watcher', () => real('recursive'));
