/** What a user should see about how we are working. Nothing of ours fails silently or turns itself off. */
export class Remarks {
  readonly #lines: string[] = [];
  readonly #onFault: (error: unknown) => void;

  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  list(): readonly string[] {
    return this.#lines;
  }

  add(line: string): void {
    if (this.#lines.includes(line)) return;
    this.#lines.push(line);
    if (this.#lines.length > REMARKS_LIMIT) this.#lines.shift();
  }

  /** Something of ours failed where nobody waits for an answer. */
  fault(error: unknown): void {
    this.add(error instanceof Error ? error.message : String(error));
    this.#onFault(error);
  }
}

const REMARKS_LIMIT = 50;
