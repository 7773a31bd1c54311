import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINTS, type Endpoint, pathOf } from '@palimpsest/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AUTHORITY, must, Stage, TOKEN } from './app.fixture.js';
import { BODY_BYTES_LIMIT } from './app.js';

const stage = new Stage();
let workspace: string;
let root: string;

beforeAll(async () => {
  root = stage.makeRoot();
  writeFileSync(join(root, 'a.txt'), 'a\n');
  writeFileSync(join(stage.folder, 'secret.txt'), 'secret\n');
  workspace = must(await stage.client(root).workspaceId());
});
afterAll(() => stage.close());

type Ask = { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string };
const KEY = { authorization: `Bearer ${TOKEN}`, host: AUTHORITY };
const JSON_BODY = { 'content-type': 'application/json' };

async function ask(path: string, { method = 'GET', headers = KEY, body }: Ask = {}) {
  const response = await stage.app.request(`http://${AUTHORITY}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return { status: response.status, text, headers: Object.fromEntries(response.headers) };
}

/** Every parameter of every route, those of routes to come included. */
const namesIn = (endpoint: Endpoint) => [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
const paramsFor = (endpoint: Endpoint, given: Readonly<Record<string, string>>) =>
  Object.fromEntries(namesIn(endpoint).map((name) => [name, given[name] ?? 'x']));

const everyPath = Object.values(ENDPOINTS).map(
  (endpoint) =>
    [endpoint.method.toUpperCase(), pathOf(endpoint, paramsFor(endpoint, { workspace: '0123456789abcdef' }))] as const,
);

describe('a stranger', () => {
  test.each([
    ...everyPath,
    ['GET', '/openapi.json'],
    ['GET', '/'],
    ['GET', '/v1/nothing'],
    ['OPTIONS', '/v1/health'],
    ['GET', '/sessions/s/file-changes'],
    ['HEAD', '/v1/health'],
  ] as const)('[SEC3a] learns nothing from %s %s', async (method, path) => {
    for (const headers of [
      { host: AUTHORITY },
      { ...KEY, authorization: 'Bearer wrong' },
      { host: 'evil.example', origin: 'http://evil.example' },
    ]) {
      const { status, text, headers: got } = await ask(path, { method, headers: { ...JSON_BODY, ...headers } });
      expect({ status, text, got }).toEqual({ status: 401, text: '', got: { 'content-length': '0' } });
    }
  });

  test('[SEC3a] has its large body refused like any other', async () => {
    const { status, text } = await ask('/v1/workspaces', {
      method: 'POST',
      headers: { host: AUTHORITY },
      body: 'x'.repeat(100_000),
    });
    expect([status, text]).toEqual([401, '']);
  });

  test('[SEC3a] cannot put the token into the address', async () => {
    expect((await ask(`/v1/health?token=${TOKEN}`, { headers: { host: AUTHORITY } })).status).toBe(401);
  });
});

describe('who holds the token', () => {
  test('[SEC3b] is served', async () => {
    expect((await ask('/v1/health')).status).toBe(200);
  });

  test.each([
    ['a host that points here', { host: `evil.example:4321` }],
    ['another port', { host: '127.0.0.1:4322' }],
    ['a foreign origin', { origin: 'http://evil.example' }],
    ['the origin of a file', { origin: 'null' }],
  ])('[SEC3b] is refused with %s', async (_, headers) => {
    const { status, text } = await ask('/v1/health', { headers: { ...KEY, ...headers } });
    expect([status, JSON.parse(text).error.code]).toEqual([403, 'wrong-origin']);
  });

  test.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'text/plain; application/json',
    '',
  ])('[SEC3c] cannot change anything with the content type %j', async (type) => {
    const body = JSON.stringify({ root: stage.makeRoot('form') });
    const { status } = await ask('/v1/workspaces', { method: 'POST', headers: { ...KEY, 'content-type': type }, body });
    expect(status).toBe(415);
    const known = must(await stage.client(root).listWorkspaces()).workspaces;
    expect(known.some((one) => one.root.includes('/form-'))).toBe(false);
  });

  test('[SEC3c] may name the character set', async () => {
    const headers = { ...KEY, 'content-type': 'application/json; charset=utf-8' };
    expect((await ask('/v1/workspaces', { method: 'POST', headers, body: JSON.stringify({ root }) })).status).toBe(200);
  });

  test.each([
    ['with its length', { 'content-length': String(BODY_BYTES_LIMIT + 1) }, '{}'],
    ['without it', {}, ' '.repeat(BODY_BYTES_LIMIT + 1)],
  ])('[SEC3c] cannot send a body over the limit %s', async (_, headers, body) => {
    const { status, text } = await ask('/v1/workspaces', {
      method: 'POST',
      headers: { ...KEY, ...JSON_BODY, ...headers },
      body,
    });
    expect([status, JSON.parse(text).error.code]).toEqual([413, 'too-large']);
  });

  test.each(['', '{', '[]', 'null', '"x"', '{"root":5}', '{"root":""}', `{"root":"x","extra":1}`])(
    '[SEC4h] sending %j is told what is wrong with it',
    async (body) => {
      const { status, text } = await ask('/v1/workspaces', { method: 'POST', headers: { ...KEY, ...JSON_BODY }, body });
      expect([status, JSON.parse(text).error.code]).toEqual([400, 'bad-input']);
    },
  );

  test('[SEC3b] gets no permission for other pages to read the answer', async () => {
    const { headers } = await ask('/v1/health', { headers: { ...KEY, origin: `http://${AUTHORITY}` } });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
  });

  test('[SEC3a] asking for nothing that there is gets no stack trace', async () => {
    const { status, text } = await ask('/v1/nothing');
    expect([status, Object.keys(JSON.parse(text).error)]).toEqual([404, ['path', 'code', 'message', 'hint']]);
  });
});

describe('hostile parameters', () => {
  const HOSTILE = [
    '..',
    '../..',
    '../../../secret.txt',
    '/etc/passwd',
    '..\\..',
    '%2e%2e',
    '\u0000',
    'a\nb',
    '.'.repeat(3000),
    '\u001b[2J',
    '__proto__',
  ];

  const parameters = Object.values(ENDPOINTS).flatMap((endpoint) =>
    namesIn(endpoint).map((parameter) => ({ endpoint, parameter })),
  );

  test.each(parameters)(
    '[SEC4a] $endpoint.method $endpoint.path refuses every hostile $parameter',
    async ({ endpoint, parameter }) => {
      for (const value of HOSTILE) {
        const known = { workspace, session: 'none', change: 'c1.1', content: '0'.repeat(40), [parameter]: value };
        const body = endpoint.method === 'get' ? {} : { body: JSON.stringify({ title: 't', upTo: 0, root }) };
        const { status, text } = await ask(pathOf(endpoint, paramsFor(endpoint, known)), {
          method: endpoint.method.toUpperCase(),
          headers: { ...KEY, ...JSON_BODY },
          ...body,
        });
        expect([400, 404]).toContain(status);
        expect(text).not.toContain('secret\n');
        expect([...JSON.parse(text).error.message].every((char: string) => char >= ' ')).toBe(true);
      }
    },
  );

  test.each(['../secret.txt', '/etc/passwd', 'x/../../secret.txt', '.git/config'])(
    '[SEC4b] a note about %s is refused',
    async (path) => {
      const noted = await stage.client(root).addNote({ body: { kind: 'read', session: 's', path } });
      expect(noted).toMatchObject({ ok: false, error: { status: 400 } });
    },
  );

  test('[CHK5e] a folder too wide to be a workspace is refused, and so is a file', async () => {
    const client = stage.client(root);
    expect(await client.openWorkspace({ body: { root: stage.folder } })).toMatchObject({
      ok: false,
      error: { error: { code: 'too-wide' } },
    });
    expect(await client.openWorkspace({ body: { root: join(root, 'a.txt') } })).toMatchObject({
      ok: false,
      error: { error: { code: 'not-a-folder' } },
    });
  });

  test('[SEC4a] ids with any characters are only ids', async () => {
    const client = stage.client(root);
    for (const id of ['../../x', 'a:b', '..', '.', 'x'.repeat(300), '\u0007\n', '~..']) {
      expect(must(await client.startSession({ body: { id, agent: 'a' } })).session.id).toBe(id);
      expect(must(await client.getSession({ params: { session: id } })).session.id).toBe(id);
      expect(must(await client.deleteSession({ params: { session: id } })).session.id).toBe(id);
    }
  });
});
