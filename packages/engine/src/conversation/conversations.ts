import { failed, type Outcome, ok, type Seq, type SessionId, type SessionState, searchTerms } from '@palimpsest/core';
import type { SerialQueue } from '../basis/queue.js';
import type { Refusal } from '../basis/refusal.js';
import type { SessionDesk } from '../call/session-desk.js';
import type { LiveLog } from '../store/live-log.js';
import type { KeptMessage, NewMessage } from './message.js';
import type { AbandonedBranch, MessageQuery, Messages } from './messages.js';
import type { CondenseAnswer, ModelHistories, ModelHistory, ReduceAnswer, Summarise } from './model-history.js';
import type { Search, SearchHit } from './search.js';
import { type TimelineEntry, timelineOf } from './timeline.js';

/** Two histories of each session, what the model gets and what the human sees, saved message by message. */
export interface ConversationVerbs {
  /** Takes messages up, all or none; they are on disk when it resolves. A session that is not known yet starts with them. */
  add(
    session: string,
    messages: readonly NewMessage[],
    options?: { readonly agent?: string | undefined },
  ): Promise<Outcome<readonly KeptMessage[], Refusal>>;
  /** Exactly what was added, oldest first; of the present branch unless another is named. Reading never writes. */
  messages(session: string, query?: MessageQuery): Promise<Outcome<readonly KeptMessage[], Refusal>>;
  /** Parts of the conversation that were left when it was taken back, oldest first: what one may want to read again. */
  abandoned(session: string): Promise<Outcome<readonly AbandonedBranch[], Refusal>>;
  /** One message, of whatever session and branch. */
  message(seq: number): Promise<KeptMessage | null>;
  /** The messages that ask for a call, answer it, or are about it, oldest first. */
  messagesOf(session: string, call: string): Promise<readonly KeptMessage[]>;
  /** Of these ids that a transcript has for its messages, those that are kept already, each with its message. */
  knownSources(session: string, ids: readonly string[]): Promise<ReadonlyMap<string, Seq>>;
  /** What the model gets next: valid for every provider, without what reductions leave out. */
  history(session: string): Promise<Outcome<ModelHistory, Refusal>>;
  /** Leaves out as little as it takes to come to so many tokens; `cannot-reduce` where it cannot become smaller. */
  reduce(session: string, budget: number): Promise<Outcome<ReduceAnswer, Refusal>>;
  /** Makes a summary of what came since the last one; where none can be made, the oldest quarter is left out. */
  condense(session: string, summarise: Summarise): Promise<Outcome<CondenseAnswer, Refusal>>;
  /** Brings back what was left out: all of it, or what was since an operation. */
  expand(session: string, since?: number): Promise<Outcome<{ readonly tokens: number }, Refusal>>;
  /** What happened in the session, in the order in which it did. */
  timeline(session: string): Promise<Outcome<readonly TimelineEntry[], Refusal>>;
  /** Prompts, messages and calls that have all of the words, best first. */
  search(text: string, options?: SearchOptions): Promise<Outcome<readonly SearchHit[], Refusal>>;
}

export type SearchOptions = { readonly session?: string | undefined; readonly limit?: number | undefined };

const HITS = 20;
const HITS_LIMIT = 200;

export type ConversationsParts = {
  readonly live: LiveLog;
  readonly messages: Messages;
  readonly queue: SerialQueue;
  readonly sessions: SessionDesk;
  readonly search: Search;
  readonly histories: ModelHistories;
};

export class Conversations implements ConversationVerbs {
  readonly #parts: ConversationsParts;
  readonly #messages: Messages;

  constructor(parts: ConversationsParts) {
    this.#parts = parts;
    this.#messages = parts.messages;
  }

  readonly add: ConversationVerbs['add'] = (id, messages, { agent } = {}) =>
    this.#parts.queue.ask(async () => {
      if (messages.length === 0) return failed({ code: 'bad-input', why: 'there is no message to add' });
      // One that has ended stays so: its last messages may come after it.
      const known = this.#parts.sessions.find(id);
      const session = known === null ? this.#parts.sessions.ensure(id, agent) : ok(known);
      return session.ok ? this.#messages.add(session.value.id, messages) : session;
    });

  async messages(id: string, query: MessageQuery = {}): Promise<Outcome<readonly KeptMessage[], Refusal>> {
    const session = this.#known(id);
    if (!session.ok) return session;
    const { branch } = query;
    if (branch !== undefined && !this.#messages.hasBranch(session.value.id, branch))
      return failed({ code: 'bad-input', why: `session ${id} has no branch ${branch}` });
    return ok(await this.#messages.read(session.value.id, query));
  }

  async abandoned(id: string): ReturnType<ConversationVerbs['abandoned']> {
    const session = this.#known(id);
    return session.ok ? ok(this.#messages.abandoned(session.value.id)) : session;
  }

  async message(seq: number): Promise<KeptMessage | null> {
    const found = this.#parts.live.log.get(seq as Seq);
    return found?.kind === 'message-added' ? this.#messages.withText(found) : null;
  }

  async messagesOf(session: string, call: string): Promise<readonly KeptMessage[]> {
    const seqs = await this.#parts.search.messagesOf(session as SessionId, call);
    const messages = await Promise.all(seqs.map((seq) => this.message(seq)));
    return messages.filter((message) => message !== null);
  }

  knownSources(session: string, ids: readonly string[]): Promise<ReadonlyMap<string, Seq>> {
    return this.#parts.search.knownSources(session as SessionId, ids);
  }

  async timeline(id: string): ReturnType<ConversationVerbs['timeline']> {
    const session = this.#known(id);
    return session.ok ? ok(await timelineOf(session.value.id, this.#parts)) : session;
  }

  async history(id: string): Promise<Outcome<ModelHistory, Refusal>> {
    const session = this.#known(id);
    return session.ok ? ok(await this.#parts.histories.history(session.value.id)) : session;
  }

  async reduce(id: string, budget: number): Promise<Outcome<ReduceAnswer, Refusal>> {
    const session = this.#known(id);
    return session.ok ? this.#parts.histories.reduce(session.value.id, budget) : session;
  }

  async condense(id: string, summarise: Summarise): Promise<Outcome<CondenseAnswer, Refusal>> {
    const session = this.#known(id);
    return session.ok ? this.#parts.histories.condense(session.value.id, summarise) : session;
  }

  async expand(id: string, since = 0): ReturnType<ConversationVerbs['expand']> {
    const session = this.#known(id);
    return session.ok ? this.#parts.histories.restoreAll(session.value.id, since as Seq) : session;
  }

  search(text: string, { session, limit = HITS }: SearchOptions = {}): ReturnType<ConversationVerbs['search']> {
    return this.#parts.queue.answer(async () => {
      const within = session === undefined ? ok(null) : this.#known(session);
      if (!within.ok) return within;
      if (searchTerms(text).length === 0)
        return failed({ code: 'bad-input', why: 'there is no word in it to look for' });
      return ok(await this.#parts.search.search(text, within.value?.id ?? null, Math.min(limit, HITS_LIMIT)));
    });
  }

  #known(id: string): Outcome<SessionState, Refusal> {
    const session = this.#parts.sessions.find(id);
    return session === null ? failed({ code: 'unknown-session', session: id }) : ok(session);
  }
}
