import {
  type CallBegan,
  type CallEnded,
  type CallId,
  type CallInput,
  type ContentId,
  callKey,
  type LineRange,
  type Operation,
  type OperationBody,
  type SessionId,
  type ShownFile,
  type WorkspacePath,
} from '@palimpsest/core';
import { type CallPlan, canWrite, type PathResolver, planCall, writesAnything } from './call-plan.js';
import type { ContentStore } from './content/content.js';
import { type Decision, decisionOf, type Finding, guardCall } from './guard.js';
import type { Journal } from './journal.js';
import type { KnownTree } from './known-tree.js';
import { attributeLate, LATE_MS, lateSince } from './late.js';
import type { FileState } from './log/log.js';
import { type Notice, noticesFor } from './notices.js';
import type { Opening } from './opening.js';
import type { Securing } from './securing.js';
import type { Settings } from './settings.js';
import { provenRead } from './shell/proof.js';
import { shownByTool, upToEnd } from './shown-lines.js';
import type { Tracker } from './tracker.js';

export type BeginCall = {
  readonly session: SessionId;
  readonly agent: string;
  readonly call: CallId;
  readonly tool: string;
  readonly input: unknown;
  readonly cwd: string;
  readonly agentId?: string;
  readonly turn?: string;
  readonly messageIndex?: number;
  /** News of a call that may already have run: it is recorded, never denied. */
  readonly observe?: boolean;
};

export type BeginAnswer = {
  readonly decision: Decision;
  readonly reason: string | null;
  readonly notices: readonly Notice[];
};

export type EndCall = {
  readonly session: SessionId;
  readonly call: CallId;
  readonly ok: boolean | null;
  readonly output: string | null;
  /** The lines that a read of one file showed, where its tool says so. */
  readonly shown: LineRange | null;
  /** What is known of the call from its end, in case its beginning was never told. */
  readonly unannounced: BeginCall | null;
};

/** The operations with changes of this call, also those that were recorded before it ended. */
export type EndAnswer = { readonly known: boolean; readonly operations: readonly Operation[] };

export type CallsParts = {
  readonly journal: Journal;
  readonly tracker: Tracker;
  readonly securing: Securing;
  readonly known: KnownTree;
  readonly content: ContentStore;
  readonly settings: Settings;
  readonly resolve: PathResolver;
  readonly opening: Opening;
  readonly now: () => number;
};

/** Tool calls, from `begin` to `end`. Runs inside the workspace's queue. */
export class Calls {
  readonly #parts: CallsParts;
  readonly #plans = new Map<string, CallPlan>();
  /** What each file held that an open call is reading, so that a change meanwhile does not count as seen. */
  readonly #reading = new Map<string, ReadonlyMap<WorkspacePath, FileState>>();
  /** When calls were heard of that may have run before, oldest first; only the last seconds count. */
  readonly #lateNews = new Map<string, number>();

  constructor(parts: CallsParts) {
    this.#parts = parts;
  }

  /** Plans of calls that were open when the workspace was closed or died are made again from what was logged. */
  async restore(cwd: string): Promise<void> {
    const { journal, content, resolve } = this.#parts;
    for (const [key, call] of journal.views.sessions.openCalls) {
      const parsed = call.input === null ? null : await readInput(call.input, content);
      const agent = journal.views.sessions.sessions.get(call.session)?.agent ?? 'unknown';
      this.#plans.set(key, planCall({ ...call, agent, input: parsed, cwd: call.cwd ?? cwd }, resolve));
    }
    for (const operation of journal.log.find({ kinds: ['call-began'], since: lateSince(journal.log) }))
      if (operation.kind === 'call-began' && operation.observed === true)
        this.#lateNews.set(callKey(operation.session, operation.call), operation.at);
  }

  openPlans(): readonly CallPlan[] {
    return [...this.#plans.values()];
  }

  /** Whether the call may write files that nobody can tell beforehand. */
  mayWriteAnything(request: BeginCall): boolean {
    return writesAnything(planCall(request, this.#parts.resolve));
  }

  async begin(request: BeginCall): Promise<BeginAnswer> {
    const { journal, tracker, securing, known, content, settings, resolve } = this.#parts;
    const key = callKey(request.session, request.call);
    if (this.#plans.has(key) || this.#isOver(key)) return this.#answer(request.session, []);
    const plan = planCall(request, resolve);
    const { circumstance } = this.#parts.opening;
    const open = this.openPlans();
    const named = [...plan.writes.keys()];
    await tracker.track({ suspects: running(open), named, circumstance }, open);
    await securing.secure([...named, ...plan.reads, ...plan.shellReads].map(pathOf), running(open));
    if (request.observe) journal.append(await attributeLate(plan, journal.log, content, this.#parts.now()));
    const seen = journal.views.freshness.sessions.get(request.session)?.seen;
    const findings = request.observe
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
    const decision = decisionOf(findings);
    await this.#logBegin(request, plan, decision);
    if (request.observe) this.#lateNews.set(key, this.#parts.now());
    if (decision !== 'deny') this.#open(key, plan);
    return this.#answer(request.session, findings);
  }

  async end(request: EndCall): Promise<EndAnswer> {
    const { tracker } = this.#parts;
    const key = callKey(request.session, request.call);
    const plan = this.#plans.get(key) ?? (await this.#announce(request));
    if (plan === undefined) return this.#ended(request);
    const { circumstance } = this.#parts.opening;
    const others = this.openPlans().filter((other) => other !== plan);
    const outcome = request.ok === false ? 'failed' : 'ok';
    const ended: CallEnded = { kind: 'call-ended', session: request.session, call: request.call, outcome };
    const shown = await this.#shown(plan, request);
    if (canWrite(plan)) {
      // It read before it, or anybody, wrote what is found now.
      tracker.say(shown);
      const suspects = [{ plan, outcome } as const, ...running(others)];
      await tracker.track({ suspects, named: plan.writes.keys(), circumstance }, others, [ended]);
    } else {
      tracker.say([...shown, ended]);
    }
    this.#plans.delete(key);
    this.#reading.delete(key);
    return this.#ended(request);
  }

  /** A call was heard of at its end, and now its beginning comes: opened again, it would never end. */
  #isOver(key: string): boolean {
    const oldest = this.#parts.now() - LATE_MS;
    for (const [told, at] of this.#lateNews) {
      if (at >= oldest) break;
      this.#lateNews.delete(told);
    }
    return this.#lateNews.has(key);
  }

  /** A call that is heard of only at its end is taken up as late news. */
  async #announce({ session, call, unannounced }: EndCall): Promise<CallPlan | undefined> {
    const told = this.#parts.journal.log.find({ session, call, kinds: ['call-began'], limit: 1 }).length > 0;
    if (told || unannounced === null) return undefined;
    await this.begin({ ...unannounced, observe: true });
    return this.#plans.get(callKey(session, call));
  }

  /** Ends calls whose end is not to be expected any more; what they did is recorded as far as it can be told. */
  async expire(which: (plan: CallPlan, beganAt: number) => boolean): Promise<void> {
    const { journal, tracker } = this.#parts;
    const lost = this.openPlans().filter((plan) =>
      which(plan, journal.views.sessions.openCalls.get(plan.key)?.at ?? 0),
    );
    if (lost.length === 0) return;
    const { circumstance } = this.#parts.opening;
    const left = this.openPlans().filter((plan) => !lost.includes(plan));
    const say = lost.map(
      (plan): CallEnded => ({ kind: 'call-ended', session: plan.session, call: plan.call, outcome: 'expired' }),
    );
    const named = lost.flatMap((plan) => [...plan.writes.keys()]);
    await tracker.track({ suspects: running([...lost, ...left]), named, circumstance }, left, say);
    for (const plan of lost) {
      this.#plans.delete(plan.key);
      this.#reading.delete(plan.key);
    }
  }

  #open(key: string, plan: CallPlan): void {
    this.#plans.set(key, plan);
    const reading = new Map<WorkspacePath, FileState>();
    for (const { path } of [...plan.reads, ...plan.shellReads]) {
      const state = this.#parts.known.get(path);
      if (state !== null) reading.set(path, state);
    }
    if (reading.size > 0) this.#reading.set(key, reading);
  }

  async #logBegin(request: BeginCall, plan: CallPlan, decision: Decision): Promise<void> {
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
      ...(request.observe ? { observed: true as const } : {}),
    };
    this.#parts.tracker.say([began]);
  }

  /** What a read put in front of the model: the file as it was when the read began, unless it is told otherwise. */
  async #shown(plan: CallPlan, request: EndCall): Promise<readonly OperationBody[]> {
    if (request.ok === false) return [];
    const reading = this.#reading.get(plan.key);
    if (reading === undefined) return [];
    const files: ShownFile[] = [];
    const told = new Set(plan.reads.map(({ path }) => path)).size === 1 ? request.shown : null;
    for (const { path, lines } of plan.reads) {
      const file = reading.get(path);
      if (file === undefined) continue;
      files.push(this.#shownFile(path, file.content, await shownByTool(lines, told, file, this.#parts.content)));
    }
    for (const { path, read } of plan.shellReads) {
      const content = reading.get(path)?.content;
      if (content === undefined || request.output === null) continue;
      const bytes = await this.#parts.content.get(content);
      if (!bytes.ok || !provenRead(read, request.output, bytes.value)) continue;
      files.push(this.#shownFile(path, content, await upToEnd(read.lines, content, this.#parts.content)));
    }
    return files.length === 0 ? [] : [{ kind: 'shown', session: plan.session, source: 'read', files }];
  }

  #shownFile(path: WorkspacePath, content: ContentId, lines: LineRange | undefined): ShownFile {
    const stale = this.#parts.known.get(path)?.content !== content;
    return {
      path,
      content,
      ...(lines === undefined ? {} : { lines }),
      ...(stale ? { stale: true as const } : {}),
    };
  }

  #answer(session: SessionId, findings: readonly Finding[]): BeginAnswer {
    const { journal, known } = this.#parts;
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
        ...noticesFor(session, journal.views, known).filter(({ path }) => path === undefined || !reported.has(path)),
      ],
    };
  }

  #ended(request: EndCall): EndAnswer {
    const { journal } = this.#parts;
    const { session, call } = request;
    const operations = journal.log.find({ session, call });
    return {
      known: operations.some((operation) => operation.kind === 'call-began'),
      operations: operations.filter((operation) => operation.kind === 'changed' || operation.kind === 'attributed'),
    };
  }
}

function running(plans: readonly CallPlan[]) {
  return plans.filter(canWrite).map((plan) => ({ plan, outcome: 'running' as const }));
}

/** Inputs up to this length stand in the log itself, which saves writing and syncing an object for each call. */
const INPUT_IN_PLACE_CHARS = 16 * 1024;

async function keepInput(input: unknown, content: ContentStore): Promise<CallInput | null> {
  const json = JSON.stringify(input);
  if (json === undefined) return null;
  return json.length <= INPUT_IN_PLACE_CHARS
    ? { json }
    : { content: await content.put(new TextEncoder().encode(json)) };
}

async function readInput(input: CallInput, content: ContentStore): Promise<unknown> {
  if ('json' in input) return JSON.parse(input.json);
  const found = await content.get(input.content);
  return found.ok ? JSON.parse(new TextDecoder().decode(found.value)) : null;
}

function pathOf(named: WorkspacePath | { readonly path: WorkspacePath }): WorkspacePath {
  return typeof named === 'string' ? named : named.path;
}
