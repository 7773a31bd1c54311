import { parentOf, type Seq, type WorkspacePath } from '@palimpsest/core';
import type { Adopted } from './adopted.js';
import type { Capture } from './capture.js';
import type { Suspect } from './claims.js';
import type { Loan } from './content/loan.js';
import type { KnownTree } from './known-tree.js';
import type { Opening } from './opening.js';
import type { Rescan } from './rescan.js';
import { isUnread } from './unread.js';
import type { Watch } from './watch/watch.js';

/**
 * Makes sure that what a call names is known, byte for byte, before the call can run: also a file that is ignored, that
 * was not read yet, or whose content was only borrowed from git's index and never compared. After that the bytes are in
 * our store, whatever the call does to the file and to git.
 */
export class Securing {
  readonly #known: KnownTree;
  readonly #capture: Capture;
  readonly #rescan: Rescan;
  readonly #watch: Watch;
  readonly #opening: Opening;
  readonly #adopted: Adopted;
  readonly #loan: Pick<Loan, 'covers'>;
  readonly #last: () => Seq | 0;

  constructor(parts: {
    known: KnownTree;
    capture: Capture;
    rescan: Rescan;
    watch: Watch;
    opening: Opening;
    adopted: Adopted;
    loan: Pick<Loan, 'covers'>;
    /** The latest operation of the log. */
    last: () => Seq | 0;
  }) {
    this.#known = parts.known;
    this.#capture = parts.capture;
    this.#rescan = parts.rescan;
    this.#watch = parts.watch;
    this.#opening = parts.opening;
    this.#adopted = parts.adopted;
    this.#loan = parts.loan;
    this.#last = parts.last;
  }

  async secure(paths: readonly WorkspacePath[], suspects: readonly Suspect[]): Promise<void> {
    const unsure: WorkspacePath[] = [];
    const adopted = new Set<WorkspacePath>();
    for (const path of paths) {
      const state = this.#known.get(path);
      if (state === null) {
        unsure.push(path);
        if (!this.#rescan.coverage.file(path, 0).covered) adopted.add(path);
      } else if (isUnread(state)) {
        unsure.push(path);
      } else if (state.borrowed || (state.kept && (await this.#loan.covers(state.content)))) {
        // A time that matches nothing makes the observer read and compare, and the bytes become ours.
        this.#known.set({ ...state, mtimeMs: -1, borrowed: true });
        unsure.push(path);
      }
    }
    if (adopted.size > 0) await this.#include(adopted);
    const { circumstance } = this.#opening;
    if (unsure.length > 0) await this.#capture.lookAt(unsure, { suspects, circumstance }, adopted);
  }

  async #include(paths: ReadonlySet<WorkspacePath>): Promise<void> {
    const folders = new Set<WorkspacePath>();
    for (const path of paths) {
      this.#rescan.coverage.include(path);
      this.#adopted.note(path, this.#last());
      const folder = parentOf(path);
      if (folder !== null) folders.add(folder);
    }
    if (folders.size > 0) await this.#watch.addFolders([...folders]);
  }
}
