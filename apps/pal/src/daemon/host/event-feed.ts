import type { Operation } from '@palimpsest/core';
import { encodeEvent, KEEPALIVE_INTERVAL_MS, operationJson } from '@palimpsest/protocol';

/** Where operations come from. */
export type OperationSource = {
  readonly seq: number;
  operations(since: number, limit: number): readonly Operation[];
  subscribe(listener: (operations: readonly Operation[]) => void): () => void;
};

/** One operation, and its bytes on the wire once somebody wanted them: all who listen share them. */
export type Frame = { readonly seq: number; readonly operation: Operation; bytes: Uint8Array | null };

/** Frames kept for those who are not far behind. Who is further behind is served from the log. */
const RECENT_FRAMES_LIMIT = 4_096;
const LOG_PAGE = 512;

const encoder = new TextEncoder();

/**
 * The operations of one workspace for any number of listeners, each at its own place: a listener asks for what comes
 * after it, so nothing is queued for anybody, and a slow one costs nothing but its own delay.
 */
export class EventFeed {
  readonly #source: OperationSource;
  readonly #unsubscribe: () => void;
  readonly #keepaliveMs: number;
  #recent: Frame[] = [];
  /** Everything after this seq is in `#recent`. */
  #floor: number;
  /** Kept here, because every listener asks for it with every operation and the log has to look it up. */
  #last: number;
  #listeners = 0;
  #news = signal<News>();
  #ticker: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(source: OperationSource, keepaliveMs: number = KEEPALIVE_INTERVAL_MS) {
    this.#source = source;
    this.#keepaliveMs = keepaliveMs;
    this.#last = source.seq;
    this.#floor = this.#last;
    this.#unsubscribe = source.subscribe((operations) => this.#publish(operations));
  }

  get last(): number {
    return this.#last;
  }

  get listeners(): number {
    return this.#listeners;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Counts a listener in; the answer counts it out again. */
  join(): () => void {
    this.#listeners += 1;
    this.#ticker ??= setInterval(() => this.#tell('quiet'), this.#keepaliveMs).unref();
    let joined = true;
    return () => {
      if (!joined) return;
      joined = false;
      this.#listeners -= 1;
      if (this.#listeners === 0 && this.#ticker !== null) {
        clearInterval(this.#ticker);
        this.#ticker = null;
      }
    };
  }

  /** Some of what comes after `cursor`, oldest first; none when that is all there is. */
  after(cursor: number): readonly Frame[] {
    if (cursor >= this.#floor) return this.#recent.slice(firstAfter(this.#recent, cursor));
    return this.#source
      .operations(cursor, LOG_PAGE)
      .map((operation) => ({ seq: operation.seq, operation, bytes: null }));
  }

  /** `news` when there may be more, `quiet` when there was nothing for a while, `closed` when there will be no more. */
  wait(): Promise<News> {
    return this.#closed ? Promise.resolve('closed') : this.#news.promise;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#unsubscribe();
    if (this.#ticker !== null) clearInterval(this.#ticker);
    this.#tell('closed');
  }

  #publish(operations: readonly Operation[]): void {
    this.#last = operations.at(-1)?.seq ?? this.#last;
    if (this.#listeners === 0) {
      this.#recent = [];
      this.#floor = this.#last;
      return;
    }
    if (operations.some(({ kind }) => kind === 'forgotten')) {
      // What is at hand may hold what was forgotten; the log does not any more.
      this.#recent = [];
      this.#floor = operations[0]!.seq - 1;
    }
    for (const operation of operations) this.#recent.push({ seq: operation.seq, operation, bytes: null });
    // Cut in halves, so that most operations move nothing.
    if (this.#recent.length > RECENT_FRAMES_LIMIT * 2) {
      const cut = this.#recent.length - RECENT_FRAMES_LIMIT;
      this.#floor = this.#recent[cut - 1]!.seq;
      this.#recent = this.#recent.slice(cut);
    }
    this.#tell('news');
  }

  #tell(news: News): void {
    const told = this.#news;
    this.#news = signal();
    told.resolve(news);
  }
}

export type News = 'news' | 'quiet' | 'closed';

export function frameBytes(frame: Frame): Uint8Array {
  frame.bytes ??= encoder.encode(
    encodeEvent({
      event: 'operation',
      id: String(frame.seq),
      data: JSON.stringify(operationJson(withoutBody(frame.operation))),
    }),
  );
  return frame.bytes;
}

/** What a call is to write may be in its input; who wants it reads the operation. */
function withoutBody(operation: Operation): Operation {
  if (operation.kind !== 'call-began' || operation.input === null || 'content' in operation.input) return operation;
  return { ...operation, input: null };
}

function firstAfter(frames: readonly Frame[], cursor: number): number {
  let low = 0;
  let high = frames.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (frames[middle]!.seq > cursor) high = middle;
    else low = middle + 1;
  }
  return low;
}

type Signal<T> = { readonly promise: Promise<T>; readonly resolve: (value: T) => void };

function signal<T>(): Signal<T> {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
