import { request } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { User, type Workspace } from '../cli/pal.fixture.js';

let user: User;
let workspace: Workspace;
beforeEach(() => {
  user = new User();
  workspace = user.workspace();
});
afterEach(() => user.leave());

type Got = { readonly status: number; readonly headers: Readonly<Record<string, unknown>>; readonly body: string };

/** As a browser would ask, but for what a test wants said otherwise. */
function get(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body }));
    });
    asked.on('error', reject).end(method === 'GET' ? undefined : '{}');
  });
}

const address = async () => (await workspace.json<{ url: string }>('ui')).url;
/** What a browser has after it went in: where the page is, and the two secrets. */
async function enter(url: string) {
  const { headers, status } = await get(url);
  const location = String(headers.location);
  const [cookie = ''] = headers['set-cookie'] as string[];
  return { status, location, cookie, pair: cookie.split(';')[0]!, key: /#key=([\w-]+)/.exec(location)?.[1] ?? '' };
}
const origin = (url: string) => new URL(url).origin;

test('[UI1a] the address of `pal ui` opens the page once, for a browser that keeps a cookie that no script can read', async () => {
  const url = await address();
  const entered = await enter(url);
  expect(entered.status).toBe(303);
  expect(entered.cookie).toMatch(/^pal-page-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
  // Behind the `#`, so that it is sent nowhere.
  expect(new URL(entered.location, url)).toMatchObject({ pathname: '/ui/', search: '' });
  expect(await get(url)).toMatchObject({ status: 401, body: '' });
  const page = await get(`${origin(url)}/ui/`, { cookie: entered.pair });
  expect([page.status, page.body.includes('<div id="page">')]).toEqual([200, true]);
});

test('[UI1b] cookie and key are worth nothing without each other, nor to another host or origin', async () => {
  const url = await address();
  const { pair, key } = await enter(url);
  const health = `${origin(url)}/v1/health`;
  const asked = async (headers: Record<string, string>) => (await get(health, headers)).status;
  expect(await asked({ cookie: pair, 'x-pal-page': key })).toBe(200);
  expect(await asked({ cookie: pair })).toBe(401);
  expect(await asked({ 'x-pal-page': key })).toBe(401);
  expect(await asked({ cookie: `${pair}x`, 'x-pal-page': key })).toBe(401);
  expect(await asked({ cookie: pair, 'x-pal-page': key, origin: 'http://evil.example' })).toBe(403);
  expect(await asked({ cookie: pair, 'x-pal-page': key, host: 'evil.example' })).toBe(403);
  for (const path of ['/ui/', '/ui/enter', '/ui/enter?code=', '/ui/enter?code=x', '/ui/../v1/health', '/ui'])
    expect(await get(`${origin(url)}${path}`)).toMatchObject({ status: 401, body: '' });
});

test('[UI1c] the page may review and look, and nothing else: it speaks for no agent and writes no file', async () => {
  const url = await address();
  const { pair, key } = await enter(url);
  const { workspace: facts } = await workspace.json<{ workspace: { id: string } }>('status');
  const headers = { cookie: pair, 'x-pal-page': key, 'content-type': 'application/json' };
  const asked = async (method: string, path: string) =>
    (await get(`${origin(url)}${path.replace('W', `/v1/workspaces/${facts.id}`)}`, headers, method)).status;
  expect(await asked('POST', 'W/undo')).not.toBe(401);
  expect(await asked('GET', 'W/changes')).toBe(200);
  for (const [method, path] of [
    ['POST', '/v1/shutdown'],
    ['POST', '/v1/page/codes'],
    ['POST', '/v1/workspaces'],
    ['POST', 'W/tool/begin'],
    ['POST', 'W/replace'],
    ['POST', 'W/notes'],
    ['POST', 'W/forget'],
    ['PATCH', 'W/settings'],
    ['DELETE', 'W'],
    ['POST', '/mcp'],
  ] as const)
    expect([path, await asked(method, path)]).toEqual([path, 401]);
});

test('[UI1d] nothing is run or fetched from anywhere else, and nobody frames the page', async () => {
  const url = await address();
  const { pair } = await enter(url);
  const { headers, body } = await get(`${origin(url)}/ui/`, { cookie: pair });
  const policy = String(headers['content-security-policy']);
  for (const part of ["default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'", "style-src 'self';"])
    expect(policy).toContain(part);
  expect(policy).not.toMatch(/unsafe-inline|unsafe-eval'(?<!wasm-unsafe-eval')|\*|http/);
  expect(body).not.toMatch(/https?:/);
  const [, script = ''] = /src="\.\/(assets\/[^"]+\.js)"/.exec(body) ?? [];
  expect(await get(`${origin(url)}/ui/${script}`)).toMatchObject({ status: 401, body: '' });
  expect((await get(`${origin(url)}/ui/${script}`, { cookie: pair })).headers['content-type']).toMatch(/javascript/);
});

test('[UI1e] after a restart of the daemon the page is where it was, and still let in', async () => {
  const url = await address();
  const { pair, key } = await enter(url);
  await workspace.pal('stop');
  await workspace.pal('status');
  expect((await get(`${origin(url)}/v1/health`, { cookie: pair, 'x-pal-page': key })).status).toBe(200);
  expect(origin(await address())).toBe(origin(url));
});

test('[UI1a] without a screen the address is printed, and it is one line that can be copied', async () => {
  const { stdout } = await workspace.pal('ui');
  expect(stdout).toMatch(/^open this address in a browser:\n {2}http:\/\/127\.0\.0\.1:\d+\/ui\/enter\?code=\S+\n/);
});
