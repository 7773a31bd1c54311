import { watch } from 'node:fs';
import { join, sep } from 'node:path';
import { type Coverage, lastName, parentFolder } from '../tree/coverage.js';
import { lstatAt } from '../tree/stat.js';
import { walkTree } from '../tree/walk.js';
import { reasonOf, type Watchers } from './folder-watchers.js';
import type { HintSender } from './hint-sender.js';

/** One watcher for the whole workspace, for macOS and Windows, whose kernels watch trees by themselves. */
export function recursiveWatcher(coverage: Coverage, sender: HintSender, fail: (note: string) => void): Watchers {
  const { root } = coverage.rules;

  const onEvent = (type: string, name: string | null): void => {
    sender.countEvent();
    if (name === null) {
      sender.rescan();
      return;
    }
    const path = name.split(sep).join('/');
    const last = lastName(path);
    if (last === '.gitignore' || (last === '.git' && type === 'rename')) sender.rescan();
    const inside = coverage.folder(parentFolder(path)).covered;
    if (!inside || last === '.git' || coverage.scratch.matches(path)) return;
    sender.hint(path);
    if (type === 'rename') reportBelow(path);
  };

  /** A folder that was moved in is one event, whatever it holds. */
  const reportBelow = (path: string): void => {
    const stats = lstatAt(join(root, path));
    if (typeof stats === 'string' || !stats.isDirectory()) return;
    const judged = coverage.folder(path);
    if (!judged.covered) return;
    walkTree(coverage, judged.folder, {
      folder: () => 'on',
      file: (_folder, found) => {
        sender.hint(found);
        return 'on';
      },
      leftOut: () => undefined,
    });
  };

  return {
    start() {
      try {
        const watcher = watch(root, { recursive: true });
        watcher.on('change', (type, name) => onEvent(type, name === null ? null : String(name)));
        watcher.on('error', (error) => fail(reasonOf(error)));
      } catch (error) {
        fail(reasonOf(error));
      }
    },
    // All folders are watched already; they only have to count as covered.
    add(folders) {
      for (const folder of folders) coverage.include(`${folder}/.`);
    },
  };
}
