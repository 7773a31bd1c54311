import type { Effect, LineRange } from '@palimpsest/core';

export type PredictedWrite = {
  /** Absolute, by letters: links in it are for the reader of the disk to follow. */
  readonly path: string;
  /** `tree`: the path itself and, if it is or becomes a folder, all below it. */
  readonly extent: 'file' | 'tree';
  /** Null unless the command's text holds the very bytes. */
  readonly effect: Effect | null;
};

/** A file whose content the command prints. Whether it did, `provenRead` says. */
export type PredictedRead = {
  readonly path: string;
  /** Without it, the whole file. */
  readonly lines?: LineRange;
  /** Each line is printed with its number before it. */
  readonly numbered?: true;
};

/** What a shell command will do to files, as far as its text tells. */
export type ShellPrediction = {
  readonly writes: readonly PredictedWrite[];
  readonly reads: readonly PredictedRead[];
  /**
   * True only if every command in it is one whose writes are completely known: then a file that changed while it ran and
   * that is not among `writes` was changed by somebody else.
   */
  readonly closed: boolean;
  /** Something that it starts may still run after it has ended: `&`, `nohup`, `setsid`. */
  readonly background: boolean;
};

/** More files than a command names by hand; beyond it the prediction is given up rather than grown. */
const FILES_LIMIT = 2000;

/** What the walk over a command has predicted so far. */
export class Prediction {
  readonly #writes = new Map<string, PredictedWrite>();
  readonly #reads = new Map<string, PredictedRead>();
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

  write(write: PredictedWrite): void {
    const earlier = this.#writes.get(write.path);
    if (earlier === undefined && this.#writes.size >= FILES_LIMIT) {
      this.open();
      return;
    }
    if (earlier === undefined) this.#writes.set(write.path, write);
    // Of two writes to one file neither says alone what the bytes will be.
    else {
      const extent = earlier.extent === 'tree' ? 'tree' : write.extent;
      this.#writes.set(write.path, { path: write.path, extent, effect: null });
    }
  }

  read(read: PredictedRead): void {
    if (this.#reads.size < FILES_LIMIT) this.#reads.set(JSON.stringify(read), read);
  }

  result(): ShellPrediction {
    return {
      writes: [...this.#writes.values()],
      reads: [...this.#reads.values()],
      closed: this.#closed,
      background: this.#background !== 'nothing',
    };
  }
}
