import type { WorkspacePath } from '@palimpsest/core';
import { converted } from './baseline.js';
import type { Calls } from './calls.js';
import type { Capture } from './capture.js';
import { ownBorrowed, stillBorrows } from './content/borrow.js';
import type { HeadTracker } from './head.js';
import type { Journal } from './journal.js';
import type { KnownTree } from './known-tree.js';
import type { Store } from './open-store.js';
import type { Opening } from './opening.js';
import type { SerialQueue } from './queue.js';
import type { Remarks } from './remarks.js';
import { differing, type Rescan } from './rescan.js';
import type { Tracker } from './tracker.js';

/** Files gone through between two chances for a call to come in. */
const CHUNK_FILES = 200;

export type StockParts = {
  readonly store: Store;
  readonly journal: Journal;
  readonly known: KnownTree;
  readonly rescan: Rescan;
  readonly capture: Capture;
  readonly tracker: Tracker;
  readonly calls: Calls;
  readonly queue: SerialQueue;
  readonly opening: Opening;
  readonly head: HeadTracker;
  readonly remarks: Remarks;
};

/**
 * Goes through the whole tree once after opening, a little at a time, so that no call ever waits for it. Then makes what
 * was borrowed from the user's repository our own.
 */
export class Stock {
  readonly taken: Promise<void>;
  readonly #parts: StockParts;
  readonly #stopping = new AbortController();

  constructor(parts: StockParts) {
    this.#parts = parts;
    this.taken = this.#take().catch((error: unknown) => parts.remarks.fault(error));
    void this.taken.then(() => this.#own()).catch((error: unknown) => parts.remarks.fault(error));
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #take(): Promise<void> {
    const { rescan, known, queue, opening, journal, head, store } = this.#parts;
    const borrowed = [...known.states()].filter((state) => state.borrowed);
    const [scanned, wrong] = await Promise.all([rescan.scan(), converted(store.content, borrowed)]);
    if (scanned === null) return;
    for (const path of wrong) this.#doubt(path);
    const paths = [...new Set([...differing(scanned, known), ...wrong])];
    for (let at = 0; at < paths.length; at += CHUNK_FILES) {
      if (this.#stopping.signal.aborted) return;
      await queue.run(() => this.#goThrough(paths.slice(at, at + CHUNK_FILES)));
    }
    await queue.run(async () => {
      await this.#record();
      opening.finish();
      journal.append([{ kind: 'workspace-opened', files: known.size, head: head.commit }]);
    });
    await journal.log.replaceFiles(this.#parts.capture.recorded());
    journal.log.setMeta('stock-taken', 'yes');
  }

  async #goThrough(paths: readonly WorkspacePath[]): Promise<void> {
    const { calls, capture, opening } = this.#parts;
    const suspects = calls.openPlans().map((plan) => ({ plan, outcome: 'running' as const }));
    await capture.lookAt(paths, { suspects, circumstance: opening.circumstance });
  }

  async #record(): Promise<void> {
    const { calls, tracker, opening } = this.#parts;
    await tracker.record(calls.openPlans(), [], opening.circumstance === 'offline' ? 'reconcile' : undefined);
  }

  #doubt(path: WorkspacePath): void {
    const state = this.#parts.known.get(path);
    if (state !== null) this.#parts.known.set({ ...state, mtimeMs: -1 });
  }

  async #own(): Promise<void> {
    const { store, known, remarks } = this.#parts;
    if (this.#stopping.signal.aborted || !(await stillBorrows(store.objects))) return;
    const ids = new Set([...known.states()].filter((state) => state.kept).map((state) => state.content));
    const owned = await ownBorrowed(store.objects, ids, { signal: this.#stopping.signal });
    if (owned.ok || owned.error.code === 'cancelled') return;
    remarks.add(
      owned.error.code === 'lost'
        ? `${owned.error.ids.length} contents that git had are gone from it and cannot be restored`
        : `contents are still borrowed from the user's repository: ${owned.error.code}`,
    );
  }
}
