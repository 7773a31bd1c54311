import type { WorkspacePath } from '@palimpsest/core';
import type { Settled, Watch, WatchMode } from '../watch/watch.js';

/** A watch that also knows whether anything was hinted since it was last settled. */
export class QuietWatch implements Watch {
  readonly #watch: Watch;
  #hints = 0;
  #settled = 0;
  readonly #unhint: () => void;

  constructor(watch: Watch) {
    this.#watch = watch;
    this.#unhint = watch.onHint(() => {
      this.#hints += 1;
    });
  }

  get quiet(): boolean {
    return this.#hints === this.#settled;
  }

  get mode(): WatchMode {
    return this.#watch.mode;
  }

  get note(): string | null {
    return this.#watch.note;
  }

  async settle(): Promise<Settled> {
    const settled = await this.#watch.settle();
    this.#settled = this.#hints;
    return settled;
  }

  onHint(listener: () => void): () => void {
    return this.#watch.onHint(listener);
  }

  addFolders(folders: readonly WorkspacePath[]): Promise<void> {
    return this.#watch.addFolders(folders);
  }

  async close(): Promise<void> {
    this.#unhint();
    await this.#watch.close();
  }
}
