import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';

/** What came back, whichever door was used. */
export type Said = { readonly ok: boolean; readonly code: string; readonly value: Readonly<Record<string, unknown>> };

/** Longer than anything may take on a busy machine; past it a call was not answered. */
export const PATIENCE_MS = 60_000;

type Address = { readonly pid: number; readonly port: number; readonly token: string };

/** HTTP as a stranger speaks it: the address file, a bearer token, JSON. */
export class HttpDoor {
  readonly #data: string;
  // A connection that is kept may be closed by the daemon at the moment of the next request.
  readonly #agent = new Agent({ keepAlive: false, maxSockets: 8 });
  #address: Address | null = null;

  constructor(data: string) {
    this.#data = data;
  }

  /** After the daemon was replaced. */
  forgetAddress(): void {
    this.#address = null;
  }

  get pid(): number {
    return this.#find().pid;
  }

  async ask(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Said> {
    const { status, bytes } = await this.fetch(method, path, body);
    const value = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
    const code = (value.error as { code?: string } | undefined)?.code ?? '';
    return { ok: status >= 200 && status < 300, code: code === '' && status >= 300 ? `status ${status}` : code, value };
  }

  fetch(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly bytes: Buffer }> {
    const { port, token } = this.#find();
    const text = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port,
          path,
          method,
          agent: this.#agent,
          timeout: PATIENCE_MS,
          headers: {
            authorization: `Bearer ${token}`,
            ...(text === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          },
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, bytes: Buffer.concat(chunks) }));
          answer.on('error', reject);
        },
      );
      sent.on('timeout', () => sent.destroy(new Error(`no answer to ${method} ${path} in ${PATIENCE_MS} ms`)));
      sent.on('error', reject);
      sent.end(text);
    });
  }

  leave(): void {
    this.#agent.destroy();
  }

  #find(): Address {
    this.#address ??= JSON.parse(readFileSync(join(this.#data, 'daemon.json'), 'utf8')) as Address;
    return this.#address;
  }
}
