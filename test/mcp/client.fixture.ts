import type { ChildProcess } from 'node:child_process';
import type { Workspace } from '../cli/pal.fixture.js';
import { ended } from '../cli/pal.fixture.js';
import { LIMIT_MS } from '../patience.fixture.js';

export type Answer = {
  readonly id: number | string | null;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
};
export type ToolAnswer = {
  readonly text: string;
  readonly data: Record<string, unknown>;
  readonly failed: boolean;
  readonly error: { readonly code?: string; readonly hint?: string };
};
export type ToolListing = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema: Record<string, unknown>;
  readonly annotations: Record<string, boolean | string>;
};

const PATIENCE_MS = LIMIT_MS;

/** A client that speaks the wire itself, so that what is on it can be seen. */
export class McpClient {
  readonly child: ChildProcess;
  readonly exited: ReturnType<typeof ended>;
  /** Requests and notifications of the server. */
  readonly heard: Record<string, unknown>[] = [];
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  readonly #onRequest: (method: string) => unknown;
  #rest = '';
  #asked = 0;

  constructor(
    workspace: Workspace,
    options: { args?: string[]; cwd?: string; onRequest?: (method: string) => unknown } = {},
  ) {
    this.#onRequest = options.onRequest ?? (() => undefined);
    this.child = workspace.user.start(options.args ?? ['mcp'], { cwd: options.cwd ?? workspace.root });
    this.exited = ended(this.child);
    this.child.stdin!.on('error', () => undefined);
    this.child.stdout!.on('data', (chunk: string) => this.#take(chunk));
  }

  /** Starts, introduces itself, and is ready. */
  static async started(workspace: Workspace, name = 'probe'): Promise<McpClient> {
    const client = new McpClient(workspace);
    await client.introduce(name);
    return client;
  }

  async introduce(name = 'probe', protocolVersion = '2025-11-25', capabilities: unknown = {}): Promise<Answer> {
    const answer = await this.ask('initialize', { protocolVersion, capabilities, clientInfo: { name, version: '1' } });
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  ask(method: string, params: unknown = {}): Promise<Answer> {
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`no answer to ${method}`)), PATIENCE_MS);
      this.#waiting.set(id, (answer) => {
        clearTimeout(late);
        resolve(answer);
      });
      this.send({ jsonrpc: '2.0', id, method, params });
    });
  }

  async call(name: string, args: unknown = {}, meta?: Record<string, unknown>): Promise<ToolAnswer> {
    const answer = await this.ask('tools/call', {
      name,
      arguments: args,
      ...(meta === undefined ? {} : { _meta: meta }),
    });
    return toolAnswerOf(answer);
  }

  async tools(): Promise<readonly ToolListing[]> {
    const { result } = await this.ask('tools/list');
    return result!.tools as readonly ToolListing[];
  }

  send(message: unknown): void {
    this.child.stdin!.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  /** As a client leaves: it closes its end. */
  async leave(): ReturnType<typeof ended> {
    this.child.stdin!.end();
    return this.exited;
  }

  #take(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop()!;
    for (const line of lines) this.#hear(JSON.parse(line) as Record<string, unknown>);
  }

  #hear(message: Record<string, unknown>): void {
    if ('method' in message) {
      this.heard.push(message);
      if ('id' in message)
        this.send({ jsonrpc: '2.0', id: message.id, result: this.#onRequest(String(message.method)) ?? {} });
      return;
    }
    this.#waiting.get(message.id as number)?.(message as unknown as Answer);
  }
}

export function toolAnswerOf({ result, error }: Answer): ToolAnswer {
  if (result === undefined) throw new Error(`not a tool result: ${JSON.stringify(error)}`);
  const content = result.content as readonly { readonly text: string }[];
  return {
    text: content.map(({ text }) => text).join('\n'),
    data: (result.structuredContent ?? {}) as Record<string, unknown>,
    failed: result.isError === true,
    error: ((result._meta as Record<string, unknown> | undefined)?.['palimpsest/error'] ?? {}) as ToolAnswer['error'],
  };
}
