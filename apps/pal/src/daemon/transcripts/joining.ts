import type { Joinable, JoinableCall } from '@palimpsest/engine';
import type { AgentTranscript, TranscriptBlock, TranscriptMessage } from '../../agents/transcript.js';

/**
 * Joins the messages of one session with what its hooks told: each message once, its calls under the ids of the log, and
 * with the turn of its prompt.
 */
export class Joining {
  readonly #how: AgentTranscript['calls'];
  readonly #taken = new Set<string>();
  /** Calls and prompts of the log that no message was joined with yet, oldest first. */
  #calls: JoinableCall[] = [];
  #prompts: { readonly turn: string; readonly text: string }[] = [];
  /** By the transcript's id of a call, that of the log. */
  readonly #joined = new Map<string, string>();
  #turn: string | null = null;

  constructor(how: AgentTranscript['calls']) {
    this.#how = how;
  }

  /** What has come into the log. */
  learn({ messages, calls, prompts, joined }: Joinable): void {
    for (const id of messages) this.#taken.add(id);
    const isFree = ({ call }: JoinableCall) => !joined.calls.has(call);
    if (this.#how === 'by-order') this.#calls = [...this.#calls, ...calls].filter(isFree);
    this.#prompts = [...this.#prompts, ...prompts].filter(({ turn }) => !joined.turns.has(turn));
  }

  /** Whether a message asks for a call that the log does not have yet, though it may come. */
  isEarly({ id, blocks }: TranscriptMessage): boolean {
    if (this.#how === 'as-hooks-do' || this.#taken.has(id)) return false;
    const open = [...this.#calls];
    return blocks.some((block) => {
      if (block.type !== 'tool-call') return false;
      const at = open.findIndex((call) => isCall(call, block.tool, block.input));
      if (at >= 0) open.splice(at, 1);
      return at < 0;
    });
  }

  /** The turn that the last message was joined with. */
  get turn(): string | null {
    return this.#turn;
  }

  /** Null for a message that was taken before. Its calls and its prompt are used up in any case. */
  join(message: TranscriptMessage): TranscriptMessage | null {
    const turn = this.#turnOf(message);
    const blocks = message.blocks.map((block) => this.#joinedBlock(block));
    if (this.#taken.has(message.id)) return null;
    this.#taken.add(message.id);
    return { ...message, blocks, ...(turn === null ? {} : { turn }) };
  }

  #turnOf(message: TranscriptMessage): string | null {
    const said = message.role === 'user' ? textOf(message.blocks) : '';
    const at =
      said === '' ? -1 : this.#prompts.findIndex(({ turn, text }) => turn === message.turn || isSame(text, said));
    // Prompts are answered in the order in which they came.
    if (at >= 0) this.#turn = this.#prompts.splice(0, at + 1).at(-1)!.turn;
    if (message.turn !== undefined) this.#turn = message.turn;
    return this.#turn;
  }

  #joinedBlock(block: TranscriptBlock): TranscriptBlock {
    if (this.#how === 'as-hooks-do' || (block.type !== 'tool-call' && block.type !== 'tool-result')) return block;
    const known = this.#joined.get(block.call);
    if (known !== undefined) return { ...block, call: known };
    if (block.type === 'tool-result') return block;
    const at = this.#calls.findIndex((call) => isCall(call, block.tool, block.input));
    if (at < 0) return block;
    const [found] = this.#calls.splice(at, 1);
    this.#joined.set(block.call, found!.call);
    return { ...block, call: found!.call };
  }
}

function textOf(blocks: readonly TranscriptBlock[]): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function isSame(prompt: string, said: string): boolean {
  return prompt.trim() === said.trim();
}

/** Of a call whose input is not in the log only the files are known that it named. */
function isCall({ tool, json, names }: JoinableCall, called: string, input: unknown): boolean {
  if (tool !== called) return false;
  const written = JSON.stringify(input ?? null);
  return json === null ? names.every((name) => written.includes(nameOf(name))) : json === written;
}

function nameOf(path: string): string {
  return JSON.stringify(path.slice(path.lastIndexOf('/') + 1)).slice(1, -1);
}
