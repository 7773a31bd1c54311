import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Checkpoint, CheckpointId } from '@palimpsest/core';
import type { ObjectId } from '../git/object-id.js';
import { openRefs, type Refs } from '../git/refs.js';

const PREFIX = 'refs/palimpsest/checkpoints/';
/** Debounce: refs that become due within this time are written together. */
const WRITE_AFTER_MS = 100;

/**
 * One ref per checkpoint, so that plain git lists and reads them. The log says which checkpoints there are; refs follow
 * it, a little later and without waiting for the disk, and are put right when the workspace is opened and at each gc.
 */
export class CheckpointRefs {
  readonly #refs: Refs;
  readonly #onFault: (error: unknown) => void;
  readonly #due = new Map<string, ObjectId | null>();
  #tail: Promise<void> = Promise.resolve();
  #hurry = new AbortController();

  constructor(gitDir: string, onFault: (error: unknown) => void) {
    this.#refs = openRefs(gitDir);
    this.#onFault = onFault;
  }

  keep({ id, commit }: Pick<Checkpoint, 'id' | 'commit'>): void {
    this.#owe(PREFIX + id, commit);
  }

  drop(ids: readonly CheckpointId[]): void {
    for (const id of ids) this.#owe(PREFIX + id, null);
  }

  /** Makes the refs those of these checkpoints; what others there are goes, unless it is to be kept. */
  putRight(saved: () => Iterable<Checkpoint>, others: 'drop others' | 'keep others'): void {
    this.#then(async () => {
      const present = new Map(await this.#refs.list(PREFIX));
      for (const { id, commit } of saved()) {
        if (present.get(PREFIX + id) !== commit) this.#owe(PREFIX + id, commit);
        present.delete(PREFIX + id);
      }
      if (others === 'drop others') for (const name of present.keys()) this.#owe(name, null);
    });
  }

  /** Writes what is due without further waiting. */
  async written(): Promise<void> {
    for (let tail: Promise<void> | null = null; tail !== this.#tail; ) {
      this.#hurry.abort();
      tail = this.#tail;
      await tail;
    }
  }

  #owe(name: string, commit: ObjectId | null): void {
    const scheduled = this.#due.size > 0;
    this.#due.set(name, commit);
    if (scheduled) return;
    this.#hurry = new AbortController();
    const { signal } = this.#hurry;
    this.#then(async () => {
      await sleep(WRITE_AFTER_MS, undefined, { signal }).catch(() => undefined);
      const due = new Map(this.#due);
      this.#due.clear();
      if ((await this.#refs.setMany(due)) === 'written') return;
      if (signal.aborted) throw new Error(`${due.size} refs of checkpoints could not be written: they are locked`);
      // A lock that somebody left behind is broken when it is old enough.
      for (const [name, id] of due) if (!this.#due.has(name)) this.#owe(name, id);
    });
  }

  #then(task: () => Promise<void>): void {
    this.#tail = this.#tail.then(task).catch((error: unknown) => this.#onFault(error));
  }
}

/** Whether a store that is not open yet holds checkpoints, as far as its refs tell. */
export function hasCheckpointRefs(gitDir: string): boolean {
  const packed = join(gitDir, 'packed-refs');
  return existsSync(packed) && readFileSync(packed, 'latin1').includes(` ${PREFIX}`);
}
