import { joinPaths } from '../tree/coverage-rules.js';
import { GATHER_MS, RAW_EVENT_LIMIT } from './limits.js';
import type { FromWatchWorker } from './watch-messages.js';

/** The worker's side of the hints: counts them, gathers them for a moment, and sends them on in order. */
export class HintSender {
  readonly #post: (message: FromWatchWorker) => void;
  readonly #pending = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #count = 0;
  #rescan = false;

  constructor(post: (message: FromWatchWorker) => void) {
    this.#post = post;
  }

  /** Counts an event of the system, whatever becomes of it. */
  countEvent(): void {
    if (++this.#count > RAW_EVENT_LIMIT) this.rescan();
  }

  hint(path: string): void {
    if (this.#rescan) return;
    this.#pending.add(path);
    this.#timer ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  /** Until the next settle no single hint matters any more. */
  rescan(): void {
    if (this.#rescan) return;
    this.#rescan = true;
    this.#pending.clear();
    this.#post({ kind: 'rescan' });
  }

  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#pending.size === 0) return;
    this.#post({ kind: 'hints', paths: joinPaths(this.#pending) });
    this.#pending.clear();
  }

  settled(cookie: number): void {
    this.flush();
    this.#post({ kind: 'settled', cookie });
    this.#count = 0;
    this.#rescan = false;
  }
}
