import { expect, test } from 'vitest';
import { createClient } from './client.js';
import type { ClientEvent } from './client-events.js';
import type { FetchLike, RequestLike } from './fetch-like.js';
import { encodeEvent } from './sse.js';

const WORKSPACE = '0123456789abcdef';
type Sent = { readonly url: string; readonly init: RequestLike };

/** Answers from a list, first come first served; opening the workspace is answered beside it. */
function scripted(answers: readonly (() => Response)[]) {
  const sent: Sent[] = [];
  const left = [...answers];
  const fetch: FetchLike = async (url, init) => {
    sent.push({ url, init });
    if (url.endsWith('/v1/workspaces')) return Response.json({ workspace: { id: WORKSPACE, root: '/w', open: true } });
    const next = left.shift();
    if (next === undefined) throw new Error('connect ECONNREFUSED');
    return next();
  };
  return { sent, client: createClient({ fetch, baseUrl: 'http://d', token: 't', workspaceRoot: '/w/sub' }) };
}

test('[SRV1f] the client finds its workspace once, and sends the token with everything', async () => {
  const { client, sent } = scripted([() => Response.json({ sessions: [] }), () => Response.json({ changes: [] })]);
  expect(await client.listSessions()).toEqual({ ok: true, value: { sessions: [] } });
  expect(await client.listChanges({ query: { status: 'all', path: 'a b' } })).toEqual({
    ok: true,
    value: { changes: [] },
  });
  expect(sent.map(({ url }) => url)).toEqual([
    'http://d/v1/workspaces',
    `http://d/v1/workspaces/${WORKSPACE}/sessions`,
    `http://d/v1/workspaces/${WORKSPACE}/changes?status=all&path=a%20b`,
  ]);
  expect(JSON.parse(sent[0]!.init.body!)).toEqual({ root: '/w/sub' });
  expect(sent.every(({ init }) => init.headers.authorization === 'Bearer t')).toBe(true);
});

test('[SRV1g] a refusal is a value with the code, the way to end, and the facts', async () => {
  const error = { code: 'unknown-change', message: 'there is no change c9.9', change: 'c9.9' };
  const { client } = scripted([() => Response.json({ error }, { status: 404 })]);
  expect(await client.getChange({ params: { change: 'c9.9' } })).toEqual({
    ok: false,
    error: { error, exit: 4, status: 404 },
  });
});

test.each([
  ['no answer', [], 'unreachable', null],
  ['a bare 401', [() => new Response(null, { status: 401 })], 'unauthorized', 401],
  ['a page of somebody else', [() => new Response('<html>', { status: 502 })], 'bad-answer', 502],
] as const)('[SRV1f] %s is a failure that says so', async (_, answers, code, status) => {
  const { client } = scripted(answers);
  expect(await client.status()).toMatchObject({ ok: false, error: { error: { code }, status } });
});

const stream =
  (...frames: readonly string[]) =>
  () =>
    new Response(frames.join(''));
const hello = (seq: number) => encodeEvent({ event: 'hello', id: String(seq), data: '{}' });
const operation = (seq: number) =>
  encodeEvent({ event: 'operation', id: String(seq), data: JSON.stringify({ seq, kind: 'x', at: '' }) });

async function follow(answers: readonly (() => Response)[], count: number, since?: number) {
  const { client, sent } = scripted(answers);
  const events: ClientEvent[] = [];
  const stop = new AbortController();
  for await (const event of client.events({ signal: stop.signal, ...(since === undefined ? {} : { since }) })) {
    events.push(event);
    if (events.length === count) stop.abort();
  }
  const asked = sent.slice(1).map(({ init }) => init.headers['last-event-id'] ?? null);
  return { told: events.map((event) => ('seq' in event ? `${event.kind} ${event.seq}` : event.kind)), asked };
}

test('[SRV1c] a stream that breaks goes on where it was, with nothing twice', async () => {
  const answers = [stream(hello(3), operation(4), operation(5)), stream(hello(5), operation(5), operation(6))];
  const { told, asked } = await follow(answers, 6, 3);
  expect(told).toEqual(['connected 3', 'operation 4', 'operation 5', 'disconnected', 'connected 5', 'operation 6']);
  expect(asked).toEqual(['3', '5']);
});

test('[SRV1c] without a place to start from, the daemon says where it begins', async () => {
  const { told, asked } = await follow([stream(hello(8)), stream(hello(8), operation(9))], 4);
  expect(told).toEqual(['connected 8', 'disconnected', 'connected 8', 'operation 9']);
  expect(asked).toEqual([null, '8']);
});

test('[SRV1c] a reset is passed on, and followed from there', async () => {
  const reset = encodeEvent({ event: 'reset', id: '90', data: '{}' });
  const { told } = await follow([stream(reset, operation(91))], 2, 2);
  expect(told).toEqual(['reset 90', 'operation 91']);
});

test('[SRV1d] one that was too slow comes back at once and misses nothing', async () => {
  const resync = encodeEvent({ event: 'resync', id: null, data: '{}' });
  const { told, asked } = await follow([stream(hello(0), operation(1), resync), stream(hello(1), operation(2))], 5, 0);
  expect(told).toEqual(['connected 0', 'operation 1', 'disconnected', 'connected 1', 'operation 2']);
  expect(asked).toEqual(['0', '1']);
});

test('[SRV1f] coming back is given up where it is of no use', async () => {
  const { told } = await follow(
    [() => Response.json({ error: { code: 'unknown-workspace', message: '' } }, { status: 404 })],
    9,
  );
  expect(told).toEqual(['failed']);
});
