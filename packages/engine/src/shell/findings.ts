import type { Effect, LineRange } from '@palimpsest/core';

/** How a command will write a file; for people, and for telling a removal from a change. */
export type WriteHow =
  | 'redirect'
  | 'append'
  | 'tee'
  | 'in-place'
  | 'move'
  | 'copy'
  | 'delete'
  | 'touch'
  | 'truncate'
  | 'link'
  | 'mode'
  | 'patch'
  | 'output'
  | 'restore';

export type PredictedWrite = {
  /** Absolute, by letters: links in it are for the reader of the disk to follow. */
  readonly path: string;
  readonly how: WriteHow;
  /** `tree`: the path itself and, if it is or becomes a folder, all below it. */
  readonly extent: 'file' | 'tree';
  /** Where the command's text holds the very bytes. */
  readonly effect?: Effect;
};

/** A file whose content the command prints. Whether it did, `provenRead` says. */
export type PredictedRead = {
  readonly path: string;
  /** Without it, the whole file. */
  readonly lines?: LineRange;
  /** Each line is printed with its number before it. */
  readonly numbered?: true;
};

/** More files than a command names by hand; beyond it the prediction is given up rather than grown. */
const FINDINGS_LIMIT = 2000;

/** What the walk over a command has found so far. */
export class Findings {
  readonly #writes = new Map<string, PredictedWrite>();
  readonly #reads = new Map<string, PredictedRead>();
  readonly #patterns = new Set<string>();
  readonly #errors = new Set<string>();
  #closed = true;
  #background: 'nothing' | 'jobs' | 'detached' = 'nothing';

  /** Something in the command may write what is not listed. */
  open(): void {
    this.#closed = false;
  }

  /** Part of the command goes on when the rest has ended; `jobs` can be waited for. */
  leaveRunning(what: 'jobs' | 'detached'): void {
    if (this.#background !== 'detached') this.#background = what;
  }

  waitForJobs(): void {
    if (this.#background === 'jobs') this.#background = 'nothing';
  }

  fail(message: string): void {
    this.#closed = false;
    if (this.#errors.size < FINDINGS_LIMIT) this.#errors.add(message);
  }

  write(write: PredictedWrite): void {
    const earlier = this.#writes.get(write.path);
    if (earlier === undefined && this.#writes.size >= FINDINGS_LIMIT) {
      this.open();
      return;
    }
    if (earlier === undefined) this.#writes.set(write.path, write);
    // Of two writes to one file neither says alone what the bytes will be.
    else {
      const extent = earlier.extent === 'tree' ? 'tree' : write.extent;
      this.#writes.set(write.path, { path: write.path, how: write.how, extent });
    }
  }

  /** Names that begin so, as far as the letters tell, will be written. */
  pattern(prefix: string): void {
    this.#closed = false;
    if (this.#patterns.size < FINDINGS_LIMIT) this.#patterns.add(prefix);
  }

  read(read: PredictedRead): void {
    if (this.#reads.size < FINDINGS_LIMIT) this.#reads.set(JSON.stringify(read), read);
  }

  result() {
    return {
      writes: [...this.#writes.values()],
      reads: [...this.#reads.values()],
      patterns: [...this.#patterns],
      closed: this.#closed,
      background: this.#background !== 'nothing',
      errors: [...this.#errors],
    };
  }
}
