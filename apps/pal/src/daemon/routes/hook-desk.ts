import { createHash } from 'node:crypto';
import { failed, type Outcome, ok, unreachable } from '@palimpsest/core';
import type { Workspace } from '@palimpsest/engine';
import { changeJson, type KnownRefusal } from '@palimpsest/protocol';
import type { Agent } from '../../agents/agent.js';
import { AGENTS, type AgentName } from '../../agents/agents.js';
import { contextText, type PendingFile, pendingSummary } from '../../agents/context.js';
import type { CallName, HookEvent, HookReply } from '../../agents/hook-event.js';
import { harmlessLines } from '../../print/harmless.js';
import type { Workspaces } from '../host/workspaces.js';
import { HookMemory, type HookSession, noteBegun, owe, takeBegun } from './hook-memory.js';

export type Hook = {
  readonly agent: AgentName;
  readonly event: string;
  readonly payload: unknown;
  /** Where the agent works; which workspace a session belongs to is settled by its first event. */
  readonly directory: string;
  /** Whether whoever asked is still there to hear the answer. */
  readonly isHeard: () => boolean;
  /** Until when whoever asked waits, if that was said; in milliseconds since the epoch. */
  readonly deadline?: number | undefined;
  /** The session around the agent's, if it was started within one. */
  readonly parent?: string | undefined;
};

type Answered = Outcome<HookReply, KnownRefusal>;

/** Takes what agents' hooks report, lets the engine know, and says what the agent should hear. */
export class HookDesk {
  readonly #workspaces: Workspaces;
  readonly #memory = new HookMemory();

  constructor(workspaces: Workspaces) {
    this.#workspaces = workspaces;
  }

  async take(hook: Hook): Promise<Answered> {
    const agent = AGENTS[hook.agent];
    const event = agent.read(hook.event, hook.payload);
    if (event === null) return ok({});
    const session = await this.#sessionOf(hook, event);
    if (!session.ok) return NO_WORKSPACE.has(session.error.code) ? ok({}) : session;
    return this.#workspaces.use(session.value.workspace, async (hosted) => {
      hosted.markWork();
      const turn = new HookTurn(agent, event.session, session.value, hosted.workspace, hook);
      await turn.acknowledge();
      const told = await turn.tell(event);
      if (!told.ok) return told;
      if (event.kind === 'session-end') this.#memory.forget(hook.agent, event.session);
      const { deny } = told.value;
      return ok(harmlessReply(deny === undefined && hook.isHeard() ? await turn.speak(event, told.value) : told.value));
    });
  }

  async #sessionOf({ agent, directory }: Hook, event: HookEvent): Promise<Outcome<HookSession, KnownRefusal>> {
    const known = this.#memory.find(agent, event.session);
    if (known !== null) return ok(known);
    const found = this.#workspaces.find(directory, 'enclosing');
    if (!found.ok) return found;
    const opened = await this.#workspaces.open(found.value);
    if (!opened.ok) return opened;
    // While it was being opened another event of the same session may have come as far as this.
    return ok(this.#memory.find(agent, event.session) ?? this.#memory.start(agent, event.session, found.value.id));
  }
}

/** An agent may well work in a home or in a folder that is gone; there is nothing to keep track of then. */
const NO_WORKSPACE: ReadonlySet<string> = new Set(['too-wide', 'not-a-folder', 'not-a-workspace']);

/** One event of one session. */
class HookTurn {
  readonly #agent: Agent;
  readonly #id: string;
  readonly #session: HookSession;
  readonly #workspace: Workspace;
  readonly #hook: Hook;

  constructor(agent: Agent, id: string, session: HookSession, workspace: Workspace, hook: Hook) {
    this.#agent = agent;
    this.#id = id;
    this.#session = session;
    this.#workspace = workspace;
    this.#hook = hook;
  }

  /** That another event comes shows that the answer to the one before has arrived. */
  async acknowledge(): Promise<void> {
    const { delivered } = this.#session;
    if (delivered === null) return;
    this.#session.delivered = null;
    await this.#workspace.acknowledge(this.#id, delivered);
  }

  async tell(event: HookEvent): Promise<Answered> {
    const workspace = this.#workspace;
    switch (event.kind) {
      case 'session-start':
        return silent(await this.#start());
      case 'session-end':
        return workspace.session(this.#id) === null ? ok({}) : silent(await workspace.endSession(this.#id));
      case 'prompt':
        return silent(await this.#prompt(event));
      case 'tool-begin':
        return this.#begin(event);
      case 'tool-end':
        return silent(await this.#end(event));
      case 'cut':
        this.#session.summary = null;
        await this.#start();
        return silent(await workspace.note({ kind: 'cut', session: this.#id }));
      case 'pause':
        if (event.isQuiet === true && workspace.session(this.#id) !== null)
          return silent(await workspace.note({ kind: 'quiet', session: this.#id }));
        await workspace.look();
        return ok({});
      default:
        return unreachable(event);
    }
  }

  /** Adds what the model should hear, if the agent listens at this event. */
  async speak(event: HookEvent, reply: HookReply): Promise<HookReply> {
    if (!this.#agent.hears.has(event.kind)) return reply;
    // Read in one breath: what is recorded a moment later is not among the notices, and must not count as told.
    const upTo = this.#workspace.seq;
    const notices = event.kind === 'tool-begin' ? [] : this.#workspace.notices(this.#id).map(({ text }) => text);
    const facts = [...this.#session.owed, ...notices];
    const summary = event.kind === 'prompt' ? await this.#newSummary() : null;
    const context = contextText(facts, summary);
    if (context === null) return reply;
    this.#session.owed = [];
    if (notices.length > 0) this.#session.delivered = upTo;
    return { ...reply, context };
  }

  #start() {
    return this.#workspace.startSession({ id: this.#id, agent: this.#agent.name, ...this.#within() });
  }

  #within(): { readonly parent?: string } {
    const { parent } = this.#hook;
    return parent === undefined ? {} : { parent };
  }

  async #prompt(event: HookEvent & { kind: 'prompt' }) {
    const started = await this.#start();
    if (!started.ok) return started;
    const { text, turn, cwd } = event;
    return this.#workspace.note({
      kind: 'prompt',
      session: this.#id,
      text,
      mentions: this.#agent.mentions,
      ...(turn === undefined ? {} : { turn }),
      ...(cwd === undefined ? {} : { cwd }),
    });
  }

  async #begin(event: HookEvent & { kind: 'tool-begin' }): Promise<Answered> {
    const { tool, input, cwd, agentId, turn } = event;
    const { isHeard, deadline } = this.#hook;
    const callId = typeof event.callId === 'string' ? event.callId : unusedId(this.#session, event.callId);
    const request = {
      session: this.#id,
      callId,
      tool,
      input,
      agent: this.#agent.name,
      ...(cwd === undefined ? {} : { cwd }),
      ...(agentId === undefined ? {} : { agentId }),
      ...(turn === undefined ? {} : { turn }),
      ...this.#within(),
      isHeard,
      // An agent that got no answer went on when it stopped waiting for one.
      ...(deadline === undefined ? {} : { runsSince: deadline }),
    };
    const began = await this.#workspace.begin(request);
    if (!began.ok) return began;
    const { decision, reason, notices } = began.value;
    if (decision === 'deny') return ok({ deny: reason ?? 'The edit was not made.' });
    if (typeof event.callId !== 'string') noteBegun(this.#session, event.callId.alike, callId);
    owe(
      this.#session,
      notices.filter(({ kind }) => kind === 'guard').map(({ text }) => text),
    );
    return ok({});
  }

  async #end(event: HookEvent & { kind: 'tool-end' }) {
    const { tool, input, cwd, agentId, ok: succeeded, output, shown, durationMs } = event;
    return this.#workspace.end({
      session: this.#id,
      callId: typeof event.callId === 'string' ? event.callId : await this.#beginningOf(event.callId),
      tool,
      input,
      agent: this.#agent.name,
      ...(cwd === undefined ? {} : { cwd }),
      ...(agentId === undefined ? {} : { agentId }),
      ...(succeeded === undefined ? {} : { ok: succeeded }),
      ...(output === undefined ? {} : { output }),
      ...(shown === undefined ? {} : { shown }),
      ...(durationMs === undefined
        ? {}
        : { runsSince: (this.#hook.deadline ?? Date.now()) - durationMs - HEARD_LATE_MS }),
      ...this.#within(),
    });
  }

  /**
   * Which call it is that ends, for an agent that gives its calls no names. Calls that began before the daemon was started
   * again are found among those that are open. Without any, the end stands for the whole call.
   */
  async #beginningOf(name: UnnamedCall): Promise<string> {
    const begun = takeBegun(this.#session, name.alike);
    if (begun !== null) return begun;
    const { openCalls } = await this.#workspace.status();
    const open = openCalls.find(({ session, call }) => session === this.#id && call.startsWith(prefixOf(name)));
    return open?.call ?? idOf(name);
  }

  /** Null when there is nothing pending, or nothing that the model has not been told. */
  async #newSummary(): Promise<string | null> {
    const pending = await this.#workspace.changes({ session: this.#id, status: 'pending' });
    if (!pending.ok) return null;
    const files = new Map<string, PendingFile>();
    for (const { path, added, removed } of pending.value.map((entry) => changeJson(entry, () => undefined))) {
      const before = files.get(path) ?? { path, changes: 0, added: 0, removed: 0 };
      files.set(path, {
        path,
        changes: before.changes + 1,
        added: before.added + added,
        removed: before.removed + removed,
      });
    }
    const summary = pendingSummary([...files.values()]);
    if (summary === this.#session.summary) return null;
    this.#session.summary = summary;
    return summary;
  }
}

/** Agents show what we say on a terminal, and file names and diffs in it are the repository's. */
function harmlessReply({ deny, context }: HookReply): HookReply {
  return {
    ...(deny === undefined ? {} : { deny: harmlessLines(deny) }),
    ...(context === undefined ? {} : { context: harmlessLines(context) }),
  };
}

/** How long before the news of its end a call may have ended. */
const HEARD_LATE_MS = 5_000;

type UnnamedCall = Exclude<CallName, string>;

const ID_CHARS = 12;

function prefixOf({ alike }: UnnamedCall): string {
  return `${createHash('sha256').update(alike).digest('hex').slice(0, ID_CHARS)}@`;
}

function idOf(name: UnnamedCall): string {
  return prefixOf(name) + name.at;
}

/** Equal calls may begin at the same moment. */
function unusedId(session: HookSession, name: UnnamedCall): string {
  const open = session.begun.get(name.alike) ?? [];
  const id = idOf(name);
  return open.includes(id) ? `${id}.${open.length}` : id;
}

function silent(outcome: Outcome<unknown, KnownRefusal>): Answered {
  return outcome.ok ? ok({}) : failed(outcome.error);
}
