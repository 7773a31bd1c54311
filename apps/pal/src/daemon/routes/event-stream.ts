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
  const reader = feedReader(feed, options);
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

type FeedReader = { readonly next: () => Promise<Chunk>; readonly end: () => void };

/** Reads the feed with a cursor; `end` may be called at any time, also while `next` waits. */
function feedReader(feed: EventFeed, { since, frame = frameBytes, onEnd }: StreamOptions): FeedReader {
  const leave = feed.join();
  // Up to here it is replay, which may be long; beyond it, lag.
  const replayEnd = feed.last;
  const start = since ?? replayEnd;
  const why = start > replayEnd ? 'ahead' : replayEnd - start > REPLAY_LIMIT ? 'too-far-back' : null;
  let cursor = why === null ? start : replayEnd;
  let greeting: Uint8Array | null =
    why === null ? said('hello', cursor, { seq: cursor }) : said('reset', cursor, { seq: cursor, why });
  let ended = false;

  async function next(): Promise<Chunk> {
    if (greeting !== null) {
      const bytes = greeting;
      greeting = null;
      return { bytes, last: false };
    }
    for (;;) {
      if (feed.last - Math.max(cursor, replayEnd) > LAG_LIMIT) return lastOf(said('resync', null, { seq: cursor }));
      const bytes = take();
      if (bytes !== null) return { bytes, last: false };
      if (feed.closed) return lastOf(null);
      if ((await feed.wait()) === 'quiet') return { bytes: encoder.encode(KEEPALIVE), last: false };
    }
  }

  function end(): void {
    if (ended) return;
    ended = true;
    leave();
    onEnd?.();
  }

  function lastOf(bytes: Uint8Array | null): Chunk {
    end();
    return { bytes, last: true };
  }

  /** As many frames as fit into one write, or null when there are none. Frames that are passed over count as read. */
  function take(): Uint8Array | null {
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for (let frames = feed.after(cursor); frames.length > 0; frames = feed.after(cursor)) {
      for (const one of frames) {
        cursor = one.seq;
        const part = frame(one);
        if (part === null) continue;
        parts.push(part);
        bytes += part.length;
        if (bytes >= CHUNK_BYTES_LIMIT) return joined(parts, bytes);
      }
      if (parts.length > 0) break;
    }
    return parts.length === 0 ? null : joined(parts, bytes);
  }

  return { next, end };
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
