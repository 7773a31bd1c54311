import { asSeq, asSessionId, type Operation } from '@palimpsest/core';
import { type ClientEvent, EventParser, type ServerEvent } from '@palimpsest/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { must, Stage } from './app.fixture.js';
import { EventFeed, type OperationSource } from './host/event-feed.js';
import { eventStream, LAG_LIMIT, REPLAY_LIMIT } from './routes/event-stream.js';

/** A log in memory whose operations come when the test says so. */
class Script implements OperationSource {
  readonly #operations: Operation[] = [];
  readonly #listeners = new Set<(operations: readonly Operation[]) => void>();
  get seq() {
    return this.#operations.length;
  }
  operations(since: number, limit: number) {
    return this.#operations.slice(since, since + limit);
  }
  subscribe(listener: (operations: readonly Operation[]) => void) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
  append(count: number): this {
    for (let n = 0; n < count; n++) {
      const operation: Operation = {
        seq: asSeq(this.seq + 1),
        at: 0,
        kind: 'session-ended',
        session: asSessionId('s'),
      };
      this.#operations.push(operation);
      for (const listener of this.#listeners) listener([operation]);
    }
    return this;
  }
}

class Reader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #parser = new EventParser();
  readonly #decoder = new TextDecoder();
  #comments = 0;

  constructor(feed: EventFeed, since: number | null) {
    this.#reader = eventStream(feed, { since }).getReader();
  }

  get comments() {
    return this.#comments;
  }

  /** What the next chunk tells; null at the end. */
  async next(): Promise<readonly string[] | null> {
    const { done, value } = await this.#reader.read();
    if (done) return null;
    const text = this.#decoder.decode(value);
    if (text.startsWith(':')) this.#comments += 1;
    return this.#parser.push(text).map(told);
  }

  async upTo(count: number): Promise<readonly string[]> {
    const all: string[] = [];
    while (all.length < count) {
      const next = await this.next();
      if (next === null) break;
      all.push(...next);
    }
    return all;
  }

  cancel = () => this.#reader.cancel();
}

const told = ({ event, id }: ServerEvent) => `${event} ${id}`;
const operations = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `operation ${from + n}`);

describe('a feed', () => {
  test('[SRV1c] [I8] tells what comes after the place that is named, then what happens', async () => {
    const source = new Script().append(5);
    const reader = new Reader(new EventFeed(source), 2);
    expect(await reader.upTo(4)).toEqual(['hello 2', ...operations(3, 5)]);
    const next = reader.next();
    source.append(1);
    expect(await next).toEqual(['operation 6']);
  });

  test('[SRV1c] begins with now when no place is named', async () => {
    const source = new Script().append(5);
    const reader = new Reader(new EventFeed(source), null);
    expect(await reader.next()).toEqual(['hello 5']);
    source.append(2);
    expect(await reader.upTo(2)).toEqual(operations(6, 7));
  });

  test('[SRV1c] replays a long way, across what is at hand and what is only in the log', async () => {
    const source = new Script().append(500);
    const feed = new EventFeed(source);
    const idle = new Reader(feed, null);
    await idle.next();
    source.append(3_000);
    expect(await new Reader(feed, 10).upTo(3_491)).toEqual(['hello 10', ...operations(11, 3_500)]);
  });

  test('[SRV1c] says reset for a place that is ahead, and goes on from where it is', async () => {
    const source = new Script().append(3);
    const reader = new Reader(new EventFeed(source), 4);
    expect(await reader.next()).toEqual(['reset 3']);
    source.append(1);
    expect(await reader.next()).toEqual(['operation 4']);
  });

  test('[SRV1c] says reset for a place too far back, and replays one that is just near enough', async () => {
    const feed = new EventFeed(new Script().append(REPLAY_LIMIT + 1));
    expect(await new Reader(feed, 0).next()).toEqual([`reset ${REPLAY_LIMIT + 1}`]);
    expect(await new Reader(feed, 1).upTo(REPLAY_LIMIT + 1)).toHaveLength(REPLAY_LIMIT + 1);
  });

  test('[SRV1d] tells a slow reader to come back, and the rest is there when it does', async () => {
    const source = new Script();
    const feed = new EventFeed(source);
    const slow = new Reader(feed, 0);
    expect(await slow.next()).toEqual(['hello 0']);
    source.append(LAG_LIMIT + 1);
    expect(await slow.next()).toEqual(['resync 0']);
    expect(await slow.next()).toBeNull();
    expect(feed.listeners).toBe(0);
    expect(await new Reader(feed, 0).upTo(LAG_LIMIT + 2)).toEqual(['hello 0', ...operations(1, LAG_LIMIT + 1)]);
  });

  test('[SRV1d] does not take a long replay for slowness', async () => {
    const source = new Script().append(REPLAY_LIMIT);
    const reader = new Reader(new EventFeed(source), 0);
    expect(await reader.next()).toEqual(['hello 0']);
    source.append(LAG_LIMIT);
    expect((await reader.upTo(REPLAY_LIMIT + LAG_LIMIT)).at(-1)).toBe(`operation ${REPLAY_LIMIT + LAG_LIMIT}`);
  });

  test('[SRV1e] shows that it lives when nothing happens', async () => {
    const reader = new Reader(new EventFeed(new Script(), 20), null);
    await reader.next();
    expect(await reader.next()).toEqual([]);
    expect(await reader.next()).toEqual([]);
    expect(reader.comments).toBe(2);
  });

  test('[SRV1e] ends its streams when it is closed, after what is left to tell', async () => {
    const source = new Script();
    const feed = new EventFeed(source);
    const reader = new Reader(feed, null);
    await reader.next();
    source.append(1);
    feed.close();
    expect(await reader.next()).toEqual(['operation 1']);
    expect(await reader.next()).toBeNull();
  });

  test('[SRV1e] counts a listener out when it goes, also while it waits', async () => {
    const feed = new EventFeed(new Script());
    const reader = new Reader(feed, null);
    await reader.next();
    const waiting = reader.next();
    expect(feed.listeners).toBe(1);
    await reader.cancel();
    expect(await waiting).toBeNull();
    expect(feed.listeners).toBe(0);
  });

  test('[SRV1c] loses nothing for readers of any speed', async () => {
    const source = new Script().append(50);
    const feed = new EventFeed(source);
    const readers = Array.from({ length: 8 }, (_, n) => new Reader(feed, n * 5));
    const reading = readers.map((reader, n) => reader.upTo(1 + 400 - n * 5));
    for (let n = 0; n < 350; n++) {
      source.append(1);
      if (n % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    for (const [n, told] of (await Promise.all(reading)).entries())
      expect(told).toEqual([`hello ${n * 5}`, ...operations(n * 5 + 1, 400)]);
  });
});

describe('over the app', () => {
  const stage = new Stage();
  afterAll(() => stage.close());

  async function take(events: AsyncGenerator<ClientEvent>, count: number): Promise<ClientEvent[]> {
    const taken: ClientEvent[] = [];
    for await (const event of events) if (taken.push(event) === count) break;
    return taken;
  }

  test('[SRV1c] operations are told with their seq, and never with what a call is to write', async () => {
    const client = stage.client(stage.makeRoot());
    must(await client.startSession({ body: { id: 's', agent: 'a' } }));
    const input = { file_path: 'new.txt', content: 'a secret body' };
    must(await client.beginCall({ body: { session: 's', callId: '1', tool: 'Write', input } }));
    // That all files were read is told when it is so, which may be before the call, between, or later.
    const [hello, ...all] = await take(client.events({ since: 0 }), 4);
    expect(hello).toEqual({ kind: 'connected', seq: 0 });
    expect(all).toMatchObject([{ seq: 1 }, { seq: 2 }, { seq: 3 }]);
    const told = all.filter((event) => event.kind === 'operation' && event.operation.kind !== 'workspace-opened');
    expect(told).toMatchObject([
      { kind: 'operation', operation: { kind: 'session-started', at: expect.stringMatching(/Z$/) } },
      { kind: 'operation', operation: { kind: 'call-began', names: ['new.txt'] } },
    ]);
    expect(JSON.stringify(told)).not.toContain('a secret body');
  });

  test('[SRV1e] a listener keeps its workspace open, and lets it go when it leaves', async () => {
    const client = stage.client(stage.makeRoot());
    const id = must(await client.workspaceId());
    const events = client.events();
    await events.next();
    await stage.workspaces.closeIdle(() => true);
    expect(stage.isOpen(id)).toBe(true);
    await events.return(undefined);
    await stage.workspaces.closeIdle(() => true);
    expect(stage.isOpen(id)).toBe(false);
  });
});
