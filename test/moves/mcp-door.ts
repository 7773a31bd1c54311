import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { PATIENCE_MS, type Said } from './http-door.js';
import type { World } from './world.js';

type Answer = { readonly result?: Record<string, unknown>; readonly error?: { readonly message: string } };

/** MCP over standard input and output, as any client speaks it. */
export class McpDoor {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #asked = 0;
  #rest = '';

  static async open(world: World): Promise<McpDoor> {
    const door = new McpDoor(world.start(['mcp']));
    await door.#ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'moves', version: '1' },
    });
    door.#send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return door;
  }

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stdin!.on('error', () => undefined);
    child.stderr!.resume();
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => this.#take(chunk));
  }

  async call(name: string, input: unknown): Promise<Said> {
    const { result, error } = await this.#ask('tools/call', { name, arguments: input });
    if (result === undefined) return { ok: false, code: error?.message ?? 'no result', value: {} };
    const failed = result.isError === true;
    const complaint = (result._meta as Record<string, unknown> | undefined)?.['palimpsest/error'] as
      | { code?: string }
      | undefined;
    return {
      ok: !failed,
      code: failed ? (complaint?.code ?? 'failed') : '',
      value: failed ? { text: result.content } : (result.structuredContent as Record<string, unknown>),
    };
  }

  async leave(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.stdin!.end();
    const late = setTimeout(() => this.#child.kill('SIGKILL'), 10_000);
    await exited;
    clearTimeout(late);
  }

  #ask(method: string, params: unknown): Promise<Answer> {
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`no answer to ${method} over MCP`)), PATIENCE_MS);
      this.#waiting.set(id, (answer) => {
        clearTimeout(late);
        resolve(answer);
      });
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  #send(message: unknown): void {
    this.#child.stdin!.write(`${JSON.stringify(message)}\n`);
  }

  #take(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as { id?: number; method?: string } & Answer;
      if (message.method !== undefined) {
        if (message.id !== undefined) this.#send({ jsonrpc: '2.0', id: message.id, result: {} });
      } else if (message.id !== undefined) this.#waiting.get(message.id)?.(message);
    }
  }
}
