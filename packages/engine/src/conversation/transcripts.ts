import {
  type CallBegan,
  failed,
  type Operation,
  type Outcome,
  ok,
  parseCallId,
  type Seq,
  type SessionId,
  type TranscriptPiece,
  type TranscriptRead,
} from '@palimpsest/core';
import type { SerialQueue } from '../basis/queue.js';
import type { Refusal } from '../basis/refusal.js';
import type { SessionDesk } from '../call/session-desk.js';
import type { ContentStore } from '../content/content.js';
import type { LiveLog } from '../store/live-log.js';

/** What agents write down of their sessions themselves: how far it was read, and its bytes. */
export interface TranscriptVerbs {
  /** Records how far a transcript was read. The bytes are kept before it says so. */
  record(session: string, read: NewTranscriptRead): Promise<Outcome<null, Refusal>>;
  /** The latest reading of one transcript of a session; where none is named, of its own, and not of a subagent's. */
  latest(session: string, transcript?: string): (Operation & TranscriptRead) | null;
  /** What a transcript of the session is joined with, of what was recorded after `since`. */
  joinable(session: string, since: Seq | 0): Joinable;
  /** Whatever is kept of the transcripts of a session, oldest first. */
  pieces(session: string): readonly (TranscriptPiece & Pick<TranscriptRead, 'transcript' | 'anew'>)[];
}

/** What the log has of a session that its transcript can be joined with, oldest first. */
export type Joinable = {
  /** Ids of messages that were taken from transcripts. */
  readonly messages: readonly string[];
  readonly calls: readonly JoinableCall[];
  readonly prompts: readonly { readonly turn: string; readonly text: string }[];
  /** Calls and turns that such messages name already. */
  readonly joined: { readonly calls: ReadonlySet<string>; readonly turns: ReadonlySet<string> };
  readonly upTo: Seq | 0;
};

export type JoinableCall = Pick<CallBegan, 'call' | 'tool' | 'names'> & {
  /** Its input as JSON, where it is in the log. */
  readonly json: string | null;
};

export type NewTranscriptRead = Omit<TranscriptRead, 'kind' | 'session' | 'call' | 'kept'> & {
  readonly call?: string;
  readonly kept?: readonly { readonly from: number; readonly to: number; readonly bytes: Uint8Array }[];
};

export type TranscriptsParts = {
  readonly live: LiveLog;
  readonly content: ContentStore;
  readonly queue: SerialQueue;
  readonly sessions: SessionDesk;
};

export class Transcripts implements TranscriptVerbs {
  readonly #parts: TranscriptsParts;

  constructor(parts: TranscriptsParts) {
    this.#parts = parts;
  }

  async record(id: string, { kept = [], call, ...read }: NewTranscriptRead): Promise<Outcome<null, Refusal>> {
    const { live, content, queue, sessions } = this.#parts;
    const parsed = call === undefined ? null : parseCallId(call);
    return queue.ask(async () => {
      const session = sessions.find(id);
      if (session === null) return failed({ code: 'unknown-session', session: id });
      // Inside of the queue, where nobody removes what nothing names yet.
      const contents = kept.length === 0 ? [] : await content.putMany(kept.map(({ bytes }) => bytes));
      const pieces = kept.map(({ from, to }, index): TranscriptPiece => ({ from, to, content: contents[index]! }));
      live.append([
        {
          kind: 'transcript-read',
          session: session.id,
          ...read,
          ...(parsed?.ok ? { call: parsed.value } : {}),
          ...(pieces.length === 0 ? {} : { kept: pieces }),
        },
      ]);
      return ok(null);
    });
  }

  latest(id: string, transcript?: string): (Operation & TranscriptRead) | null {
    for (const operation of this.#read(id, { newestFirst: true }))
      if (transcript === undefined ? operation.agentId === undefined : operation.transcript === transcript)
        return operation;
    return null;
  }

  pieces(id: string): ReturnType<TranscriptVerbs['pieces']> {
    return [...this.#read(id)].flatMap(({ transcript, kept = [], anew }) =>
      kept.map((piece) => ({ ...piece, transcript, ...(anew === true ? { anew } : {}) })),
    );
  }

  joinable(id: string, since: Seq | 0): Joinable {
    const { log } = this.#parts.live;
    const upTo = log.last;
    const kinds = ['message-added', 'call-began', 'prompted'] as const;
    const messages: string[] = [];
    const joined = { calls: new Set<string>(), turns: new Set<string>() };
    const calls: JoinableCall[] = [];
    const prompts: { turn: string; text: string }[] = [];
    for (const operation of log.find({ kinds, session: id as SessionId, since })) {
      if (operation.kind === 'message-added' && operation.source?.kind === 'transcript') {
        messages.push(operation.source.message);
        for (const call of operation.calls) joined.calls.add(call);
        if (operation.turn !== undefined) joined.turns.add(operation.turn);
      }
      if (operation.kind === 'prompted') prompts.push({ turn: operation.turn, text: operation.text });
      if (operation.kind === 'call-began') {
        const { call, tool, names, input } = operation;
        calls.push({ call, tool, names, json: input !== null && 'json' in input ? input.json : null });
      }
    }
    return { messages, calls, prompts, joined, upTo };
  }

  #read(id: string, how: { readonly newestFirst?: boolean } = {}): readonly (Operation & TranscriptRead)[] {
    const found = this.#parts.live.log.find({ kinds: ['transcript-read'], session: id as SessionId, ...how });
    return found.filter((operation) => operation.kind === 'transcript-read');
  }
}
