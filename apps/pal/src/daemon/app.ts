import { OpenAPIHono } from '@hono/zod-openapi';
import { CONTENT_TYPE, JSON_TYPE, type KnownRefusal, VERSION } from '@palimpsest/protocol';
import { isNestedTooDeeply, PAGE_KEY } from '@palimpsest/protocol/light';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import type { Admission } from './admission.js';
import type { DaemonState } from './host/daemon-state.js';
import { refusalOfFault } from './host/fault.js';
import { issuesInWords } from './issues-in-words.js';
import { serveAttribution } from './routes/attribution.js';
import { serveCalls } from './routes/calls.js';
import { serveChanges } from './routes/changes.js';
import { serveCheckpoints } from './routes/checkpoints.js';
import { serveContext } from './routes/context.js';
import { serveConversations } from './routes/conversations.js';
import { serveDaemon } from './routes/daemon.js';
import { serveFileChanges } from './routes/file-changes.js';
import { serveHooks } from './routes/hooks.js';
import { serveKeeping } from './routes/keeping.js';
import { serveLog } from './routes/log.js';
import { serveMcp } from './routes/mcp.js';
import { servePage } from './routes/page.js';
import { serveReview } from './routes/review.js';
import { type App, refuse } from './routes/serve-route.js';
import { serveSessions } from './routes/sessions.js';
import { serveSettings } from './routes/settings.js';
import { serveWorktrees } from './routes/worktrees.js';

/** A request larger than this is refused; the largest honest one is the input of a tool that writes a big file. */
export const BODY_BYTES_LIMIT = 32 * 1024 * 1024;

/** The daemon as a function from request to response; it needs no socket. `admission` is asked for each request. */
export function createApp(state: DaemonState, admission: Admission): App {
  const app: App = new OpenAPIHono({
    defaultHook: (result, context) =>
      result.success ? undefined : refuse(context, { code: 'bad-input', why: issuesInWords(result.error.issues) }),
  });
  app.use(admit(admission), count(state), harden, requireJson, limitBody, limitNesting);
  serveDaemon(app, state);
  serveSessions(app, state);
  serveConversations(app, state);
  serveWorktrees(app, state);
  serveCalls(app, state);
  serveHooks(app, state);
  serveChanges(app, state);
  serveContext(app, state);
  serveReview(app, state);
  serveAttribution(app, state);
  serveCheckpoints(app, state);
  serveKeeping(app, state);
  serveSettings(app, state);
  serveLog(app, state);
  serveMcp(app, state);
  serveFileChanges(app, state);
  servePage(app, state);
  app.openAPIRegistry.registerComponent('securitySchemes', 'token', { type: 'http', scheme: 'bearer' });
  app.doc31('/openapi.json', { openapi: '3.1.0', info: { title: 'Palimpsest', version: VERSION } });
  app.notFound((context) => refuse(context, { code: 'no-such-route', path: context.req.path }));
  app.onError((error, context) => refuse(context, explained(error, context, state)));
  return app;
}

/** A stranger gets the same answer to everything: no body, no header that tells anything. */
function admit(admission: Admission): MiddlewareHandler {
  return async (context, next) => {
    const header = (name: string) => context.req.header(name);
    const admitted = admission({
      method: context.req.method,
      path: context.req.path,
      authorization: header('authorization'),
      cookie: header('cookie'),
      pageKey: header(PAGE_KEY),
      code: context.req.query('code'),
      host: header('host'),
      origin: header('origin'),
    });
    switch (admitted) {
      case 'welcome':
        return next();
      case 'stranger':
        return new Response(null, { status: 401, headers: { 'content-length': '0' } });
      case 'wrong-host':
        return refuse(context, { code: 'wrong-origin', what: 'host' });
      case 'wrong-origin':
        return refuse(context, { code: 'wrong-origin', what: 'origin' });
    }
  };
}

/** Stopping waits for what is under way, and takes on nothing new but questions about itself. */
function count(state: DaemonState): MiddlewareHandler {
  return async (context, next) => {
    if (state.stopping && !ABOUT_ITSELF.has(context.req.path)) return refuse(context, { code: 'stopping' });
    const done = state.traffic.enter();
    try {
      await next();
    } finally {
      done();
    }
  };
}

const ABOUT_ITSELF: ReadonlySet<string> = new Set(['/v1/health', '/v1/shutdown']);

/** Said before the answer is made: changing one afterwards costs as much as making it. */
async function harden(context: Context, next: () => Promise<void>): Promise<void> {
  for (const [name, value] of HARDENING) context.header(name, value);
  await next();
}

const HARDENING: readonly (readonly [string, string])[] = [
  ['x-content-type-options', 'nosniff'],
  ['cache-control', 'no-store'],
  ['referrer-policy', 'no-referrer'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['cross-origin-resource-policy', 'same-origin'],
];

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** A form of a web page cannot send this type, so nothing that a page can send by itself changes anything. */
async function requireJson(context: Context, next: () => Promise<void>): Promise<Response | undefined> {
  const type = context.req.header(CONTENT_TYPE)?.split(';')[0]?.trim().toLowerCase();
  if (!READING.has(context.req.method) && type !== JSON_TYPE) return refuse(context, { code: 'not-json' });
  await next();
  return undefined;
}

/** A body whose length is said is held to it by the server; only one that comes in pieces has to be counted. */
async function limitBody(context: Context, next: () => Promise<void>): Promise<Response | undefined> {
  const length = context.req.header('content-length');
  if (length === undefined && !READING.has(context.req.method)) return (await countBody(context, next)) ?? undefined;
  if (Number(length ?? 0) > BODY_BYTES_LIMIT) return tooLarge(context);
  await next();
  return undefined;
}

/** The log, the schemas and JSON itself go down one call for each level, and a stack is not endless. */
async function limitNesting(context: Context, next: () => Promise<void>): Promise<Response | undefined> {
  if (!READING.has(context.req.method) && isNestedTooDeeply(await context.req.text()))
    return refuse(context, { code: 'bad-input', why: 'the request is nested too deeply' });
  await next();
  return undefined;
}

const countBody = bodyLimit({ maxSize: BODY_BYTES_LIMIT, onError: tooLarge });

function tooLarge(context: Context): Response {
  return refuse(context, { code: 'too-large', what: 'the request', limit: BODY_BYTES_LIMIT });
}

function explained(error: unknown, context: Context, state: DaemonState): KnownRefusal {
  if (error instanceof HTTPException && error.status < 500) return { code: 'bad-input', why: error.message };
  const refusal = refusalOfFault(error, state.dataDir);
  state.log.fault('request-failed', error, { method: context.req.method, path: context.req.path, code: refusal.code });
  return refusal;
}
