import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GiveWay } from '../basis/queue.js';
import { listNames } from '../files/durable.js';
import type { NewObject, ObjectStore } from '../git/objects.js';
import type { TreeBuilder } from './tree-builder.js';

/** Trees stored at once; each lot is one pack, and takes the thread for some tens of milliseconds at most. */
const LOT_TREES = 512;

export interface Baseline {
  /** True once states can be saved at the cost of what changed; false when the workspace was closed before. */
  readonly ready: Promise<boolean>;
  readonly signal: AbortSignal;
  stop(): Promise<void>;
}

type Parts = {
  readonly builder: TreeBuilder;
  readonly objects: ObjectStore;
  /** The tree has been gone through, so that what is known is what is there. */
  readonly taken: Promise<void>;
  readonly giveWay: GiveWay;
};

/**
 * Builds and stores the trees of the whole workspace after opening, in the background and beside the first scan: what is
 * known from before, or from git's index, is nearly all of it.
 */
export function beginBaseline(parts: Parts, onFault: (error: unknown) => void): Baseline {
  const stopping = new AbortController();
  const { signal } = stopping;
  const work = nextTurn().then(() => build(parts, signal));
  const ready = Promise.all([work, parts.taken])
    .then(() => parts.builder.ready && !signal.aborted)
    .catch((error: unknown) => {
      onFault(error);
      return false;
    });
  return {
    ready,
    signal,
    async stop() {
      stopping.abort();
      await ready;
    },
  };
}

async function build({ builder, objects, giveWay }: Parts, signal: AbortSignal): Promise<void> {
  await builder.build(signal, giveWay);
  if (!builder.ready) return;
  await makeFanOut(objects.gitDir);
  const trees = builder.unstored(builder.now().tree).toReversed();
  for (let at = 0; at < trees.length && !signal.aborted; at += LOT_TREES) {
    const lot = trees.slice(at, at + LOT_TREES);
    await objects.writeMany(lot.map(({ bytes }): NewObject => ({ type: 'tree', bytes })));
    builder.stored(lot);
    await giveWay();
  }
}

/** The folders that loose objects go into, so that no save has to make and sync one. */
async function makeFanOut(gitDir: string): Promise<void> {
  const objects = join(gitDir, 'objects');
  const present = new Set(await listNames(objects));
  const names = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, '0'));
  const missing = names.filter((name) => !present.has(name));
  await Promise.all(missing.map((name) => mkdir(join(objects, name), { recursive: true, mode: 0o700 })));
}
