import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from 'hono';
import type { DaemonState } from '../host/daemon-state.js';
import { ENTER, PAGE, pageCookie } from '../host/page-address.js';
import { PAGE_LIFETIME_MS } from '../host/page-keys.js';
import type { App } from './serve-route.js';

/** No request leaves this address, nothing is run or shown that does not come from it, and nobody frames it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

export function servePage(app: App, state: DaemonState): void {
  app.get(ENTER, (context) => {
    const entrance = state.pages.exchange(context.req.query('code') ?? '', state.port);
    if (entrance === null) return new Response(null, { status: 401, headers: { 'content-length': '0' } });
    const { cookie, key } = entrance;
    const lifetime = `Max-Age=${PAGE_LIFETIME_MS / 1_000}`;
    context.header('set-cookie', `${pageCookie(state.port)}=${cookie}; Path=/; HttpOnly; SameSite=Strict; ${lifetime}`);
    // Behind the `#`, which no browser sends anywhere; the page keeps it and takes it out of the address.
    return context.redirect(`${PAGE}#key=${key}&to=${encodeURIComponent(context.req.query('to') ?? '')}`, 303);
  });

  const files = filesOnce();
  app.get(`${PAGE}*`, (context) => serveFile(context, files(), context.req.path.slice(PAGE.length) || 'index.html'));
}

function serveFile(
  context: Context,
  files: ReadonlyMap<string, Uint8Array>,
  name: string,
): Response | Promise<Response> {
  const bytes = files.get(name);
  if (bytes === undefined) return context.notFound();
  context.header('content-security-policy', POLICY);
  // The name of everything but the first file changes with what is in it.
  if (name !== 'index.html') context.header('cache-control', 'private, max-age=31536000, immutable');
  return context.body(bytes as Uint8Array<ArrayBuffer>, 200, {
    'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
  });
}

/** Read at the first request, since most daemons never serve a page. Only what was built is there: no path leads out. */
function filesOnce(): () => ReadonlyMap<string, Uint8Array> {
  let files: ReadonlyMap<string, Uint8Array> | null = null;
  return () => {
    files ??= readBuilt();
    return files;
  };
}

function readBuilt(): ReadonlyMap<string, Uint8Array> {
  const folder = fileURLToPath(new URL('../../web/', import.meta.url));
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    names.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length).split(sep).join('/'), readFileSync(path)];
    }),
  );
}
