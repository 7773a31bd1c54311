import { parentOf, type Seq, type WorkspacePath } from '@palimpsest/core';
import type { Loan } from '../content/loan.js';
import type { Adopted } from '../look/adopted.js';
import type { Suspect } from '../look/claims.js';
import type { Rescan } from '../look/rescan.js';
import type { Tracker } from '../look/tracker.js';
import type { KnownTree } from '../store/known-tree.js';
import { isUnread } from '../store/unread.js';
import type { Watch } from '../watch/watch.js';

export type SecuringParts = {
  readonly known: KnownTree;
  readonly tracker: Tracker;
  readonly rescan: Rescan;
  readonly watch: Watch;
  readonly adopted: Adopted;
  readonly loan: Pick<Loan, 'covers'>;
  /** The latest operation of the log. */
  readonly last: () => Seq | 0;
};

/**
 * Makes sure that what a call names is known, byte for byte, before the call can run: also a file that is ignored, that
 * was not read yet, or whose content was only borrowed from git's index and never compared. After that the bytes are in
 * our store, whatever the call does to the file and to git.
 */
export class Securing {
  readonly #parts: SecuringParts;

  constructor(parts: SecuringParts) {
    this.#parts = parts;
  }

  /** `late`: a call that may have run already. */
  async secure(paths: readonly WorkspacePath[], late?: Suspect): Promise<void> {
    const { known, rescan, loan, tracker } = this.#parts;
    const unsure: WorkspacePath[] = [];
    const adopted = new Set<WorkspacePath>();
    for (const path of paths) {
      const state = known.get(path);
      if (state === null) {
        unsure.push(path);
        if (!rescan.coverage.file(path, 0).covered) adopted.add(path);
      } else if (isUnread(state)) {
        unsure.push(path);
      } else if (state.borrowed || (state.kept && (await loan.covers(state.content)))) {
        // A time that matches nothing makes the observer read and compare, and the bytes become ours.
        known.set({ ...state, mtimeMs: -1, borrowed: true });
        unsure.push(path);
      }
    }
    if (adopted.size > 0) await this.#include(adopted);
    if (unsure.length > 0) await tracker.lookAt(unsure, adopted, late);
  }

  async #include(paths: ReadonlySet<WorkspacePath>): Promise<void> {
    const { rescan, adopted, watch, last } = this.#parts;
    const folders = new Set<WorkspacePath>();
    for (const path of paths) {
      rescan.coverage.include(path);
      adopted.note(path, last());
      const folder = parentOf(path);
      if (folder !== null) folders.add(folder);
    }
    if (folders.size > 0) await watch.addFolders([...folders]);
  }
}
