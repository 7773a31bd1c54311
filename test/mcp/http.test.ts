import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { User, type Workspace } from '../cli/pal.fixture.js';
import { type Answer, type ToolAnswer, toolAnswerOf } from './client.fixture.js';

const user = new User();
afterAll(() => user.leave());

type Address = { readonly url: string; readonly token: string };

async function addressOf(workspace: Workspace): Promise<Address> {
  const { workspace: found } = await workspace.json<{ workspace: { id: string } }>('status');
  const { port, token } = JSON.parse(readFileSync(join(user.data, 'daemon.json'), 'utf8')) as {
    port: number;
    token: string;
  };
  return { url: `http://127.0.0.1:${port}/v1/workspaces/${found.id}/mcp`, token };
}

class HttpClient {
  readonly #address: Address;
  session: string | null = null;
  #asked = 0;

  constructor(address: Address) {
    this.#address = address;
  }

  async post(message: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.#address.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#address.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(this.session === null ? {} : { 'mcp-session-id': this.session }),
        ...headers,
      },
      body: JSON.stringify(message),
    });
  }

  async ask(method: string, params: unknown = {}): Promise<Answer> {
    const response = await this.post({ jsonrpc: '2.0', id: ++this.#asked, method, params });
    this.session ??= response.headers.get('mcp-session-id');
    return (await response.json()) as Answer;
  }

  async introduce(name: string): Promise<void> {
    const clientInfo = { name, version: '1' };
    const { result } = await this.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    expect(result).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: 'palimpsest' } });
    const told = await this.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(told.status).toBe(202);
  }

  async call(name: string, args: unknown = {}): Promise<ToolAnswer> {
    return toolAnswerOf(await this.ask('tools/call', { name, arguments: args }));
  }
}

describe('over HTTP', () => {
  test('[AGT2d] the daemon serves the same tools; each connection is a session of its own', async () => {
    const workspace = user.workspace();
    const address = await addressOf(workspace);
    const [first, second] = [new HttpClient(address), new HttpClient(address)];
    await first.introduce('first');
    await second.introduce('second');
    expect(first.session).not.toBe(second.session);
    const { result } = await first.ask('tools/list');
    expect((result!.tools as { name: string }[]).map(({ name }) => name)).toContain('pal_edit');

    await first.call('pal_read', { path: 'a.txt' });
    const edit = { path: 'a.txt', old_string: 'two', new_string: '2' };
    expect(await second.call('pal_edit', edit)).toMatchObject({ failed: true, error: { code: 'denied' } });
    expect(await first.call('pal_edit', edit)).toMatchObject({ failed: false });
    expect(workspace.read('a.txt')).toBe('one\n2\nthree\n');
    expect(await workspace.json('changes')).toMatchObject({ changes: [{ agent: 'first', tool: 'Edit' }] });
    expect(await first.call('pal_read', { path: '../x' })).toMatchObject({ failed: true, error: { code: 'outside' } });
  });

  test('[SEC3a] strangers, other origins, unknown connections and other workspaces get nothing', async () => {
    const address = await addressOf(user.workspace());
    const other = await addressOf(user.workspace());
    const client = new HttpClient(address);
    await client.introduce('probe');
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect((await client.post(ping)).status).toBe(200);
    expect((await client.post(ping, { authorization: 'Bearer x' })).status).toBe(401);
    expect((await client.post(ping, { origin: 'http://evil.example' })).status).toBe(403);
    expect((await client.post(ping, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await client.post(ping, { 'mcp-session-id': 'nobody' })).status).toBe(404);
    const elsewhere = new HttpClient(other);
    elsewhere.session = client.session;
    expect((await elsewhere.post(ping)).status).toBe(404);
    const unknown = new HttpClient({ ...address, url: address.url.replace(/[0-9a-f]{16}/, '0'.repeat(16)) });
    expect((await unknown.post(ping)).status).toBe(404);
    const listening = await fetch(address.url, { headers: { authorization: `Bearer ${address.token}` } });
    expect(listening.status).toBe(405);
    expect((await client.post('not a message')).status).toBe(400);
    expect((await client.post(ping)).status).toBe(200);
  });
});
