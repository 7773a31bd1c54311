import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { NewObject, ObjectStore } from '../git/objects.js';
import type { TreeBuilder } from './tree-builder.js';

/** Trees stored at once; each lot is one pack, and takes the thread for some tens of milliseconds at most. */
const LOT_TREES = 256;

/** Builds and stores the trees of the whole workspace once after opening, in the background. */
export class Baseline {
  /** True once the trees are built, false when the workspace was closed before. */
  readonly ready: Promise<boolean>;
  /** Also stored. */
  readonly stored: Promise<void>;
  readonly #stopping = new AbortController();
  readonly #builder: TreeBuilder;
  readonly #objects: ObjectStore;

  constructor(
    parts: { readonly builder: TreeBuilder; readonly objects: ObjectStore },
    begin: Promise<void>,
    onFault: (error: unknown) => void,
  ) {
    this.#builder = parts.builder;
    this.#objects = parts.objects;
    this.ready = begin
      .then(() => this.#build())
      .catch((error: unknown) => {
        onFault(error);
        return false;
      });
    this.stored = this.ready.then((built) => (built ? this.#store() : undefined)).catch(onFault);
  }

  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.stored;
  }

  async #build(): Promise<boolean> {
    if (this.signal.aborted) return false;
    await this.#builder.build(this.signal);
    return this.#builder.ready;
  }

  /** A save meanwhile stores what it needs itself; what both store is stored once. */
  async #store(): Promise<void> {
    await makeFanOut(this.#objects.gitDir);
    const trees = this.#builder.unstored(this.#builder.now().tree).toReversed();
    for (let at = 0; at < trees.length && !this.signal.aborted; at += LOT_TREES) {
      const lot = trees.slice(at, at + LOT_TREES);
      await this.#objects.writeMany(lot.map(({ bytes }): NewObject => ({ type: 'tree', bytes })));
      this.#builder.stored(lot);
      await nextTurn();
    }
  }
}

/** The folders that loose objects go into, so that no save has to make and sync one. */
async function makeFanOut(gitDir: string): Promise<void> {
  const names = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, '0'));
  await Promise.all(names.map((name) => mkdir(join(gitDir, 'objects', name), { recursive: true, mode: 0o700 })));
}
