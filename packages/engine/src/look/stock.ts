import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkspacePath } from '@palimpsest/core';
import type { SerialQueue } from '../basis/queue.js';
import type { Remarks } from '../basis/remarks.js';
import type { ObjectId } from '../git/object-id.js';
import type { FileState } from '../log/log.js';
import type { KnownTree } from '../store/known-tree.js';
import type { LiveLog } from '../store/live-log.js';
import { STOCK_TAKEN, type Store } from '../store/open-store.js';
import type { Unstored } from '../store/unstored.js';
import { converted } from './baseline.js';
import type { HeadTracker } from './head.js';
import { nameAll, nameOnly } from './naming.js';
import type { Opening } from './opening.js';
import type { Rescan } from './rescan.js';
import type { Tracker } from './tracker.js';

/** Files gone through between two chances for a call to come in. When one waits for all of them, fewer lots are quicker. */
const LOT_FILES = { quiet: 200, awaited: 1_000 } as const;
const COMPARED_AT_ONCE = 500;
const SMALL_FILES = 5_000;
const SMALL_BYTES = 64 * 1024 * 1024;
/** More files than this are stored with the whole table, a little at a time, and not with the next entry of the log. */
const STORED_AT_ONCE = 1_000;

export type StockParts = {
  readonly store: Store;
  readonly live: LiveLog;
  readonly known: KnownTree;
  readonly rescan: Rescan;
  readonly tracker: Tracker;
  readonly unstored: Unstored;
  readonly queue: SerialQueue;
  readonly opening: Opening;
  readonly head: HeadTracker;
  readonly remarks: Remarks;
  /** What must not be lost when borrowing ends: more than the known files, once something was changed or saved. */
  readonly needed: () => Promise<Iterable<ObjectId>>;
  /** Takes what git has lost from the disk; answers what is gone. */
  readonly mend: (ids: ReadonlySet<ObjectId>, signal: AbortSignal) => Promise<readonly ObjectId[]>;
  /** What is wanted sooner than the rest of the work in the background. */
  readonly sooner: () => Promise<unknown>;
};

/**
 * Goes through the whole tree once after opening: first all names and stats, then the bytes that nobody else holds, a
 * little at a time, so that others get their turn. Only a call that may write anything waits for it, and not for long.
 * Then makes what was borrowed from the user's repository our own.
 */
export class Stock {
  /** The tree was gone through once. */
  readonly taken: Promise<void>;
  /** Every known file was compared with the disk once, or that was stopped: those that turned out to be others. */
  readonly compared: Promise<readonly WorkspacePath[]>;
  /** What was borrowed is ours, or it was said why not, or that was stopped. */
  readonly owned: Promise<void>;
  /** Whether that is a matter of seconds. */
  readonly ownsAtOnce: boolean;
  /** All that goes on in the background has ended, or was stopped. */
  readonly done: Promise<void>;
  readonly #parts: StockParts;
  readonly #stopping = new AbortController();
  #stored: Promise<void> = Promise.resolve();
  #readMany = false;
  /** Calls that wait for it. */
  #waiting = 0;

  constructor(parts: StockParts) {
    this.#parts = parts;
    this.taken = this.#take().catch((error: unknown) => parts.remarks.fault(error));
    this.compared = this.taken
      .then(() => this.#stored)
      .then(() => this.#settle())
      .catch((error: unknown) => {
        parts.remarks.fault(error);
        return [];
      });
    // What is small is copied at once; copying much would be in the way of everything that is waited for.
    this.ownsAtOnce = isSmall(parts.known);
    const begin = this.ownsAtOnce ? Promise.resolve() : this.compared;
    this.owned = begin.then(() => this.#own()).catch((error: unknown) => parts.remarks.fault(error));
    this.done = Promise.all([this.compared, this.owned]).then(() => undefined);
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** A call that may write anything goes ahead, whether or not everything is known. */
  letGo(): void {
    const { known, opening, rescan } = this.#parts;
    if (opening.named || opening.blind || !opening.isFirst) return;
    nameOnly(rescan.coverage, { known, opening });
    opening.letGo();
  }

  /** Waits until everything is known that nobody else holds, though no longer than this. */
  async within(ms: number): Promise<void> {
    const enough = new AbortController();
    const tooLong = sleep(ms, undefined, { signal: enough.signal }).catch(() => undefined);
    this.#waiting += 1;
    await Promise.race([this.taken, tooLong]);
    this.#waiting -= 1;
    enough.abort();
  }

  async #take(): Promise<void> {
    const { rescan, known, queue, opening, head, tracker, live, remarks } = this.#parts;
    const scanned = await rescan.scan();
    if (scanned === null || this.#stopping.signal.aborted) return;
    const paths = await queue.run(() => nameAll(scanned, rescan.coverage, { known, opening }));
    this.#stored = this.#storeNames().catch((error: unknown) => remarks.fault(error));
    await this.#goThrough(paths);
    if (this.#stopping.signal.aborted) return;
    await queue.run(async () => {
      await this.#lookForLost(paths);
      await tracker.record();
      opening.finish();
      this.#readMany = this.#parts.unstored.leaveOut(STORED_AT_ONCE) === 'left out';
      live.append([{ kind: 'workspace-opened', files: known.size, head: head.commit }]);
    });
  }

  /** From here on another open knows which files there were, and what happened to them since, whatever was read. */
  async #storeNames(): Promise<void> {
    const { live } = this.#parts;
    if (live.log.marks.get(STOCK_TAKEN) !== null) return;
    await this.#storeFiles();
    live.log.marks.set(STOCK_TAKEN, 'yes');
  }

  #storeFiles(): Promise<void> {
    const { live, tracker, queue } = this.#parts;
    return live.log.files.replace(tracker.recorded(), queue.giveWay);
  }

  async #settle(): Promise<readonly WorkspacePath[]> {
    const { rescan, opening } = this.#parts;
    await rescan.rest();
    await Promise.race([this.#parts.sooner(), aborted(this.#stopping.signal)]);
    if (opening.takingStock) return [];
    if (this.#readMany) await this.#storeFiles();
    return this.#compare();
  }

  async #goThrough(paths: readonly WorkspacePath[]): Promise<void> {
    const { tracker, queue } = this.#parts;
    for (let at = 0; at < paths.length && !this.#stopping.signal.aborted; ) {
      const lot = paths.slice(at, at + (this.#waiting > 0 ? LOT_FILES.awaited : LOT_FILES.quiet));
      at += lot.length;
      await queue.run(() => tracker.lookAt(lot));
    }
  }

  /** What was gone when its turn came is looked for under other names. */
  async #lookForLost(paths: readonly WorkspacePath[]): Promise<void> {
    const { tracker, known } = this.#parts;
    const named = paths.filter((path) => known.unread.has(path));
    if (named.length > 0) await tracker.lookOnly(named);
  }

  /** Borrowed contents that are not the bytes on disk are found by their size, and read. */
  async #compare(): Promise<readonly WorkspacePath[]> {
    const { known, store, queue } = this.#parts;
    const found: WorkspacePath[] = [];
    const borrowed = [...known.states()].filter((state) => state.borrowed);
    for (let at = 0; at < borrowed.length && !this.#stopping.signal.aborted; at += COMPARED_AT_ONCE) {
      const some = borrowed.slice(at, at + COMPARED_AT_ONCE);
      const wrong = new Set(await converted(store.content, some));
      for (const state of some) if (!wrong.has(state.path)) this.#believe(state);
      for (const path of wrong) this.#doubt(path);
      await this.#goThrough([...wrong]);
      found.push(...wrong);
      await queue.giveWay();
    }
    return found;
  }

  #believe(state: FileState): void {
    const { borrowed: _, ...compared } = state;
    if (this.#parts.known.get(state.path) === state) this.#parts.known.set(compared);
  }

  #doubt(path: WorkspacePath): void {
    const state = this.#parts.known.get(path);
    if (state !== null) this.#parts.known.set({ ...state, mtimeMs: -1 });
  }

  async #own(): Promise<void> {
    const { store, queue, remarks, needed, mend } = this.#parts;
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    const settled = await store.loan.repay({ wanted: needed, mend: (ids) => mend(ids, signal), queue, signal });
    if (settled.ok || settled.error.code === 'cancelled') return;
    remarks.add(
      settled.error.code === 'lost'
        ? `${settled.error.ids.length} contents that git had are gone from it and cannot be restored`
        : `contents are still borrowed from the user's repository: ${settled.error.code}`,
    );
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Whether copying all of it takes some seconds at most. */
function isSmall(known: KnownTree): boolean {
  if (known.size > SMALL_FILES) return false;
  let bytes = 0;
  for (const { size } of known.states()) bytes += size;
  return bytes <= SMALL_BYTES;
}
