import { fsync } from 'node:fs';
import { promisify } from 'node:util';
import { syncFolder } from './folder-sync.js';

/** How one write makes its bytes, and then its name, safe. */
export type Syncing = {
  /** By its descriptor, which stays open until then. */
  file(fd: number): Promise<void>;
  folder(place: string): Promise<void>;
};

/** Each by itself, at once. */
export const SYNC_ALONE: Syncing = { file: (fd) => syncFile(fd), folder: syncFolder };

/** Files synced at once; more only wait in line. */
const SYNCS_AT_ONCE = 8;

/**
 * Many writes that wait for the disk together: all bytes are written, then all are synced, then all names change, then
 * each folder is synced once. A journaling file system makes what was written before the first of a row of syncs safe
 * with that one, so that the others cost next to nothing; taking turns, each would pay for itself.
 */
export class SyncGroup {
  readonly #files: Barrier<number>;
  readonly #folders: Barrier<string>;

  constructor(members: number) {
    this.#files = new Barrier(members, syncFile);
    this.#folders = new Barrier(members, syncFolder);
  }

  /** Every member must be ended, whatever became of it: the others wait for it. */
  join(): Syncing & { end(): void } {
    let stage: 'writing' | 'written' | 'named' = 'writing';
    return {
      file: (fd) => {
        stage = 'written';
        return this.#files.arrive(fd);
      },
      folder: (place) => {
        if (stage === 'named') return syncFolder(place);
        if (stage === 'writing') this.#files.withdraw();
        stage = 'named';
        return this.#folders.arrive(place);
      },
      end: () => {
        if (stage === 'writing') this.#files.withdraw();
        if (stage !== 'named') this.#folders.withdraw();
        stage = 'named';
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

const syncFile: (fd: number) => Promise<void> = promisify(fsync);
