import type { Checkpoint, CheckpointId } from '@palimpsest/core';
import { openRefs, type Refs } from '../git/refs.js';

const PREFIX = 'refs/palimpsest/checkpoints/';

/**
 * One ref per checkpoint, so that plain git lists and reads them. The log says which checkpoints there are; refs follow
 * it, a little later and without waiting for the disk, and are put right when the workspace is opened and at each gc.
 */
export class CheckpointRefs {
  readonly #refs: Refs;
  readonly #onFault: (error: unknown) => void;
  #tail: Promise<void> = Promise.resolve();

  constructor(gitDir: string, onFault: (error: unknown) => void) {
    this.#refs = openRefs(gitDir, 'lazy');
    this.#onFault = onFault;
  }

  keep({ id, commit }: Pick<Checkpoint, 'id' | 'commit'>): void {
    this.#then(() => this.#set(id, commit));
  }

  drop(ids: readonly CheckpointId[]): void {
    this.#then(async () => {
      for (const id of ids) await this.#remove(PREFIX + id);
    });
  }

  /** Makes the refs those of these checkpoints; what others there are goes, unless it is to be kept. */
  putRight(saved: () => Iterable<Checkpoint>, others: 'drop others' | 'keep others'): void {
    this.#then(async () => {
      const present = new Map(await this.#refs.list(PREFIX));
      for (const { id, commit } of saved()) {
        if (present.get(PREFIX + id) !== commit) await this.#set(id, commit);
        present.delete(PREFIX + id);
      }
      if (others === 'drop others') for (const name of present.keys()) await this.#remove(name);
    });
  }

  async settled(): Promise<void> {
    await this.#tail;
  }

  async #set(id: CheckpointId, commit: string): Promise<void> {
    const name = PREFIX + id;
    const done = await this.#refs.update(name, commit, await this.#refs.read(name));
    if (!done.ok) throw new Error(`the ref ${name} could not be written: ${done.error.code}`);
  }

  async #remove(name: string): Promise<void> {
    const present = await this.#refs.read(name);
    if (present === null) return;
    const done = await this.#refs.remove(name, present);
    if (!done.ok) throw new Error(`the ref ${name} could not be removed: ${done.error.code}`);
  }

  #then(task: () => Promise<void>): void {
    this.#tail = this.#tail.then(task).catch((error: unknown) => this.#onFault(error));
  }
}
