import type { Seq } from '@palimpsest/core';
import type { NewMessage, NewTranscriptRead, Workspace } from '@palimpsest/engine';
import type { Agent } from '../../agents/agent.js';
import { given, type TranscriptMessage } from '../../agents/transcript.js';
import type { Gain, Growth, Piece, PlacedItem } from './growth.js';
import { growthOf } from './growth-of.js';
import { Joining } from './joining.js';
import type { Place } from './place.js';

/** One transcript of one session. */
export type Followed = {
  readonly agent: Agent;
  readonly session: string;
  readonly transcript: string;
  /** The subagent that it is of. */
  readonly agentId?: string | undefined;
};

/** Why it is read now. */
export type Occasion = Pick<NewTranscriptRead, 'occasion' | 'turn' | 'call'> & {
  /** Whether it is recorded that nothing has come. */
  readonly evenForNothing: boolean;
};

/** The workspace does not take what was read. */
export class Refused extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`what was read of a transcript was refused: ${code}`);
    this.code = code;
  }
}

/** Bytes that are kept with one operation. */
const KEPT_AT_ONCE = 4 * 1024 * 1024;

/** Reads one transcript on and on, and tells the workspace what is new. One reading at a time. */
export class Follower {
  readonly followed: Followed;
  readonly #growth: Growth;
  readonly #joining: Joining;
  #joinedUpTo: Seq | 0 = 0;
  /** Null before the first reading: then the log knows how far it was. */
  #since: { readonly place: Place; readonly turn: string | null } | null = null;
  #keptTo = 0;
  #last: string | null = null;
  #isBegun = false;

  constructor(followed: Followed) {
    this.followed = followed;
    const { reader, calls } = followed.agent.transcript;
    this.#growth = growthOf(reader, followed.transcript, followed.session);
    this.#joining = new Joining(calls);
  }

  /** What keeps it from being read; null when all is well. */
  async read(workspace: Workspace, occasion: Occasion): Promise<string | null> {
    const { session } = this.followed;
    // One that was deleted does not begin anew with what is still read of it.
    if (workspace.session(session) === null) return null;
    this.#begin(workspace);
    const joinable = workspace.transcripts.joinable(session, this.#joinedUpTo);
    this.#joinedUpTo = joinable.upTo;
    this.#joining.learn(joinable);
    const isOver = occasion.occasion === 'turn-end' || occasion.occasion === 'session-end';
    let taken = 0;
    const gain = await this.#growth.read(this.#since, isOver ? 'turn-is-over' : 'more-may-come', async (items) => {
      const early = isOver
        ? -1
        : items.findIndex(({ item }) => item.kind === 'message' && this.#joining.isEarly(item.message));
      const some = early < 0 ? items : items.slice(0, early);
      taken += await this.#take(workspace, some);
      return some.length;
    });
    if ('trouble' in gain) {
      // Some agents begin to write after the first prompt.
      if (occasion.occasion === 'prompt' && this.#since === null)
        await this.#record(workspace, occasion, UNBEGUN, NOTHING, true);
      return gain.trouble;
    }
    this.#since = { place: gain.place, turn: this.#joining.turn };
    if (gain.anew) this.#keptTo = 0;
    const pieces = isOver ? this.#growth.pieces(this.#keptTo) : NOTHING;
    await this.#record(workspace, occasion, gain, pieces, taken > 0 || occasion.evenForNothing);
    return null;
  }

  /** Where an earlier process left it. */
  #begin(workspace: Workspace): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    const { session, transcript } = this.followed;
    const latest = workspace.transcripts.latest(session, transcript);
    if (latest?.mark === undefined) return;
    this.#since = { place: latest.mark, turn: latest.turn ?? null };
    this.#last = latest.last;
    const own = workspace.transcripts.pieces(session).filter((piece) => piece.transcript === transcript);
    const anew = own.findLastIndex((piece) => piece.anew === true && piece.from === 0);
    this.#keptTo = Math.max(0, ...own.slice(Math.max(0, anew)).map(({ to }) => to));
  }

  async #take(workspace: Workspace, items: readonly PlacedItem[]): Promise<number> {
    const messages: NewMessage[] = [];
    for (const { item, end } of items) {
      if (item.kind !== 'message') continue;
      const joined = this.#joining.join(item.message);
      if (joined === null) continue;
      messages.push(this.#messageOf(joined, end));
      this.#last = joined.id;
    }
    if (messages.length === 0) return 0;
    const added = await workspace.conversations.add(this.followed.session, messages);
    if (!added.ok) throw new Refused(added.error.code);
    return messages.length;
  }

  #messageOf({ id, role, blocks, turn, at, summary, ...more }: TranscriptMessage, end: number | undefined): NewMessage {
    const { agent, transcript, agentId } = this.followed;
    const place = end === undefined ? {} : { offset: end };
    return {
      history: 'model',
      form: 'blocks',
      value: { role, blocks, ...more, ...(agentId === undefined ? {} : { agentId }) },
      source: { kind: 'transcript', agent: agent.name, message: id, transcript, ...place },
      turn,
      saidAt: at,
      summary,
    };
  }

  /** In several operations where there is much to keep, so that memory is bounded. */
  async #record(
    workspace: Workspace,
    { occasion, turn: named, call }: Occasion,
    { place, length, anew, leftOut }: Omit<Gain, 'place'> & { readonly place?: Place },
    pieces: AsyncIterable<Piece>,
    isDue: boolean,
  ): Promise<void> {
    const { agent, session, transcript, agentId } = this.followed;
    const present = occasion === 'prompt' ? workspace.session(session)?.turn : null;
    const turn = named ?? present ?? this.#joining.turn ?? undefined;
    const facts = { occasion, ...given({ turn, call, agentId }), agent: agent.name, transcript };
    const where = place === undefined ? {} : { mark: place };
    const told = { ...facts, length, last: this.#last, ...where, ...(leftOut > 0 ? { leftOut } : {}) };
    let [kept, bytes, isFirst]: [Piece[], number, boolean] = [[], 0, true];
    const record = async () => {
      const begun = isFirst && anew ? { anew } : {};
      const done = await workspace.transcripts.record(session, { ...told, ...begun, kept });
      if (!done.ok) throw new Refused(done.error.code);
      this.#keptTo = Math.max(this.#keptTo, ...kept.map(({ to }) => to));
      [kept, bytes, isFirst] = [[], 0, false];
    };
    for await (const piece of pieces) {
      kept.push(piece);
      bytes += piece.bytes.length;
      if (bytes >= KEPT_AT_ONCE) await record();
    }
    if (kept.length > 0 || (isFirst && (isDue || anew))) await record();
  }
}

const UNBEGUN = { length: 0, anew: false, leftOut: 0 } as const;

const NOTHING: AsyncIterable<Piece> = {
  async *[Symbol.asyncIterator]() {
    // Nothing is kept before the turn is over.
  },
};
