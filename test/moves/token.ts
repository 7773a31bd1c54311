/**
 * Every line that anybody writes carries a token with its writer, and no token is written twice. So whose a line is, and
 * whether it is still the same one, can be read off the bytes.
 */
export type Writer = string;

/** People, and what was there before anybody came. Agents are `session.call`. */
export const HUMAN: Writer = 'human';
export const START: Writer = 'start';
/** A program that neither a person nor an agent runs: a watcher, a build, a sync client. */
export const PROGRAM: Writer = 'program';

/** An agent that works through our own MCP tools; which session that is we are not told before. */
export const MCP_WRITER: Writer = 'mcp.tools';

const TOKEN = /~([a-z]+(?:\.[A-Za-z0-9-]+)?)#(\d+)~/g;

export class Tokens {
  #last = 0;
  /** Written where nobody could tell whose they are: by a person, unannounced, while a command ran. */
  readonly #loose = new Set<string>();
  readonly #shared = new Map<string, readonly Writer[]>();

  line(writer: Writer): string {
    return `${this.token(writer)} ${WORDS[this.#last % WORDS.length]}`;
  }

  lines(writer: Writer, count: number): readonly string[] {
    return Array.from({ length: count }, () => this.line(writer));
  }

  token(writer: Writer): string {
    this.#last += 1;
    return `~${writer}#${this.#last}~`;
  }

  loosen(tokens: Iterable<string>): void {
    for (const token of tokens) this.#loose.add(token);
  }

  /** One of these calls wrote it; which of them nobody could tell. */
  share(token: string, writers: readonly Writer[]): void {
    this.#shared.set(token, writers);
  }

  /** Who may be named for it. */
  writersOf(token: string): readonly Writer[] {
    return this.#shared.get(token) ?? [writerOf(token)];
  }

  isLoose(token: string): boolean {
    return this.#loose.has(token);
  }
}

const WORDS = ['the quick fox', 'lorem ipsum', 'if (x) {', '}', 'return y;', 'once upon a time', '* item'];

/** In the order in which they stand. */
export function tokensIn(bytes: Buffer | string): readonly string[] {
  const text = typeof bytes === 'string' ? bytes : bytes.toString('latin1');
  return text.match(TOKEN) ?? [];
}

export function writerOf(token: string): Writer {
  return token.slice(1, token.indexOf('#'));
}

export function isAgents(token: string): boolean {
  return writerOf(token).includes('.');
}

export function writerOfCall(session: string, call: string): Writer {
  return `${session}.${call}`;
}
