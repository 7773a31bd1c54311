import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** For work in the background, between two of its steps: resolves when it may go on. */
export type GiveWay = () => Promise<void>;

/** However many calls come in, work in the background gets on at this pace. */
const GIVE_WAY_MS = 100;

/**
 * One thing at a time, in the order asked: everything that changes a workspace's state passes here, so that none of it
 * ever sees another half done. A task that fails fails its caller only.
 */
export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  get busy(): boolean {
    return this.#waiting > 0;
  }

  run<T>(task: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    const result = this.#tail.then(task).finally(() => {
      this.#waiting -= 1;
    });
    this.#tail = result.catch(() => undefined);
    return result;
  }

  /** Resolves when everything asked so far is done. */
  async idle(): Promise<void> {
    await this.#tail;
  }

  /** Waits while anything is asked of this queue, though not for ever. */
  readonly giveWay: GiveWay = async () => {
    await nextTurn();
    if (!this.busy) return;
    const enough = new AbortController();
    await Promise.race([this.#quiet(enough.signal), sleep(GIVE_WAY_MS)]);
    enough.abort();
  };

  async #quiet(enough: AbortSignal): Promise<void> {
    while (this.busy && !enough.aborted) {
      await this.#tail;
      await nextTurn();
    }
  }
}
