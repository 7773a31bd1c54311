import {
  type Conversation,
  type Conversations,
  excerptOf,
  isInRanges,
  messageRanges,
  messageText,
  type Operation,
  type OperationKind,
  readMessage,
  type Seq,
  type SessionId,
  searchTerms,
  textsIn,
} from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import { keptText } from '../content/kept-json.js';
import { LogError } from '../log/log.js';
import type { LiveLog } from '../store/live-log.js';
import { type IndexEntry, SearchIndex } from './search-index.js';

/** Something that was said and has the words. */
export type SearchHit = {
  readonly seq: Seq;
  readonly at: number;
  readonly session: SessionId;
  readonly what: 'prompt' | 'message' | 'call';
  readonly role: 'system' | 'user' | 'assistant';
  /** The part of it where the words are, on one line. */
  readonly excerpt: string;
  readonly calls: readonly string[];
  /** It is in a branch of the conversation that was left. */
  readonly abandoned: boolean;
};

type SearchParts = {
  readonly file: string;
  readonly live: LiveLog;
  readonly content: ContentStore;
  readonly onFault: (error: unknown) => void;
};

const SAID: readonly OperationKind[] = ['message-added', 'prompted', 'call-began', 'session-deleted'];
const SAID_KINDS: ReadonlySet<string> = new Set(SAID);
const ENTRIES_AT_ONCE = 250;
/** What stands further in one message cannot be found: it is the output of a tool that nobody reads to its end. */
const INDEXED_CHARS = 256 * 1024;
const EXCERPT_LENGTH = 160;
/** How long after something was said the index is brought up to date, so that many messages are taken up together. */
const CATCH_UP_AFTER_MS = 500;

/** Finds what was said, asked of tools and answered by them, by its words. */
export class Search {
  readonly #parts: SearchParts;
  readonly #index: SearchIndex;
  readonly #unsubscribe: () => void;
  #work: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(parts: SearchParts) {
    this.#parts = parts;
    this.#index = new SearchIndex(parts.file);
    this.#unsubscribe = parts.live.subscribe((operations) => {
      if (operations.some(({ kind }) => SAID_KINDS.has(kind))) this.#catchUpSoon();
    });
  }

  /** Best first. No terms find nothing. */
  async search(text: string, session: SessionId | null, limit: number): Promise<readonly SearchHit[]> {
    const terms = searchTerms(text);
    if (terms.length === 0) return [];
    // One call may be told of by a hook, the agent's message and the human's: more are asked for than are shown.
    const seqs = await this.#asked((index) => index.search(terms, session, limit * 3));
    const hits: SearchHit[] = [];
    const told = new Set<string>();
    for (const seq of seqs) {
      const hit = await this.#hit(seq, terms);
      if (hit === null || hits.length >= limit) continue;
      const names = hit.calls.length > 0 ? hit.calls.map((call) => `${hit.session}\n${call}`) : [sameWords(hit)];
      if (names.every((name) => told.has(name))) continue;
      for (const name of names) told.add(name);
      hits.push(hit);
    }
    return hits;
  }

  /** The messages that are about a call, oldest first. */
  messagesOf(session: SessionId, call: string): Promise<readonly Seq[]> {
    return this.#asked((index) => index.ofCall(session, call));
  }

  /** Which of these messages of a source are kept already. */
  knownSources(session: SessionId, sources: readonly string[]): Promise<ReadonlyMap<string, Seq>> {
    return this.#asked((index) => index.ofSources(session, sources));
  }

  /** Lets go of the whole index, and takes nothing up again before `work` is done. */
  without<T>(work: () => Promise<T>): Promise<T> {
    return this.#alone(async () => {
      this.#index.drop();
      return work();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#unsubscribe();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#work;
    this.#index.close();
  }

  #asked<T>(question: (index: SearchIndex) => T): Promise<T> {
    return this.#alone(async () => {
      try {
        await this.#catchUp();
        return question(this.#index);
      } catch (error) {
        if (!(error instanceof LogError) || error.code !== 'damaged') throw error;
        this.#index.drop();
        await this.#catchUp();
        return question(this.#index);
      }
    });
  }

  #catchUpSoon(): void {
    if (this.#timer !== null || this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#alone(() => this.#catchUp()).catch((error: unknown) => this.#parts.onFault(error));
    }, CATCH_UP_AFTER_MS);
    this.#timer.unref();
  }

  async #catchUp(): Promise<void> {
    const { log } = this.#parts.live;
    if (this.#index.indexed > log.last) this.#index.drop();
    while (!this.#closed) {
      const since = this.#index.indexed;
      const last = log.last;
      if (since >= last) return;
      const operations = log.find({ kinds: SAID, since, limit: ENTRIES_AT_ONCE });
      const entries = (await Promise.all(operations.map((one) => this.#entry(one)))).flatMap((entry) => entry ?? []);
      const gone = operations.flatMap(({ kind, seq, ...rest }) =>
        kind === 'session-deleted' ? [{ session: (rest as { session: SessionId }).session, before: seq }] : [],
      );
      const upTo = operations.length < ENTRIES_AT_ONCE ? (last as Seq) : operations.at(-1)!.seq;
      this.#index.add(entries, upTo, gone);
    }
  }

  async #entry(operation: Operation): Promise<IndexEntry | null> {
    const said = await this.#said(operation);
    if (said === null) return null;
    const { session, calls, text } = said;
    const source =
      operation.kind === 'message-added' && operation.source?.kind === 'transcript' ? operation.source.message : null;
    return { seq: operation.seq, session, calls, source, text: text.slice(0, INDEXED_CHARS) };
  }

  async #hit(seq: Seq, terms: readonly string[]): Promise<SearchHit | null> {
    const operation = this.#parts.live.log.get(seq);
    const said = operation === null ? null : await this.#said(operation);
    if (operation === null || said === null) return null;
    const { text, ...facts } = said;
    const { conversations, sessions } = this.#parts.live.views;
    if (!sessions.sessions.has(facts.session)) return null;
    const abandoned = facts.what === 'message' && !stands(conversations, facts.session, seq);
    const at = (operation.kind === 'message-added' ? operation.saidAt : undefined) ?? operation.at;
    return { seq, at, ...facts, excerpt: excerptOf(text, terms, EXCERPT_LENGTH), abandoned };
  }

  async #said(operation: Operation): Promise<Said | null> {
    const { content } = this.#parts;
    switch (operation.kind) {
      case 'prompted': {
        const { session, text } = operation;
        return { session, what: 'prompt', role: 'user', text, calls: [] };
      }
      case 'call-began': {
        const { session, call, tool, input } = operation;
        const json = input === null ? null : await keptText(input, content);
        const text = [tool, ...operation.names, ...(json === null ? [] : textsIn(JSON.parse(json)))].join('\n');
        return { session, what: 'call', role: 'assistant', text, calls: [call] };
      }
      case 'message-added': {
        const { session, role, form, body, calls } = operation;
        const json = body === null ? null : await keptText(body, content);
        const text = json === null ? '' : messageText(readMessage(form, JSON.parse(json)));
        return { session, what: 'message', role, text, calls };
      }
      default:
        return null;
    }
  }

  /** One thing at a time, in the order asked. */
  #alone<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#work.then(task);
    this.#work = done.catch(() => undefined);
    return done;
  }
}

type Said = Pick<SearchHit, 'session' | 'what' | 'role' | 'calls'> & { readonly text: string };

/** A prompt, and the message that it became, are one. */
function sameWords({ session, excerpt }: SearchHit): string {
  return `${session}\n${excerpt}`;
}

function stands({ sessions }: Conversations, session: SessionId, seq: Seq): boolean {
  const conversation: Conversation | undefined = sessions.get(session);
  return conversation !== undefined && isInRanges(messageRanges(conversation), seq);
}
