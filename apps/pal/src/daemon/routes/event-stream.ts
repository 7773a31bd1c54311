import { encodeEvent, KEEPALIVE } from '@palimpsest/protocol';
import { type EventFeed, type Frame, frameBytes } from '../host/event-feed.js';

/** Further back than this nothing is replayed: reading everything anew is cheaper for both. */
export const REPLAY_LIMIT = 10_000;
/** How far a listener may fall behind what is happening before it is told to come back. */
export const LAG_LIMIT = 5_000;
/** As much as one write takes along. */
const CHUNK_BYTES_LIMIT = 64 * 1024;

export type StreamOptions = {
  /** The last operation that the listener has; null for one who wants only what happens from now on. */
  readonly since: number | null;
  /** Null passes an operation over. */
  readonly frame?: (frame: Frame) => Uint8Array | null;
  readonly onEnd?: () => void;
};

const encoder = new TextEncoder();

/**
 * The events of a workspace as a stream that is pulled: nothing is held for a listener that does not read. The first
 * event is `hello`, or `reset` when what lies between cannot be told; one that falls too far behind gets `resync` and
 * the end of its stream, and finds the rest by coming back.
 */
export function eventStream(feed: EventFeed, options: StreamOptions): ReadableStream<Uint8Array> {
  const reader = new FeedReader(feed, options);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await reader.next();
        if (chunk.bytes !== null) controller.enqueue(chunk.bytes);
        if (chunk.last) controller.close();
      },
      cancel() {
        reader.end();
      },
    },
    { highWaterMark: 0 },
  );
}

type Chunk = { readonly bytes: Uint8Array | null; readonly last: boolean };

class FeedReader {
  readonly #feed: EventFeed;
  readonly #frame: (frame: Frame) => Uint8Array | null;
  readonly #leave: () => void;
  readonly #onEnd: (() => void) | undefined;
  #greeting: Uint8Array | null;
  #cursor: number;
  /** Up to here it is replay, which may be long; beyond it, lag. */
  readonly #replayEnd: number;
  #ended = false;

  constructor(feed: EventFeed, { since, frame, onEnd }: StreamOptions) {
    this.#feed = feed;
    this.#frame = frame ?? frameBytes;
    this.#onEnd = onEnd;
    this.#leave = feed.join();
    const { last } = feed;
    const start = since ?? last;
    const why = start > last ? 'ahead' : last - start > REPLAY_LIMIT ? 'too-far-back' : null;
    this.#cursor = why === null ? start : last;
    this.#replayEnd = last;
    this.#greeting = said(why === null ? 'hello' : 'reset', this.#cursor, {
      seq: this.#cursor,
      ...(why === null ? {} : { why }),
    });
  }

  async next(): Promise<Chunk> {
    if (this.#greeting !== null) {
      const bytes = this.#greeting;
      this.#greeting = null;
      return { bytes, last: false };
    }
    for (;;) {
      if (this.#feed.last - Math.max(this.#cursor, this.#replayEnd) > LAG_LIMIT)
        return this.#lastOf(said('resync', null, { seq: this.#cursor }));
      const bytes = this.#take();
      if (bytes !== null) return { bytes, last: false };
      if (this.#feed.closed) return this.#lastOf(null);
      if ((await this.#feed.wait()) === 'quiet') return { bytes: encoder.encode(KEEPALIVE), last: false };
    }
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#leave();
    this.#onEnd?.();
  }

  #lastOf(bytes: Uint8Array | null): Chunk {
    this.end();
    return { bytes, last: true };
  }

  /** As many frames as fit into one write, or null when there are none. Frames that are passed over count as read. */
  #take(): Uint8Array | null {
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for (let frames = this.#feed.after(this.#cursor); frames.length > 0; frames = this.#feed.after(this.#cursor)) {
      for (const frame of frames) {
        this.#cursor = frame.seq;
        const part = this.#frame(frame);
        if (part === null) continue;
        parts.push(part);
        bytes += part.length;
        if (bytes >= CHUNK_BYTES_LIMIT) return joined(parts, bytes);
      }
      if (parts.length > 0) break;
    }
    return parts.length === 0 ? null : joined(parts, bytes);
  }
}

function joined(parts: readonly Uint8Array[], bytes: number): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function said(event: string, id: number | null, data: unknown): Uint8Array {
  return encoder.encode(encodeEvent({ event, id: id === null ? null : String(id), data: JSON.stringify(data) }));
}
