import {
  CONSERVATIVE_SCALE,
  calibrated,
  condensed,
  type EffectiveHistory,
  effectiveHistory,
  failed,
  forcedReduction,
  type HistoryItem,
  halvedResult,
  historyTokens,
  isInRanges,
  type Message,
  type MessageAdded,
  messageRanges,
  type Operation,
  type Outcome,
  ok,
  plainMessageTokens,
  planCondensing,
  type Reduced,
  type Reduction,
  readMessage,
  reduceHistory,
  type Seq,
  type SessionId,
  type TokenScale,
} from '@palimpsest/core';
import type { SerialQueue } from '../basis/queue.js';
import type { Refusal } from '../basis/refusal.js';
import type { LiveLog } from '../store/live-log.js';
import type { Messages } from './messages.js';

/** What the model gets next, and what was left out of it. */
export type ModelHistory = EffectiveHistory & {
  readonly tokens: number;
  readonly scale: TokenScale;
  readonly reductions: readonly Reduction[];
};

/** Makes a summary of messages, with whatever model; one that fails or says nothing is no summary. */
export type Summarise = (messages: readonly Message[]) => Promise<string>;

/**
 * How a history became smaller: with a summary; where none could be made, by leaving the oldest quarter out; where that is
 * kept in any case, by halving the largest result of a tool.
 */
export type CondenseAnswer = {
  readonly by: 'summary' | 'force' | 'shortening';
  readonly before: number;
  readonly after: number;
};
export type ReduceAnswer = { readonly fits: boolean; readonly before: number; readonly after: number };

type ModelHistoryParts = { readonly live: LiveLog; readonly queue: SerialQueue; readonly messages: Messages };

/** The latest answers of a provider that the scale of tokens is measured by. */
const MEASURED_ANSWERS = 8;

/** What of a conversation the model gets, and how that becomes less and more again. The messages themselves never change. */
export class ModelHistories {
  readonly #parts: ModelHistoryParts;

  constructor(parts: ModelHistoryParts) {
    this.#parts = parts;
  }

  async history(session: SessionId): Promise<ModelHistory> {
    const state = await this.#state(session);
    const effective = effectiveHistory(state.items, state.reductions);
    const { scale, reductions } = state;
    return { ...effective, tokens: historyTokens(effective, scale), scale, reductions };
  }

  /** To so many tokens, or as near to it as can be. */
  reduce(session: SessionId, budget: number): Promise<Outcome<ReduceAnswer, Refusal>> {
    return this.#parts.queue.ask(async () => {
      const state = await this.#state(session);
      const reduced = reduceHistory({ ...state, budget });
      if (reduced.outcome === 'fits') return ok({ fits: true, before: reduced.before, after: reduced.after });
      return this.#record(session, reduced);
    });
  }

  /** Takes reductions back: all, or those since an operation. */
  restoreAll(session: SessionId, since: Seq | 0 = 0): Promise<Outcome<{ readonly tokens: number }, Refusal>> {
    return this.#parts.queue.ask(async () => {
      if (this.#reductions(session).length === 0)
        return failed({ code: 'nothing-to-do', why: 'nothing is left out of the history' });
      const earlier = since === 0 ? [] : this.#reductions(session, since);
      this.#parts.live.append([{ kind: 'history-reduced', session, reductions: earlier }]);
      return ok({ tokens: (await this.history(session)).tokens });
    });
  }

  /** The model is asked outside of the queue: others go on meanwhile, and what is said then stays word by word. */
  async condense(session: SessionId, summarise: Summarise): Promise<Outcome<CondenseAnswer, Refusal>> {
    const state = await this.#state(session);
    const plan = planCondensing(state);
    const text = plan === null ? '' : await summaryOf(summarise, plan.messages);
    return this.#parts.queue.ask<CondenseAnswer>(async () => {
      const now = await this.#state(session);
      const budget = 0;
      if (plan !== null && text !== '') {
        const message: Message = { role: 'user', blocks: [{ type: 'text', text }] };
        const summary = { seq: (this.#parts.live.log.last + 1) as Seq, message, summary: true };
        const reduced = condensed({ ...now, budget }, plan.upTo, summary);
        if (reduced.outcome === 'reduced') {
          this.#parts.live.append([
            summaryMessage(session, message),
            { kind: 'history-reduced', session, reductions: reduced.reductions },
          ]);
          return ok({ by: 'summary', before: reduced.before, after: reduced.after });
        }
      }
      const forced = forcedReduction({ ...now, budget });
      const reduced = forced.outcome === 'reduced' ? forced : halvedResult({ ...now, budget });
      const recorded = this.#record(session, reduced);
      const by = reduced === forced ? 'force' : 'shortening';
      return recorded.ok ? ok({ by, before: recorded.value.before, after: recorded.value.after }) : recorded;
    });
  }

  #record(session: SessionId, reduced: Reduced): Outcome<ReduceAnswer, Refusal> {
    if (reduced.outcome !== 'reduced') return failed({ code: 'cannot-reduce', tokens: reduced.before });
    this.#parts.live.append([{ kind: 'history-reduced', session, reductions: reduced.reductions }]);
    return ok({ fits: reduced.fits, before: reduced.before, after: reduced.after });
  }

  async #state(session: SessionId) {
    const messages = await this.#parts.messages.read(session, { history: 'model' });
    const items: (HistoryItem & { readonly usage: MessageAdded['usage'] })[] = [];
    for (const { seq, form, json, summary, usage } of messages) {
      if (json === null) continue;
      const message = readMessage(form, JSON.parse(json));
      items.push({ seq, message, usage, ...(summary === true ? { summary } : {}) });
    }
    return { items, reductions: this.#reductions(session), scale: scaleOf(items) };
  }

  /** The latest that were recorded in the branch that stands; before an operation, if one is given. */
  #reductions(session: SessionId, before: Seq | null = null): readonly Reduction[] {
    const { log, views } = this.#parts.live;
    const conversation = views.conversations.sessions.get(session);
    if (conversation === undefined) return [];
    const ranges = messageRanges(conversation);
    const seq = conversation.reduced.findLast((one) => isInRanges(ranges, one) && (before === null || one < before));
    const found: Operation | null = seq === undefined ? null : log.get(seq);
    return found?.kind === 'history-reduced' ? found.reductions : [];
  }
}

async function summaryOf(summarise: Summarise, messages: readonly Message[]): Promise<string> {
  try {
    return (await summarise(messages)).trim();
  } catch {
    // Whatever the reason: the history must become smaller all the same, or the work stands still.
    return '';
  }
}

function summaryMessage(session: SessionId, { role, blocks }: Message): MessageAdded {
  const body = { json: JSON.stringify({ role, blocks }) };
  const facts = { history: 'model', role, form: 'blocks', calls: [], summary: true } as const;
  return { kind: 'message-added', session, body, ...facts };
}

/** By what the provider counted for the requests that the latest answers were to. */
function scaleOf(items: readonly (HistoryItem & { readonly usage: MessageAdded['usage'] })[]): TokenScale {
  if (!items.some(({ usage }) => usage !== undefined)) return CONSERVATIVE_SCALE;
  const sums: number[] = [];
  let sum = 0;
  for (const { message, summary } of items) {
    sums.push(sum);
    if (summary !== true) sum += plainMessageTokens([message]);
  }
  let scale = CONSERVATIVE_SCALE;
  const answered = items.flatMap(({ usage }, index) => (usage === undefined ? [] : [{ usage, plain: sums[index]! }]));
  for (const { usage, plain } of answered.slice(-MEASURED_ANSWERS)) scale = calibrated(scale, plain, usage.input);
  return scale;
}
