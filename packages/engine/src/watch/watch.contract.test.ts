import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asPath } from '@palimpsest/core';
import { coverageRules } from '../tree/coverage-rules.js';
import { newFolder } from '../tree/folder.fixture.js';
import { openWatch } from './directory-watch.js';
import { scanningWatch } from './scanning-watch.js';
import { ScriptedWatch } from './scripted-watch.js';
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
watchContract('scanning', () => Promise.resolve({ watch: scanningWatch('for the test'), change: () => undefined }));
watchContract('scripted', () => {
  const watch = new ScriptedWatch();
  return Promise.resolve({ watch, change: (path) => watch.hint(asPath(path)) });
});
