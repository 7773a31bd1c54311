import { trustPath, type WorkspacePath } from '@palimpsest/core';
import type { Settled } from './watch.js';

/** Gathers hints between two settles and tells listeners that there are some. */
export class HintBox {
  readonly #listeners = new Set<() => void>();
  #hints = new Set<WorkspacePath>();
  #rescan = false;

  add(paths: Iterable<string>): void {
    if (!this.#rescan) for (const path of paths) this.#hints.add(trustPath(path));
    this.#tell();
  }

  /** The hints no longer say everything. */
  askForRescan(): void {
    this.#rescan = true;
    this.#hints.clear();
    this.#tell();
  }

  take(): Settled {
    const settled: Settled = { hints: this.#rescan ? 'rescan' : this.#hints };
    this.#hints = new Set();
    this.#rescan = false;
    return settled;
  }

  onHint(listener: () => void): () => void {
    // A wrapper of its own for every call, so that one listener given twice is undone once per undo.
    const entry = () => listener();
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
