import { type FSWatcher, watch } from 'node:fs';
import { join, sep } from 'node:path';
import { type Coverage, lastName, parentFolder } from '../tree/coverage.js';
import { lstatAt } from '../tree/stat.js';
import { walkTree } from '../tree/walk.js';
import { reasonOf } from './folder-watchers.js';
import type { HintSender } from './hint-sender.js';

/** One watcher for the whole workspace, for macOS and Windows, whose kernels watch trees by themselves. */
export class RecursiveWatcher {
  readonly #coverage: Coverage;
  readonly #sender: HintSender;
  readonly #fail: (note: string) => void;
  #watcher: FSWatcher | null = null;

  constructor(coverage: Coverage, sender: HintSender, fail: (note: string) => void) {
    this.#coverage = coverage;
    this.#sender = sender;
    this.#fail = fail;
  }

  start(): void {
    try {
      this.#watcher = watch(this.#coverage.rules.root, { recursive: true });
      this.#watcher.on('change', (type, name) => this.#onEvent(type, name === null ? null : String(name)));
      this.#watcher.on('error', (error) => this.#fail(reasonOf(error)));
    } catch (error) {
      this.#fail(reasonOf(error));
    }
  }

  /** All folders are watched already; they only have to count as covered. */
  add(folders: readonly string[]): void {
    for (const folder of folders) this.#coverage.include(`${folder}/.`);
  }

  close(): void {
    this.#watcher?.close();
  }

  #onEvent(type: string, name: string | null): void {
    this.#sender.countEvent();
    if (name === null) {
      this.#sender.rescan();
      return;
    }
    const path = name.split(sep).join('/');
    const last = lastName(path);
    if (last === '.gitignore' || (last === '.git' && type === 'rename')) this.#sender.rescan();
    const inside = this.#coverage.folder(parentFolder(path)).covered;
    if (!inside || last === '.git' || this.#coverage.scratch.matches(path)) return;
    this.#sender.hint(path);
    if (type === 'rename') this.#reportBelow(path);
  }

  /** A folder that was moved in is one event, whatever it holds. */
  #reportBelow(path: string): void {
    const stats = lstatAt(join(this.#coverage.rules.root, path));
    if (typeof stats === 'string' || !stats.isDirectory()) return;
    const verdict = this.#coverage.folder(path);
    if (!verdict.covered) return;
    walkTree(this.#coverage, verdict.folder, {
      folder: () => 'on',
      file: (_folder, found) => {
        this.#sender.hint(found);
        return 'on';
      },
      leftOut: () => undefined,
    });
  }
}
