import {
  AUTHORED_KINDS,
  bringsText,
  type CallBegan,
  type CallEnded,
  type CallId,
  callKey,
  type Found,
  isCandidate,
  type OpenCall,
  type Operation,
  outerSessions,
  type PlaceId,
  type SessionId,
  type WorkspacePath,
} from '@palimpsest/core';
import type { Settings } from '../basis/settings.js';
import type { ContentStore } from '../content/content.js';
import {
  type CallPlan,
  canWrite,
  type PathResolver,
  type PlannedWrite,
  planCall,
  type ToolCall,
  writesAnything,
} from '../look/call-plan.js';
import type { Suspect } from '../look/claims.js';
import { attributeLate, LATE_MS } from '../look/late.js';
import { lingersAfter } from '../look/lingering.js';
import type { Tracker } from '../look/tracker.js';
import type { KnownTree } from '../store/known-tree.js';
import type { LiveLog } from '../store/live-log.js';
import { keepInput, readInput } from './call-input.js';
import { type Decision, decisionOf, type Finding, guardCall } from './guard.js';
import { type Notice, noticesFor } from './notices.js';
import { type ReadEnd, Reading } from './reading.js';
import { searchHits } from './search-hits.js';
import type { Securing } from './securing.js';
import { strayFindings } from './straying.js';

/** What may be said of a call besides. */
export type CallFacts = {
  readonly agentId?: string | undefined;
  readonly turn?: string | undefined;
  readonly messageIndex?: number | undefined;
  /** News of a call that may already have run: it is recorded, never denied. */
  readonly observe?: boolean | undefined;
  /** False once nobody waits for the answer any more: then the call runs, whatever we say. */
  readonly isHeard?: (() => boolean) | undefined;
  /** Since when the call may have been running, if the news of it is late; in milliseconds since the epoch. */
  readonly runsSince?: number | undefined;
};

export type BeginCall = ToolCall & CallFacts;

export type BeginAnswer = {
  readonly decision: Decision;
  readonly reason: string | null;
  readonly notices: readonly Notice[];
};

export type EndCall = ReadEnd & {
  readonly session: SessionId;
  readonly call: CallId;
  /** What is known of the call from its end, in case its beginning was never told. */
  readonly unannounced: BeginCall | null;
};

/** The operations with changes of this call, also those that were recorded before it ended. */
export type EndAnswer = {
  readonly known: boolean;
  readonly operations: readonly Operation[];
  /** Those with changes that it only may have made. */
  readonly perhaps: readonly Operation[];
};

/** Where a call runs: its files are those of that folder. */
export type CallPlace = {
  readonly id: PlaceId | null;
  readonly root: string;
  readonly tracker: Tracker;
  readonly securing: Securing;
  readonly known: KnownTree;
  readonly resolve: PathResolver;
  /** In a worktree: finds the paths of the workspace's own folder, where a call of this place has no business. */
  readonly strays: PathResolver | null;
};

export type CallsParts = {
  readonly live: LiveLog;
  /** Where a session works, and everywhere that any may. */
  readonly placeOf: (session: SessionId) => CallPlace;
  readonly places: () => readonly CallPlace[];
  readonly content: ContentStore;
  readonly settings: Settings;
  readonly now: () => number;
};

/** Tool calls, from `begin` to `end`. Runs inside the workspace's queue. */
export class Calls {
  readonly #parts: CallsParts;
  readonly #reading: Reading;

  constructor(parts: CallsParts) {
    this.#parts = parts;
    this.#reading = new Reading(parts.content);
  }

  /** Plans of calls that were open when the workspace was closed or died are made again from what was logged. */
  async restore(): Promise<void> {
    const { openCalls, lingering } = this.#parts.live.views.sessions;
    for (const call of openCalls.values()) this.#at(call.session).tracker.open(await this.#planAgain(call));
    for (const call of lingering.values()) this.#at(call.session).tracker.linger(await this.#planAgain(call));
  }

  #at(session: SessionId): CallPlace {
    return this.#parts.placeOf(session);
  }

  /** Whether the call may write files that nobody can tell beforehand. */
  mayWriteAnything(request: BeginCall): boolean {
    return writesAnything(planCall(request, [], this.#at(request.session).resolve));
  }

  async begin(request: BeginCall): Promise<BeginAnswer> {
    const { live, content, settings } = this.#parts;
    const place = this.#at(request.session);
    const { id, tracker, securing, known, resolve } = place;
    const isOpen = tracker.plan(callKey(request.session, request.call)) !== undefined;
    if (isOpen || this.#isOver(request)) return this.#answer(request.session, []);
    const plan = planCall(request, outerSessions(live.views.sessions, request.session), resolve);
    const named = [...plan.writes.keys()];
    const isLate = request.observe === true || request.isHeard?.() === false;
    const late: Suspect | undefined = isLate && canWrite(plan) ? { plan, outcome: 'ok', ran: 'perhaps' } : undefined;
    await tracker.look({ named, ...(late === undefined ? {} : { late }) });
    await securing.secure([...named, ...plan.reads, ...plan.shellReads].map(pathOf), late);
    if (isLate) live.append(await attributeLate(plan, live.log, content, this.#lateSince(request), id));
    const seen = live.views.freshness.sessions.get(request.session)?.seen;
    const guarded = isLate
      ? []
      : await guardCall(
          plan,
          (path) => seen?.get(path),
          (path) => known.get(path),
          {
            content,
            settings: settings.guard,
            diffChars: settings.reasonDiffChars,
          },
        );
    // Nobody is there any more to hear that it is denied, so it runs.
    const ran = isLate || request.isHeard?.() === false;
    const findings = ran ? [] : [...strayFindings(request, place), ...guarded];
    const decision = decisionOf(findings);
    await this.#logBegin(request, plan, decision, ran ? 'observed' : 'announced');
    if (decision !== 'deny') {
      tracker.open(plan);
      this.#reading.begin(plan, known);
    }
    return this.#answer(request.session, findings);
  }

  async end(request: EndCall): Promise<EndAnswer> {
    const { live } = this.#parts;
    const { tracker, known } = this.#at(request.session);
    const plan = tracker.plan(callKey(request.session, request.call)) ?? (await this.#announce(request));
    if (plan === undefined) return this.#ended(request);
    const outcome = request.ok === false ? 'failed' : 'ok';
    const ended: CallEnded = { kind: 'call-ended', session: request.session, call: request.call, outcome };
    const shown = await this.#reading.shown(plan, request, known);
    if (canWrite(plan)) {
      // It read before it, or anybody, wrote what is found now.
      live.append(shown);
      await tracker.end([{ plan, outcome }], () => [{ ...ended, ...this.#lingersOn(plan, request) }]);
    } else {
      live.append([...shown, ...this.#found(plan, request), ended, ...this.#stopped(plan, request)]);
      tracker.forgetCalls([plan.key]);
    }
    this.#reading.end(plan);
    return this.#ended(request);
  }

  /** A call was heard of at its end, and now its beginning comes: opened again, it would never end. */
  #isOver({ session, call }: BeginCall): boolean {
    const [began] = this.#lastBegin(session, call);
    return began?.kind === 'call-began' && began.observed === true;
  }

  #lastBegin(session: SessionId, call: CallId): readonly Operation[] {
    return this.#parts.live.log.find({ session, call, kinds: ['call-began'], newestFirst: true, limit: 1 });
  }

  /**
   * A call that is heard of only at its end is taken up as late news. So is one that was denied and ran all the same:
   * whoever asked did not hear the answer.
   */
  async #announce(request: EndCall): Promise<CallPlan | undefined> {
    const { session, call, unannounced } = request;
    const [began] = this.#lastBegin(session, call);
    const told = began?.kind === 'call-began' ? began : undefined;
    const isHeardOf = told !== undefined && !(told.decision === 'deny' && request.ok === true);
    if (isHeardOf || unannounced === null) return undefined;
    await this.begin({ ...unannounced, observe: true, ...(told === undefined ? {} : { runsSince: told.at }) });
    return this.#at(session).tracker.plan(callKey(session, call));
  }

  #lateSince({ runsSince }: BeginCall): number {
    const now = this.#parts.now();
    return Math.max(runsSince ?? now - LATE_MS, now - this.#parts.settings.callLifetimeMs);
  }

  async #planAgain(call: OpenCall): Promise<CallPlan> {
    const { live, content } = this.#parts;
    const { root, resolve } = this.#at(call.session);
    const input = call.input === null ? null : await readInput(call.input, content);
    const agent = live.views.sessions.sessions.get(call.session)?.agent ?? 'unknown';
    const within = outerSessions(live.views.sessions, call.session);
    return planCall({ ...call, agent, input, cwd: call.cwd ?? root }, within, resolve);
  }

  /** After the last look of the call: what it left running is remembered. */
  #lingersOn(plan: CallPlan, { output, ok }: EndCall): Pick<CallEnded, 'lingers'> {
    const { known, tracker } = this.#at(plan.session);
    const isHalf = ([path, { effect }]: readonly [WorkspacePath, PlannedWrite]) =>
      effect !== null && bringsText(effect) && known.get(path)?.size === 0;
    const half = ok !== false && [...plan.writes].some(isHalf);
    const lingers = lingersAfter(plan, output, half ? 'half' : 'whole');
    if (lingers === undefined) return {};
    tracker.linger(plan);
    return { lingers };
  }

  /** What a search named; of one that failed nothing. */
  #found(plan: CallPlan, { ok, output, unannounced }: EndCall): readonly Found[] {
    const { known, resolve, root } = this.#at(plan.session);
    if (ok === false) return [];
    return searchHits(plan, output, { known, resolve: (written) => resolve(unannounced?.cwd ?? root, written) });
  }

  /** Tools that stop what another call left running are a sign that it is over. */
  #stopped(plan: CallPlan, { ok }: EndCall): readonly CallEnded[] {
    return plan.stops === null || ok === false ? [] : this.#over(plan.session, plan.stops);
  }

  /** Nothing that a session started runs any more. */
  async quiet(session: SessionId): Promise<void> {
    const over = this.#over(session);
    if (over.length > 0) await this.#at(session).tracker.look({}, over);
  }

  /** What there is to say when nothing of a session runs on, or not what goes by `handle`. */
  #over(session: SessionId, handle?: string): readonly CallEnded[] {
    return [...this.#parts.live.views.sessions.lingering.values()]
      .filter((call) => call.session === session && (handle === undefined || call.handle === handle))
      .map(({ call }) => ({ kind: 'call-ended', session, call, outcome: 'ok' }));
  }

  /** Ends calls whose end is not to be expected any more; what they did is recorded as far as it can be told. */
  async expire(which: (plan: CallPlan, beganAt: number) => boolean): Promise<void> {
    for (const place of this.#parts.places()) await this.#expireAt(place, which);
  }

  async #expireAt({ tracker }: CallPlace, which: (plan: CallPlan, beganAt: number) => boolean): Promise<void> {
    const { live } = this.#parts;
    const lost = tracker
      .openPlans()
      .filter((plan) => which(plan, live.views.sessions.openCalls.get(plan.key)?.at ?? 0));
    if (lost.length === 0) return;
    const say = lost.map(
      (plan): CallEnded => ({ kind: 'call-ended', session: plan.session, call: plan.call, outcome: 'expired' }),
    );
    await tracker.end(
      lost.map((plan) => ({ plan, outcome: 'running' })),
      say,
    );
    for (const plan of lost) this.#reading.end(plan);
  }

  async #logBegin(
    request: BeginCall,
    plan: CallPlan,
    decision: Decision,
    news: 'announced' | 'observed',
  ): Promise<void> {
    const { session, call, tool } = request;
    const input = canWrite(plan) ? await keepInput(request.input, this.#parts.content) : null;
    const began: CallBegan = {
      kind: 'call-began',
      session,
      call,
      tool,
      action: plan.action,
      ...(request.turn === undefined ? {} : { turn: request.turn }),
      ...(request.agentId === undefined ? {} : { agentId: request.agentId }),
      ...(request.messageIndex === undefined ? {} : { messageIndex: request.messageIndex }),
      names: [...plan.writes.keys()],
      input,
      ...(input === null ? {} : { cwd: request.cwd }),
      decision,
      ...(news === 'observed' ? { observed: true as const } : {}),
    };
    this.#parts.live.append([began]);
  }

  #answer(session: SessionId, findings: readonly Finding[]): BeginAnswer {
    const { live } = this.#parts;
    const { known } = this.#at(session);
    const decision = decisionOf(findings);
    const denied = findings.filter((finding) => finding.decision === 'deny');
    const warned = findings.filter((finding) => finding.decision === 'warn');
    const reported = new Set(findings.map((finding) => finding.path));
    return {
      decision,
      reason:
        decision === 'allow' ? null : (denied.length > 0 ? denied : warned).map((finding) => finding.text).join('\n\n'),
      notices: [
        ...warned.map(({ path, text }): Notice => ({ kind: 'guard', path, text })),
        ...noticesFor(session, live.views, known).filter(({ path }) => path === undefined || !reported.has(path)),
      ],
    };
  }

  #ended(request: EndCall): EndAnswer {
    const { live } = this.#parts;
    const { session, call } = request;
    const operations = live.log.find({ session, call });
    const began = operations.find((operation) => operation.kind === 'call-began');
    const since = began === undefined ? [] : live.log.find({ kinds: AUTHORED_KINDS, since: began.seq });
    return {
      known: began !== undefined,
      operations: operations.filter((operation) => 'author' in operation),
      perhaps: since.filter((operation) => 'author' in operation && isCandidate(operation.author, request)),
    };
  }
}

function pathOf(named: WorkspacePath | { readonly path: WorkspacePath }): WorkspacePath {
  return typeof named === 'string' ? named : named.path;
}
