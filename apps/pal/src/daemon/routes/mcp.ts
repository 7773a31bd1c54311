import { ok } from '@palimpsest/core';
import { AUTHORIZATION, bearer, type DaemonAddress } from '@palimpsest/protocol';
import type { HttpClients } from '../../mcp/http.js';
import type { DaemonState } from '../host/daemon-state.js';
import { type App, refuse } from './serve-route.js';

/**
 * The Model Context Protocol over HTTP. Its tools ask the daemon like any other client, only without a socket. What it
 * needs is loaded with the first request: most daemons never get one.
 */
export function serveMcp(app: App, state: DaemonState): void {
  const { workspaces } = state;
  let clients: Promise<HttpClients> | null = null;
  app.all('/v1/workspaces/:workspace/mcp', async (context) => {
    const found = await workspaces.use(context.req.param('workspace'), async ({ workspace }) => ok(workspace.root));
    if (!found.ok) return refuse(context, found.error);
    clients ??= import('../../mcp/http.js').then(({ HttpClients: Clients }) => new Clients());
    const loaded = await clients.catch((error: unknown) => {
      state.log.fault('mcp-not-loaded', error);
      return null;
    });
    // What could not be loaded may be there again by the next request.
    if (loaded === null) clients = null;
    if (loaded === null) return refuse(context, { code: 'not-installed' });
    const { url, method, headers } = context.req.raw;
    // The body was read already, to see how deeply it is nested.
    const body = method === 'POST' ? await context.req.text() : undefined;
    const request = new Request(url, { method, headers, ...(body === undefined ? {} : { body }) });
    return loaded.answer({ request, root: found.value, address: inProcess(app, headers) });
  });
}

/** Whoever was let in may ask everything else too, in the same name. */
function inProcess(app: App, headers: Headers): DaemonAddress {
  const host = headers.get('host') ?? '';
  const token = /^Bearer (.+)$/i.exec(headers.get(AUTHORIZATION) ?? '')?.[1] ?? '';
  return {
    baseUrl: `http://${host}`,
    token,
    fetch: async (url, { method, headers: sent, body }) =>
      app.request(url, {
        method,
        headers: { ...sent, host, [AUTHORIZATION]: bearer(token) },
        ...(body === undefined ? {} : { body }),
      }),
  };
}
