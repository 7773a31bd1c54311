import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { failed, type Outcome } from '@palimpsest/core';
import type { Refusal } from './refusal.js';

/** For work in the background, between two of its steps: resolves when it may go on. */
export type GiveWay = () => Promise<void>;

/** However many calls come in, work in the background gets on at this pace. */
const GIVE_WAY_MS = 100;

/**
 * One thing at a time, in the order asked: everything that changes a workspace's state passes here, so that none of it
 * ever sees another half done. A task that fails fails its caller only.
 */
export class SerialQueue {
  readonly #refusalOf: (error: unknown) => Refusal | null;
  #closed = false;
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** `refusalOf`: what a failure amounts to that whoever asks must expect, such as a full disk; null for a bug. */
  constructor(refusalOf: (error: unknown) => Refusal | null = () => null) {
    this.#refusalOf = refusalOf;
  }

  get busy(): boolean {
    return this.#waiting > 0;
  }

  /** For what somebody asks: expected failures are values, and after `close` the answer is `closed`. */
  ask<T>(task: () => Promise<Outcome<T, Refusal>>): Promise<Outcome<T, Refusal>> {
    return this.answer(() => this.run(task));
  }

  /** The same for what has its own way through the queue. */
  async answer<T>(task: () => Promise<Outcome<T, Refusal>>): Promise<Outcome<T, Refusal>> {
    if (this.#closed) return failed({ code: 'closed' });
    try {
      return await task();
    } catch (error) {
      const refusal = this.#refusalOf(error);
      if (refusal === null) throw error;
      return failed(refusal);
    }
  }

  /** Nothing that is asked from here on is done; our own work goes on to its end. */
  close(): void {
    this.#closed = true;
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
