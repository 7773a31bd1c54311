import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropicReply, chatReply, geminiReply, responsesReply } from './wires.fixture.js';

/** A tool call as the model makes it. `custom`: Codex hands its input over as bare text. */
export type ModelCall = { readonly name: string; readonly input: unknown; readonly custom?: true };

/** What the model says to one request. `run` happens first, behind the agent's back. */
export type Step = {
  readonly calls?: readonly ModelCall[];
  readonly text?: string;
  readonly run?: () => void | Promise<void>;
  /** Held back until a request contains this. */
  readonly match?: string;
  /** Tokens that the model claims the conversation has. */
  readonly tokens?: number;
};

/** A call of the model with the id that it was given. */
export type MadeCall = ModelCall & { readonly id: string };
export type Reply = { readonly text: string; readonly calls: readonly MadeCall[]; readonly tokens: number };

const SIDE_REPLY: Reply = { text: '<summary>what happened so far</summary>', calls: [], tokens: 100 };
const DONE: Reply = { text: 'All done.', calls: [], tokens: 100 };

/**
 * A model on loopback that says what a script tells it to, over the wires of Anthropic, OpenAI (both) and Gemini. Steps
 * are used up by requests that offer tools; others, for titles and summaries, get a reply of their own. The same request
 * again gets the same reply.
 */
export class ScriptedModel {
  readonly #server: Server;
  readonly #requests: string[] = [];
  readonly #answered = new Map<string, Reply>();
  readonly #made: MadeCall[] = [];
  readonly #waits: number[] = [];
  #answeredAt = 0;
  #steps: Step[] = [];
  #calls = 0;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<ScriptedModel> {
    const model = new ScriptedModel();
    await new Promise<void>((resolve) => model.#server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What it was asked so far, whole. */
  get requests(): readonly string[] {
    return this.#requests;
  }

  /** Those of them that offer tools: what the agent itself was about. */
  get turns(): readonly string[] {
    return this.#requests.filter(offersTools);
  }

  /** How long the agent took from each reply to its next request, in milliseconds: running the calls, and their hooks. */
  get waits(): readonly number[] {
    return this.#waits;
  }

  /** The calls it made since the last script, in order. */
  get made(): readonly MadeCall[] {
    return this.#made;
  }

  play(steps: readonly Step[]): void {
    this.#steps = [...steps];
    this.#requests.length = 0;
    this.#made.length = 0;
    this.#waits.length = 0;
    this.#answeredAt = 0;
    this.#answered.clear();
  }

  /** Steps that nobody asked for. */
  get left(): number {
    return this.#steps.length;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const askedAt = performance.now();
    const path = new URL(request.url ?? '/', 'http://model').pathname;
    if (request.method !== 'POST') {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"models":[]}');
      return;
    }
    if (path.includes('count_tokens') || path.endsWith(':countTokens')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":100,"totalTokens":100}');
      return;
    }
    if (this.#answeredAt > 0 && offersTools(body)) this.#waits.push(askedAt - this.#answeredAt);
    const reply = await this.#reply(body);
    const stream = streamFor(path, reply);
    response.writeHead(200, {
      'content-type': path.endsWith(':generateContent') ? 'application/json' : 'text/event-stream',
    });
    response.end(stream);
    if (offersTools(body)) this.#answeredAt = performance.now();
  }

  async #reply(body: string): Promise<Reply> {
    this.#requests.push(body);
    if (!offersTools(body)) return SIDE_REPLY;
    const earlier = this.#answered.get(body);
    if (earlier !== undefined) return earlier;
    const at = this.#steps.findIndex(({ match }) => match === undefined || body.includes(match));
    const step = at < 0 ? undefined : this.#steps.splice(at, 1)[0];
    await step?.run?.();
    const reply = step === undefined ? DONE : this.#replyOf(step);
    this.#answered.set(body, reply);
    return reply;
  }

  #replyOf({ calls = [], text = '', tokens = 100 }: Step): Reply {
    const made = calls.map((call) => ({ ...call, id: `call_${process.pid}_${++this.#calls}` }));
    this.#made.push(...made);
    return { text, calls: made, tokens };
  }
}

function offersTools(body: string): boolean {
  const { tools } = JSON.parse(body) as { tools?: readonly unknown[] };
  return tools !== undefined && tools.length > 0;
}

function streamFor(path: string, reply: Reply): string {
  if (path.endsWith('/messages')) return anthropicReply(reply);
  if (path.endsWith('/responses')) return responsesReply(reply);
  if (path.endsWith('/chat/completions')) return chatReply(reply);
  return geminiReply(reply, path.endsWith(':generateContent') ? 'whole' : 'stream');
}
