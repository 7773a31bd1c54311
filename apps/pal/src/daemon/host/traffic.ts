/** Counts the requests that are being answered. */
export class Traffic {
  readonly #now: () => number;
  #inFlight = 0;
  #lastAt: number;
  #whenQuiet: (() => void)[] = [];

  constructor(now: () => number) {
    this.#now = now;
    this.#lastAt = now();
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** When the last request came or was answered. */
  get lastAt(): number {
    return this.#lastAt;
  }

  enter(): () => void {
    this.#inFlight += 1;
    this.#lastAt = this.#now();
    return () => {
      this.#inFlight -= 1;
      this.#lastAt = this.#now();
      if (this.#inFlight > 0) return;
      const waiting = this.#whenQuiet;
      this.#whenQuiet = [];
      for (const resolve of waiting) resolve();
    };
  }

  /** Resolves when nothing is being answered. */
  quiet(): Promise<void> {
    if (this.#inFlight === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenQuiet.push(resolve));
  }
}
