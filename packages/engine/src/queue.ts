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
}
