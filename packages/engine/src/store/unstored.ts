import type { WorkspacePath } from '@palimpsest/core';
import type { FileState } from '../log/log.js';
import type { KnownTree } from './known-tree.js';

/** What became known of files without a change. It is stored with the next entry of the log, whatever that is about. */
export class Unstored {
  readonly #known: KnownTree;
  readonly #isAhead: (path: WorkspacePath) => boolean;
  readonly #paths = new Set<WorkspacePath>();
  readonly #gone = new Set<WorkspacePath>();

  /** `isAhead`: what is known of the file is ahead of the log, and must not be stored before its change is. */
  constructor(known: KnownTree, isAhead: (path: WorkspacePath) => boolean) {
    this.#known = known;
    this.#isAhead = isAhead;
  }

  add(path: WorkspacePath): void {
    this.#paths.add(path);
    this.#gone.delete(path);
  }

  /** The file is none of ours any more, though nothing became of it. */
  drop(path: WorkspacePath): void {
    this.#paths.delete(path);
    this.#gone.add(path);
  }

  gone(): readonly WorkspacePath[] {
    return [...this.#gone].filter((path) => this.#known.get(path) === null);
  }

  states(): readonly FileState[] {
    return [...this.#paths].flatMap((path) => (this.#isAhead(path) ? [] : (this.#known.get(path) ?? [])));
  }

  stored(): void {
    this.#paths.clear();
    this.#gone.clear();
  }

  /** More than `limit` are left out of the next entry: the caller stores the whole table. */
  leaveOut(limit: number): 'left out' | 'few enough' {
    if (this.#paths.size <= limit) return 'few enough';
    this.stored();
    return 'left out';
  }
}
