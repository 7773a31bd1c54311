import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { NewObject, ObjectStore } from '../git/objects.js';
import type { GiveWay } from '../queue.js';
import type { TreeBuilder } from './tree-builder.js';

/** Trees stored at once; each lot is one pack, and takes the thread for some tens of milliseconds at most. */
const LOT_TREES = 512;

/**
 * Builds and stores the trees of the whole workspace after opening, in the background and beside the first scan: what is
 * known from before, or from git's index, is nearly all of it.
 */
export class Baseline {
  /** True once states can be saved at the cost of what changed; false when the workspace was closed before. */
  readonly ready: Promise<boolean>;
  readonly #stopping = new AbortController();
  readonly #builder: TreeBuilder;
  readonly #objects: ObjectStore;
  readonly #giveWay: GiveWay;

  /** `taken`: the tree has been gone through, so that what is known is what is there. */
  constructor(
    parts: {
      readonly builder: TreeBuilder;
      readonly objects: ObjectStore;
      readonly taken: Promise<void>;
      readonly giveWay: GiveWay;
    },
    onFault: (error: unknown) => void,
  ) {
    this.#builder = parts.builder;
    this.#objects = parts.objects;
    this.#giveWay = parts.giveWay;
    const work = nextTurn().then(() => this.#build());
    this.ready = Promise.all([work, parts.taken])
      .then(() => this.#builder.ready && !this.signal.aborted)
      .catch((error: unknown) => {
        onFault(error);
        return false;
      });
  }

  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.ready;
  }

  async #build(): Promise<void> {
    await this.#builder.build(this.signal, this.#giveWay);
    if (this.#builder.ready) await this.#store();
  }

  async #store(): Promise<void> {
    await makeFanOut(this.#objects.gitDir);
    const trees = this.#builder.unstored(this.#builder.now().tree).toReversed();
    for (let at = 0; at < trees.length && !this.signal.aborted; at += LOT_TREES) {
      const lot = trees.slice(at, at + LOT_TREES);
      await this.#objects.writeMany(lot.map(({ bytes }): NewObject => ({ type: 'tree', bytes })));
      this.#builder.stored(lot);
      await this.#giveWay();
    }
  }
}

/** The folders that loose objects go into, so that no save has to make and sync one. */
async function makeFanOut(gitDir: string): Promise<void> {
  const names = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, '0'));
  await Promise.all(names.map((name) => mkdir(join(gitDir, 'objects', name), { recursive: true, mode: 0o700 })));
}
