import { setTimeout as sleep } from 'node:timers/promises';
import { syncDescriptor } from '../files/durable.js';
import { syncFolder } from './folder-sync.js';
import type { HeldFolder } from './held-folder.js';

/** How one write makes its bytes, and then its name, safe; in this order, as far as it gets. */
export type Syncing = {
  /** By its descriptor, which stays open until then. */
  file(fd: number): Promise<void>;
  /** Until whoever was saving the old file, at the moment when it was moved aside, is done. */
  othersDone(): Promise<void>;
  folder(folder: HeldFolder): Promise<void>;
};

/** An editor that has a file open to save it needs less, and a machine so busy that it needs more is as slow with us. */
const OTHERS_DONE_AFTER_MS = 2;
const othersDone = () => sleep(OTHERS_DONE_AFTER_MS);

/** Each by itself, at once. */
export const SYNC_ALONE: Syncing = { file: syncDescriptor, othersDone, folder: syncFolder };

/** Files synced at once; more only wait in line. */
const SYNCS_AT_ONCE = 8;

/**
 * Many writes that wait for the disk together: all bytes are written, then all are synced, then all names change, then
 * each folder is synced once. A journaling file system makes what was written before the first of a row of syncs safe
 * with that one, so that the others cost next to nothing; taking turns, each would pay for itself.
 */
export class SyncGroup {
  readonly #files: Barrier<number>;
  readonly #moved: Barrier<null>;
  readonly #folders: Barrier<HeldFolder>;

  constructor(members: number) {
    this.#files = new Barrier(members, syncDescriptor);
    this.#moved = new Barrier(members, othersDone);
    this.#folders = new Barrier(members, syncFolder);
  }

  /** Every member must be ended, whatever became of it: the others wait for it. */
  join(): Syncing & { end(): void } {
    const ahead: { withdraw(): void }[] = [this.#files, this.#moved, this.#folders];
    /** Who is past a barrier is not waited for there. False for whoever passed this one before. */
    const reach = (barrier: { withdraw(): void }): boolean => {
      const at = ahead.indexOf(barrier);
      if (at < 0) return false;
      for (const passed of ahead.splice(0, at + 1)) if (passed !== barrier) passed.withdraw();
      return true;
    };
    return {
      file: (fd) => (reach(this.#files) ? this.#files.arrive(fd) : syncDescriptor(fd)),
      othersDone: () => (reach(this.#moved) ? this.#moved.arrive(null) : othersDone()),
      folder: (folder) => (reach(this.#folders) ? this.#folders.arrive(folder) : syncFolder(folder)),
      end: () => {
        for (const passed of ahead.splice(0)) passed.withdraw();
      },
    };
  }
}

type Waiting = { readonly resolve: () => void; readonly reject: (error: unknown) => void };

/** Lets nobody pass until all have come, and then does what all came for. */
class Barrier<Place> {
  #missing: number;
  readonly #sync: (place: Place) => Promise<void>;
  readonly #waiting = new Map<Place, Waiting[]>();

  constructor(members: number, sync: (place: Place) => Promise<void>) {
    this.#missing = members;
    this.#sync = sync;
  }

  arrive(place: Place): Promise<void> {
    return new Promise((resolve, reject) => {
      const others = this.#waiting.get(place);
      if (others === undefined) this.#waiting.set(place, [{ resolve, reject }]);
      else others.push({ resolve, reject });
      this.withdraw();
    });
  }

  withdraw(): void {
    this.#missing -= 1;
    if (this.#missing > 0) return;
    const places = this.#waiting.entries();
    for (let count = 0; count < SYNCS_AT_ONCE; count++) void this.#work(places);
  }

  async #work(places: Iterator<[Place, Waiting[]]>): Promise<void> {
    for (let next = places.next(); next.done !== true; next = places.next()) {
      const [place, members] = next.value;
      try {
        await this.#sync(place);
        for (const { resolve } of members) resolve();
      } catch (error) {
        for (const { reject } of members) reject(error);
      }
    }
  }
}
