import { ENDPOINTS, type EndpointName } from '@palimpsest/protocol';
import type { RequestFacts } from './admission.js';
import { ENTER, PAGE, pageCookie } from './host/page-address.js';
import type { PageKeys } from './host/page-keys.js';

/** Whether a request comes from a page that was let in and asks for what a page may; or is about to be let in. */
export function isPageOf(pages: PageKeys, port: number, request: RequestFacts): boolean {
  const { method, path, code, pageKey } = request;
  if (path === ENTER) return method === 'GET' && pages.isCode(code ?? '');
  if (!pages.isAt(port)) return false;
  const cookie = cookieIn(request.cookie ?? '', pageCookie(port));
  if (path.startsWith(PAGE)) return method === 'GET' && pages.knowsCookie(cookie);
  return mayPageAsk(method, path) && pages.knows(cookie, pageKey ?? '');
}

function cookieIn(header: string, name: string): string {
  const pairs = header.split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([key]) => key === name)?.[1] ?? '';
}

/**
 * What the page may ask for. It needs no more, so that whatever comes to run in a browser in its place cannot speak for an
 * agent, write a file of its own making, stop the daemon, or change what is kept.
 */
const RIGHTS: readonly EndpointName[] = [
  'health',
  'listWorkspaces',
  'status',
  'listSessions',
  'getSession',
  'listPrompts',
  'getNotices',
  'listChanges',
  'getChange',
  'getPatch',
  'getContent',
  'listStale',
  'comment',
  'accept',
  'reject',
  'listConflicts',
  'resolveConflict',
  'attribute',
  'undo',
  'redo',
  'blame',
  'stats',
  'saveCheckpoint',
  'listCheckpoints',
  'diffCheckpoints',
  'pinCheckpoint',
  'planRestore',
  'restoreCheckpoint',
  'listOperations',
  'events',
];

const PATTERNS = RIGHTS.map((name) => {
  const { method, path } = ENDPOINTS[name];
  return { method: method.toUpperCase(), path: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) };
});

function mayPageAsk(method: string, path: string): boolean {
  return PATTERNS.some((right) => right.method === method && right.path.test(path));
}
