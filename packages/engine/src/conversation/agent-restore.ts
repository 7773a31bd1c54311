import {
  failed,
  type MessageAdded,
  type Operation,
  type Outcome,
  ok,
  parseSessionId,
  type Seq,
  type SessionId,
} from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import type {
  ConversationFork,
  ConversationMoment,
  ConversationPlan,
  ConversationRestore,
} from '../checkpoint/conversation-restore.js';
import type { LiveLog } from '../store/live-log.js';
import type { AgentForks, Cut, ForkPoint } from './agent-forks.js';
import type { Messages } from './messages.js';
import type { TranscriptVerbs } from './transcripts.js';

type AgentRestoreParts = {
  readonly root: string;
  readonly live: LiveLog;
  readonly messages: Messages;
  readonly transcripts: TranscriptVerbs;
  /** For sessions whose conversation is kept by us. */
  readonly own: ConversationRestore;
  readonly forks: AgentForks | null;
};

/**
 * Takes conversations back. Those that an agent keeps itself are forked at the moment by whoever knows that agent, and the
 * old one is left as it is; all others are ours.
 */
export class AgentRestore implements ConversationRestore {
  readonly #parts: AgentRestoreParts;

  constructor(parts: AgentRestoreParts) {
    this.#parts = parts;
  }

  async plan(moment: ConversationMoment): Promise<Outcome<ConversationPlan, Refusal>> {
    const point = this.#pointOf(moment);
    if (point === null) return this.#parts.own.plan(moment);
    const { forks, messages } = this.#parts;
    const can = forks === null ? UNKNOWN_AGENTS : await forks.plan(point);
    if (!can.ok) return can;
    const session = moment.session!;
    const said = messages.find(session);
    const gone = said.slice(firstLeftOut(said, point.cut)).length;
    return ok({ session, messages: gone, agent: point.agent });
  }

  async fork(moment: ConversationMoment): Promise<Outcome<ConversationFork, Refusal>> {
    const point = this.#pointOf(moment);
    if (point === null) return this.#parts.own.fork(moment);
    const made = this.#parts.forks === null ? UNKNOWN_AGENTS : await this.#parts.forks.fork(point);
    if (!made.ok) return made;
    const { session, resume, back, drop } = made.value;
    const id = parseSessionId(session);
    return id.ok ? ok({ fork: { session: id.value, resume, back }, drop }) : id;
  }

  /** What an agent's session has in front of it is as it was: the fork is another one. */
  async apply(moment: ConversationMoment): Promise<Outcome<ConversationPlan, Refusal>> {
    const point = this.#pointOf(moment);
    return point === null ? this.#parts.own.apply(moment) : ok({ session: moment.session!, messages: 0 });
  }

  /** Null where the conversation is not an agent's own. */
  #pointOf(moment: ConversationMoment): ForkPoint | null {
    const { session } = moment;
    const latest = session === null ? null : this.#parts.transcripts.latest(session);
    if (session === null || latest === null) return null;
    const { agent, transcript } = latest;
    return { agent, session, transcript, root: this.#parts.root, cut: this.#cutAt(session, moment) };
  }

  #cutAt(session: SessionId, { reason, call, asOf }: ConversationMoment): Cut {
    if ((reason === 'before-tool' || reason === 'after-tool') && call !== null)
      return { kind: reason === 'before-tool' ? 'before-call' : 'after-call', call };
    if (reason === 'prompt') {
      const [prompted] = this.#find(session, ['prompted'], { before: (asOf + 1) as Seq, newestFirst: true });
      if (prompted?.kind === 'prompted') return this.#beforePrompt(session, prompted);
    }
    const [next] = this.#find(session, ['prompted', 'call-began'], { since: asOf });
    if (next?.kind === 'prompted') return this.#beforePrompt(session, next);
    if (next?.kind === 'call-began') {
      const [last] = this.#find(session, ['prompted', 'call-ended'], { before: next.seq, newestFirst: true });
      return last?.kind === 'call-ended'
        ? { kind: 'after-call', call: last.call }
        : { kind: 'before-call', call: next.call };
    }
    const [last] = this.#find(session, ['prompted'], { newestFirst: true });
    return { kind: 'end', last: last?.kind === 'prompted' ? last.turn : null };
  }

  #beforePrompt(session: SessionId, { seq, turn }: Operation & { kind: 'prompted' }): Cut {
    const [before] = this.#find(session, ['prompted'], { before: seq, newestFirst: true });
    const asked = this.#parts.messages
      .find(session)
      .find((message) => message.turn === turn && message.role === 'user' && message.calls.length === 0);
    const message = asked?.source?.kind === 'transcript' ? asked.source.message : null;
    return { kind: 'before-prompt', turn, message, previous: before?.kind === 'prompted' ? before.turn : null };
  }

  #find(
    session: SessionId,
    kinds: readonly Operation['kind'][],
    how: { readonly since?: Seq | 0; readonly before?: Seq; readonly newestFirst?: boolean },
  ): readonly Operation[] {
    return this.#parts.live.log.find({ session, kinds, limit: 1, ...how });
  }
}

/** Where in the messages those begin that are not in the fork. */
function firstLeftOut(messages: readonly MessageAdded[], cut: Cut): number {
  switch (cut.kind) {
    case 'end':
      return messages.length;
    case 'before-prompt':
      return indexOr(
        messages,
        messages.findIndex(({ turn }) => turn === cut.turn),
      );
    case 'before-call':
    case 'after-call': {
      const role = cut.kind === 'before-call' ? 'assistant' : 'user';
      const at = messages.findIndex((one) => one.role === role && one.calls.some((call) => call === cut.call));
      return cut.kind === 'before-call' ? indexOr(messages, at) : indexOr(messages, at) + 1;
    }
  }
}

function indexOr(messages: readonly unknown[], at: number): number {
  return at < 0 ? messages.length : at;
}

const UNKNOWN_AGENTS = failed<Refusal>({
  code: 'nothing-to-do',
  why: 'the conversation is kept by an agent that is not known here',
});
