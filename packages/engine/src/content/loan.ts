import { failed, type Outcome, ok } from '@palimpsest/core';
import type { ObjectId } from '../git/object-id.js';
import type { ObjectStore } from '../git/objects.js';
import { type BorrowError, copyBorrowed, endBorrowing, stillBorrows } from './borrow.js';

type Repayment = {
  /** Everything that must be readable afterwards. */
  readonly wanted: () => Promise<Iterable<ObjectId>>;
  /** Takes what the lender has lost from elsewhere; answers what is gone for good, and will be missed. */
  readonly mend: (missing: ReadonlySet<ObjectId>) => Promise<readonly ObjectId[]>;
  /** The serial queue of the workspace. */
  readonly queue: { run<T>(task: () => Promise<T>): Promise<T> };
  readonly signal: AbortSignal;
};

/**
 * What our store still reads from the user's repository. Only an opening brings anything in on loan, and whatever is
 * named later was known by then; but what is on its way from the known files into the log is for moments in neither. So
 * the loan ends inside the queue, where nothing is on its way, after everything that is wanted there has been read
 * without the lender. The long part, copying, comes before that and beside everything else.
 */
export class Loan {
  readonly #objects: ObjectStore;
  readonly #struck = new Set<ObjectId>();
  #copying: { readonly abort: AbortController; readonly done: Promise<unknown> } | null = null;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  get open(): boolean {
    return stillBorrows(this.#objects);
  }

  /** Whether nobody but the lender is known to have it. */
  async covers(id: ObjectId): Promise<boolean> {
    return this.open && !(await this.#objects.owns(id));
  }

  /** Copies what is wanted, and ends the loan. */
  async repay({ wanted, mend, queue, signal }: Repayment): Promise<Outcome<null, BorrowError>> {
    if (!this.open) return ok(null);
    const seen: Seen = { safe: new Set(), missing: new Set() };
    const copyAndMend = async (): Promise<Outcome<readonly ObjectId[], BorrowError>> => {
      const copied = await this.#copy(await wanted(), seen, signal);
      if (!copied.ok) return copied;
      const lost = await mend(seen.missing);
      // One who was stopped half-way cannot say that nothing is lost.
      return signal.aborted ? failed({ code: 'cancelled' }) : ok(lost);
    };
    const early = await copyAndMend();
    if (!early.ok) return early;
    return queue.run(async () => {
      const lost = await copyAndMend();
      if (!lost.ok) return lost;
      if (lost.value.length > 0) return failed({ code: 'lost', ids: lost.value });
      await endBorrowing(this.#objects);
      return ok(null);
    });
  }

  /** These are to be forgotten: none of them is copied any more, and a copy that is being made is given up. */
  async strike(ids: readonly ObjectId[]): Promise<void> {
    for (const id of ids) this.#struck.add(id);
    this.#copying?.abort.abort();
    await this.#copying?.done;
  }

  /** Whether it was forgotten: then it stays with the lender. */
  isStruck(id: ObjectId): boolean {
    return this.#struck.has(id);
  }

  /** Each id is looked for once: what the lender did not have a moment ago is not waited for. */
  async #copy(
    ids: Iterable<ObjectId>,
    { safe, missing }: Seen,
    signal: AbortSignal,
  ): Promise<Outcome<null, BorrowError>> {
    for (;;) {
      const left = [...new Set(ids)].filter((id) => !safe.has(id) && !missing.has(id) && !this.#struck.has(id));
      const abort = new AbortController();
      const done = copyBorrowed(this.#objects, left, { signal: AbortSignal.any([signal, abort.signal]) });
      this.#copying = { abort, done };
      const found = await done.finally(() => {
        this.#copying = null;
      });
      if (!found.ok && abort.signal.aborted && !signal.aborted) continue;
      if (!found.ok) return found;
      for (const id of left) (found.value.has(id) ? missing : safe).add(id);
      return ok(null);
    }
  }
}

/** Where each id was found that was looked for. */
type Seen = { readonly safe: Set<ObjectId>; readonly missing: Set<ObjectId> };
