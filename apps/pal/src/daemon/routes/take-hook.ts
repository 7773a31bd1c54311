import { createHash } from 'node:crypto';
import { failed, type Outcome, ok, unreachable } from '@palimpsest/core';
import type { Workspace } from '@palimpsest/engine';
import { changeJson, type KnownRefusal } from '@palimpsest/protocol';
import type { Agent } from '../../agents/agent.js';
import { AGENTS, type AgentName } from '../../agents/agents.js';
import { contextText, type PendingFile, pendingSummary } from '../../agents/context.js';
import type { CallName, HookEvent, HookReply } from '../../agents/hook-event.js';
import { contextText as blocksText } from '../../print/context.js';
import { harmlessLines } from '../../print/harmless.js';
import type { Workspaces } from '../host/workspaces.js';
import type { Transcripts } from '../transcripts/transcripts.js';
import { HookMemory, type HookSession, noteBegun, owe, takeBegun } from './hook-memory.js';
import { toldBy } from './hook-transcript.js';

export type Hook = {
  readonly agent: AgentName;
  readonly event: string;
  readonly payload: unknown;
  /** Where the agent works; the first event of a session decides to which workspace it belongs. */
  readonly directory: string;
  /** Whether whoever asked is still there to hear the answer. */
  readonly isHeard: () => boolean;
  /** Until when whoever asked waits, if that was said; in milliseconds since the epoch. */
  readonly deadline?: number | undefined;
  /** The session around the agent's, if it was started within one. */
  readonly parent?: string | undefined;
};

type Answered = Outcome<HookReply, KnownRefusal>;

/**
 * Takes what agents' hooks report, lets the engine know, and says what the agent should hear. One serves all hooks of a
 * daemon: it remembers their sessions.
 */
export function hookTaker(workspaces: Workspaces, transcripts: Transcripts): (hook: Hook) => Promise<Answered> {
  const memory = new HookMemory();

  async function sessionOf({ agent, directory }: Hook, event: HookEvent): Promise<Outcome<HookSession, KnownRefusal>> {
    const known = memory.find(agent, event.session);
    if (known !== null) return ok(known);
    const found = workspaces.find(directory, 'enclosing');
    if (!found.ok) return found;
    const opened = await workspaces.open(found.value);
    if (!opened.ok) return opened;
    // While it was being opened another event of the same session may have come as far as this.
    return ok(memory.find(agent, event.session) ?? memory.start(agent, event.session, found.value.id));
  }

  return async (hook) => {
    const agent = AGENTS[hook.agent];
    const event = agent.read(hook.event, hook.payload);
    if (event === null) return ok({});
    const session = await sessionOf(hook, event);
    if (!session.ok) return NO_WORKSPACE.has(session.error.code) ? ok({}) : session;
    return workspaces.use(session.value.workspace, async (hosted) => {
      hosted.markWork();
      const heard = { agent, id: event.session, session: session.value, workspace: hosted.workspace, hook };
      await acknowledge(heard);
      const told = await tell(heard, event);
      if (!told.ok) return told;
      for (const { of, ...occasion } of toldBy(heard, event, told.value)) transcripts.hear(of, occasion);
      if (event.kind === 'session-end') memory.forget(hook.agent, event.session);
      const { deny } = told.value;
      return ok(
        harmlessReply(deny === undefined && hook.isHeard() ? await speak(heard, event, told.value) : told.value),
      );
    });
  };
}

/** An agent may well work in a home or in a folder that is gone; there is nothing to keep track of then. */
const NO_WORKSPACE: ReadonlySet<string> = new Set(['too-wide', 'not-a-folder', 'not-a-workspace']);

/** One event of one session. */
type Heard = {
  readonly agent: Agent;
  readonly id: string;
  readonly session: HookSession;
  readonly workspace: Workspace;
  readonly hook: Hook;
};

/** That another event comes shows that the answer to the one before has arrived. */
async function acknowledge(heard: Heard): Promise<void> {
  const { delivered, injected, diffs } = heard.session;
  heard.session.delivered = null;
  heard.session.injected = null;
  if (delivered !== null) await heard.workspace.acknowledge(heard.id, delivered);
  if (injected === null) return;
  await heard.workspace.contextDelivered(injected);
  for (const { change } of injected.blocks) if (change !== undefined) diffs.add(change);
}

async function tell(heard: Heard, event: HookEvent): Promise<Answered> {
  const workspace = heard.workspace;
  switch (event.kind) {
    case 'session-start':
      return silent(await start(heard, event.model));
    case 'session-end':
      return workspace.session(heard.id) === null ? ok({}) : silent(await workspace.endSession(heard.id));
    case 'prompt':
      return silent(await prompt(heard, event));
    case 'tool-begin':
      return begin(heard, event);
    case 'tool-end':
      return silent(await end(heard, event));
    case 'cut':
      heard.session.summary = null;
      heard.session.diffs.clear();
      await start(heard);
      return silent(await workspace.note({ kind: 'cut', session: heard.id }));
    case 'pause':
      if (event.isQuiet === true && workspace.session(heard.id) !== null)
        return silent(await workspace.note({ kind: 'quiet', session: heard.id }));
      await workspace.look();
      return ok({});
    default:
      return unreachable(event);
  }
}

/** Adds what the model should hear, if the agent listens at this event. */
async function speak(heard: Heard, event: HookEvent, reply: HookReply): Promise<HookReply> {
  if (!heard.agent.hears.has(event.kind)) return reply;
  // Read in one breath: what is recorded a moment later is not among the notices, and must not count as told.
  const upTo = heard.workspace.seq;
  const notices = event.kind === 'tool-begin' ? [] : heard.workspace.notices(heard.id).map(({ text }) => text);
  const facts = [...heard.session.owed, ...notices];
  const summary = event.kind === 'prompt' ? await newSummary(heard) : null;
  const said = contextText(facts, summary);
  const injected = event.kind === 'prompt' ? await injectedText(heard, event.text) : null;
  const context = [said, injected].filter((text) => text !== null).join('\n\n');
  if (context === '') return reply;
  heard.session.owed = [];
  if (notices.length > 0) heard.session.delivered = upTo;
  return { ...reply, context };
}

/** What the settings let go along with a prompt. Notices go their own way, which knows when they were heard. */
async function injectedText({ workspace, session, id }: Heard, prompt: string): Promise<string | null> {
  const asked = { prompt, session: id, injected: true, notices: 'left-out', inSight: session.diffs } as const;
  const context = await workspace.context(asked);
  if (!context.ok || context.value.blocks.length === 0) return null;
  session.injected = context.value;
  return blocksText(context.value);
}

function start(heard: Heard, model?: string) {
  const { parent, directory } = heard.hook;
  return heard.workspace.startSession({ id: heard.id, agent: heard.agent.name, model, parent, directory });
}

async function prompt(heard: Heard, event: HookEvent & { kind: 'prompt' }) {
  const started = await start(heard, event.model);
  if (!started.ok) return started;
  const { text, turn, cwd } = event;
  const { workspace, session, id } = heard;
  // A proxy between its editor and the agent may have told of the same one, under a turn that no hook knows of.
  const latest = workspace.session(id);
  const isKnown = latest?.prompt === text && latest.turn !== session.turn;
  const noted = isKnown
    ? started
    : await workspace.note({ kind: 'prompt', session: id, text, turn, cwd, mentions: heard.agent.mentions });
  session.turn = workspace.session(id)?.turn ?? null;
  return noted;
}

async function begin(heard: Heard, event: HookEvent & { kind: 'tool-begin' }): Promise<Answered> {
  const { tool, input, cwd, agentId, turn } = event;
  const { isHeard, deadline, parent } = heard.hook;
  const callId = typeof event.callId === 'string' ? event.callId : unusedId(heard.session, event.callId);
  const named = { session: heard.id, callId, agent: heard.agent.name, agentId, parent };
  // An agent that got no answer went on when it stopped waiting for one.
  const began = await heard.workspace.begin({ ...named, tool, input, cwd, turn, isHeard, runsSince: deadline });
  if (!began.ok) return began;
  const { decision, reason, notices } = began.value;
  if (decision === 'deny') return ok({ deny: reason ?? 'The edit was not made.' });
  if (typeof event.callId !== 'string') noteBegun(heard.session, event.callId.alike, callId);
  owe(
    heard.session,
    notices.filter(({ kind }) => kind === 'guard').map(({ text }) => text),
  );
  return ok({});
}

async function end(heard: Heard, event: HookEvent & { kind: 'tool-end' }) {
  const { tool, input, cwd, agentId, ok: succeeded, output, shown, durationMs } = event;
  const { deadline = Date.now(), parent } = heard.hook;
  const callId = typeof event.callId === 'string' ? event.callId : await beginningOf(heard, event.callId);
  const named = { session: heard.id, callId, agent: heard.agent.name, agentId, parent };
  const runsSince = durationMs === undefined ? undefined : deadline - durationMs - HEARD_LATE_MS;
  return heard.workspace.end({ ...named, tool, input, cwd, ok: succeeded, output, shown, runsSince });
}

/**
 * Which call it is that ends, for an agent that gives its calls no names. Calls that began before the daemon was started
 * again are found among those that are open. Without any, the end stands for the whole call.
 */
async function beginningOf(heard: Heard, name: UnnamedCall): Promise<string> {
  const begun = takeBegun(heard.session, name.alike);
  if (begun !== null) return begun;
  const { openCalls } = await heard.workspace.status();
  const open = openCalls.find(({ session, call }) => session === heard.id && call.startsWith(prefixOf(name)));
  return open?.call ?? idOf(name);
}

/** Null when there is nothing pending, or nothing that the model has not been told. */
async function newSummary(heard: Heard): Promise<string | null> {
  const pending = await heard.workspace.changes({ session: heard.id, status: 'pending' });
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
  if (summary === heard.session.summary) return null;
  heard.session.summary = summary;
  return summary;
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
