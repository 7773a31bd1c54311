import { randomUUID } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { DaemonAddress } from '@palimpsest/protocol/light';
import { Connection } from './connection/connection.js';
import { createServer } from './server.js';

export type HttpRequest = {
  readonly request: Request;
  /** The root of the workspace that the address names. */
  readonly root: string;
  readonly address: DaemonAddress;
};

/** More clients at once than one person has; past it the one that was silent longest must introduce itself again. */
const CLIENTS_LIMIT = 64;
const MESSAGE_BYTES_LIMIT = 32 * 1024 * 1024;
const SESSION_HEADER = 'mcp-session-id';

/**
 * MCP clients over HTTP. Each says with every request which connection it means, by the id it got when it introduced
 * itself; one whose connection is not known any more is told so, and introduces itself again.
 */
export class HttpClients {
  readonly #served = new Map<string, Served>();

  async answer(asked: HttpRequest): Promise<Response> {
    // Nothing is ever sent without being asked, so there is no stream to listen to.
    if (asked.request.method === 'GET') return new Response(null, { status: 405, headers: { allow: 'POST, DELETE' } });
    const id = asked.request.headers.get(SESSION_HEADER);
    if (id === null) return (await this.#open(asked)).handleRequest(asked.request);
    const known = this.#served.get(id);
    if (known === undefined || known.root !== asked.root) return notFound();
    this.#served.delete(id);
    this.#served.set(id, known);
    return known.transport.handleRequest(asked.request);
  }

  async #open({ root, address }: HttpRequest): Promise<WebStandardStreamableHTTPServerTransport> {
    const connection = new Connection({ reach: async () => address, folder: async () => root });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      maxRequestBodySize: MESSAGE_BYTES_LIMIT,
      onsessioninitialized: (id) => this.#remember(id, { root, transport, connection }),
      onsessionclosed: (id) => this.#forget(id),
    });
    await createServer(connection).connect(transport);
    return transport;
  }

  async #remember(id: string, served: Served): Promise<void> {
    this.#served.set(id, served);
    const [oldest] = this.#served.keys();
    if (this.#served.size > CLIENTS_LIMIT && oldest !== undefined) await this.#forget(oldest);
  }

  async #forget(id: string): Promise<void> {
    const served = this.#served.get(id);
    if (served === undefined) return;
    this.#served.delete(id);
    const { connection } = served;
    if (connection.hasOwnSession) await (await connection.client()).endSession({ params: { session: connection.id } });
  }
}

type Served = {
  readonly root: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly connection: Connection;
};

function notFound(): Response {
  const error = { code: -32001, message: 'Session not found' };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 });
}
