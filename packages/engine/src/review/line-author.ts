import {
  type Author,
  type CallId,
  type Candidate,
  type ChangeId,
  laterAuthors,
  type Operation,
  type Seq,
  type SessionId,
} from '@palimpsest/core';
import type { Log } from '../log/log.js';
import type { LineOrigin } from './origins.js';

/** Who wrote a line, with which change and when. */
export type Origin = {
  readonly author: BlameAuthor;
  /** Null, as is `at`, for what was there before anything was recorded. */
  readonly change: ChangeId | null;
  readonly at: number | null;
};

export type BlameAuthor =
  | {
      readonly kind: 'agent';
      readonly session: SessionId;
      readonly agent: string;
      readonly callId: string;
      readonly tool: string;
      /** What the session had been asked when it wrote the line, and what it ran on. */
      readonly prompt: string | null;
      readonly model: string | null;
      /** The message of its conversation that asked for the call, where that is known. */
      readonly message: Seq | null;
    }
  | { readonly kind: 'human' }
  /** `candidates`: the calls that may have written it. */
  | { readonly kind: 'unknown'; readonly candidates?: readonly Candidate[] };

export const BEFORE: Origin = { author: { kind: 'unknown' }, change: null, at: null };

/** Authors of changes, with what was asked for at the time. */
export class Authors {
  readonly #log: Log;
  readonly #found = new Map<ChangeId, Origin>();
  readonly #prompts = new Map<SessionId, readonly Extract<Operation, { kind: 'prompted' }>[]>();
  readonly #starts = new Map<SessionId, readonly Extract<Operation, { kind: 'session-started' }>[]>();
  readonly #asked = new Map<SessionId, ReadonlyMap<CallId, Seq>>();
  #proven: ReadonlyMap<ChangeId, Author> | null = null;

  constructor(log: Log) {
    this.#log = log;
  }

  of({ change, operation }: NonNullable<LineOrigin>): Origin {
    const known = this.#found.get(change);
    if (known !== undefined) return known;
    const origin = { author: this.#author(change, operation), change, at: operation.at };
    this.#found.set(change, origin);
    return origin;
  }

  #author(change: ChangeId, operation: Operation): BlameAuthor {
    if (operation.kind === 'resolved') return { kind: 'human' };
    if (operation.kind !== 'changed') return { kind: 'unknown' };
    const author = this.#later(change) ?? operation.author;
    if (author.kind === 'human') return author;
    if (author.kind === 'unknown') return author.candidates.length === 0 ? { kind: 'unknown' } : author;
    const { session, agent, call, tool } = author;
    const asked = { prompt: this.#prompt(session, operation), model: this.#model(session, operation.seq) };
    return { kind: 'agent', session, agent, callId: call, tool, ...asked, message: this.#message(session, call) };
  }

  /** Who it was found to be later, if anybody. */
  #later(change: ChangeId): Author | undefined {
    this.#proven ??= laterAuthors(this.#log.find({ kinds: ['attributed', 'undone'] }));
    return this.#proven.get(change);
  }

  #prompt(session: SessionId, operation: Operation & { kind: 'changed' }): string | null {
    const prompts = this.#prompts.get(session) ?? this.#find('prompted', session);
    this.#prompts.set(session, prompts);
    const ofTurn = prompts.findLast(({ turn }) => operation.turn !== undefined && turn === operation.turn);
    return (ofTurn ?? prompts.findLast(({ seq }) => seq < operation.seq))?.text ?? null;
  }

  #model(session: SessionId, before: Seq): string | null {
    const starts = this.#starts.get(session) ?? this.#find('session-started', session);
    this.#starts.set(session, starts);
    return starts.findLast(({ seq, model }) => seq < before && model !== undefined)?.model ?? null;
  }

  #message(session: SessionId, call: CallId): Seq | null {
    const asked = this.#asked.get(session) ?? this.#asking(session);
    this.#asked.set(session, asked);
    return asked.get(call) ?? null;
  }

  #asking(session: SessionId): ReadonlyMap<CallId, Seq> {
    const asked = new Map<CallId, Seq>();
    for (const { role, calls, seq } of this.#find('message-added', session))
      if (role === 'assistant') for (const call of calls) if (!asked.has(call)) asked.set(call, seq);
    return asked;
  }

  #find<Kind extends 'prompted' | 'session-started' | 'message-added'>(kind: Kind, session: SessionId) {
    return this.#log.find({ kinds: [kind], session }) as readonly Extract<Operation, { kind: Kind }>[];
  }
}
