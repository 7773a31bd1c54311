import type { ContextAnswer } from '@palimpsest/engine';

/** What the daemon remembers of a session between two of its hooks. Losing it costs a notice that is told twice. */
export type HookSession = {
  workspace: string;
  /** The operation up to which notices went out with the last answer; the next event shows that they arrived. */
  delivered: number | null;
  /** What could not be said where it came up, because the agent does not listen there. */
  owed: string[];
  /** The context that went out with the last answer. */
  injected: ContextAnswer | null;
  /** Changes whose diffs the model has in front of it. */
  readonly diffs: Set<string>;
  /** The last summary of pending changes that the model got. */
  summary: string | null;
  /** Where the agent writes the session down, as it last said. */
  transcript: string | null;
  /** The turn of the last prompt that a hook told of. */
  turn: string | null;
  /** Calls of an agent that names none, by what makes two of them alike, in the order they began. */
  readonly begun: Map<string, string[]>;
};

/** More sessions than this at once are not alive any more; the one that was silent longest is forgotten. */
const SESSIONS_LIMIT = 500;
const OWED_LIMIT = 20;
const ALIKE_LIMIT = 200;

export class HookMemory {
  readonly #sessions = new Map<string, HookSession>();

  find(agent: string, session: string): HookSession | null {
    const key = keyOf(agent, session);
    const found = this.#sessions.get(key);
    if (found === undefined) return null;
    this.#sessions.delete(key);
    this.#sessions.set(key, found);
    return found;
  }

  start(agent: string, session: string, workspace: string): HookSession {
    const fresh: HookSession = {
      workspace,
      delivered: null,
      owed: [],
      summary: null,
      injected: null,
      diffs: new Set(),
      turn: null,
      transcript: null,
      begun: new Map(),
    };
    this.#sessions.set(keyOf(agent, session), fresh);
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= SESSIONS_LIMIT) break;
      this.#sessions.delete(oldest);
    }
    return fresh;
  }

  forget(agent: string, session: string): void {
    this.#sessions.delete(keyOf(agent, session));
  }
}

export function owe(session: HookSession, texts: readonly string[]): void {
  session.owed = [...session.owed, ...texts].slice(-OWED_LIMIT);
}

export function noteBegun(session: HookSession, alike: string, callId: string): void {
  const open = session.begun.get(alike);
  if (open !== undefined) open.push(callId);
  else if (session.begun.size < ALIKE_LIMIT) session.begun.set(alike, [callId]);
}

/** The oldest of the calls that are alike: which of them ends first makes no difference. */
export function takeBegun(session: HookSession, alike: string): string | null {
  const open = session.begun.get(alike);
  const first = open?.shift() ?? null;
  if (open?.length === 0) session.begun.delete(alike);
  return first;
}

function keyOf(agent: string, session: string): string {
  return `${agent} ${session}`;
}
