import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Stands between Codex and the scripted model. Codex expects the tools of a server in a namespace of their own, which the
 * model does not speak: `mcp__server__tool` becomes `tool` in `mcp__server`.
 */
export class NamespaceProxy {
  readonly #server: Server;

  private constructor(target: string) {
    const pass = async (request: IncomingMessage, response: ServerResponse) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const answer = await fetch(`${target}${request.url}`, {
        method: request.method ?? 'POST',
        headers: { 'content-type': 'application/json' },
        ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
      });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
      response.end((await answer.text()).replaceAll(CALLED, '"namespace":"$1","name":"$2"'));
    };
    this.#server = createServer((request, response) => void pass(request, response));
  }

  static async before(target: string): Promise<NamespaceProxy> {
    const proxy = new NamespaceProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

const CALLED = /"name":"(mcp__[a-z]+)__([a-z_]+)"/g;
