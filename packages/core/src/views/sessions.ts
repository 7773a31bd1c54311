import type { CallId, Seq, SessionId } from '../ids.js';
import type { CallBegan, Operation, SessionStarted } from '../operation.js';
import type { View } from './view.js';

export type SessionState = {
  readonly id: SessionId;
  readonly agent: string;
  readonly title: string;
  readonly state: 'active' | 'ended';
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly worktree: NonNullable<SessionStarted['worktree']> | null;
  /** The latest turn and what was asked in it. */
  readonly turn: string | null;
  readonly prompt: string | null;
  readonly parent: SessionId | null;
  /** As the agent last named it. */
  readonly model: string | null;
};

/** A call that began and has not ended: what happens meanwhile may be its doing. */
export type OpenCall = Omit<CallBegan, 'kind'> & { readonly seq: Seq; readonly at: number };

export type Sessions = {
  readonly sessions: Map<SessionId, SessionState>;
  /** Keyed by `callKey`; denied calls never get here, because they never run. */
  readonly openCalls: Map<string, OpenCall>;
  /** Calls that ended and may have left something running. */
  readonly lingering: Map<string, LingeringCall>;
};

type LingeringCall = OpenCall & { readonly handle: string | null };

/** Call ids are unique within a session only, and either may hold any character. */
export function callKey(session: SessionId, call: CallId): string {
  return JSON.stringify([session, call]);
}

/** The sessions that a session runs within, the nearest first. */
export function outerSessions({ sessions }: Sessions, id: SessionId): readonly SessionId[] {
  const outer: SessionId[] = [];
  for (let at = sessions.get(id)?.parent ?? null; at !== null && at !== id && !outer.includes(at); ) {
    outer.push(at);
    at = sessions.get(at)?.parent ?? null;
  }
  return outer;
}

export const sessionsView: View<Sessions> = {
  name: 'sessions',
  version: 4,
  empty: () => ({ sessions: new Map(), openCalls: new Map(), lingering: new Map() }),
  apply: applyToSessions,
  encode: ({ sessions, openCalls, lingering }) => ({
    sessions: [...sessions.values()],
    openCalls: [...openCalls.values()],
    lingering: [...lingering.values()],
  }),
  decode(encoded) {
    const stored = encoded as { sessions: SessionState[]; openCalls: OpenCall[]; lingering: LingeringCall[] };
    return {
      sessions: new Map(stored.sessions.map((session) => [session.id, session])),
      openCalls: byKey(stored.openCalls),
      lingering: byKey(stored.lingering),
    };
  },
};

function byKey<Call extends OpenCall>(calls: readonly Call[]): Map<string, Call> {
  return new Map(calls.map((call) => [callKey(call.session, call.call), call]));
}

function applyToSessions(state: Sessions, operation: Operation): Sessions {
  switch (operation.kind) {
    case 'session-started':
      start(state, operation);
      break;
    case 'session-ended':
      update(state, operation.session, { state: 'ended', endedAt: operation.at });
      quieten(state, operation.session);
      break;
    case 'session-renamed':
      update(state, operation.session, { title: operation.title });
      break;
    case 'session-deleted':
      state.sessions.delete(operation.session);
      quieten(state, operation.session);
      break;
    case 'prompted':
      update(state, operation.session, { turn: operation.turn, prompt: operation.text });
      break;
    case 'call-began': {
      if (operation.decision === 'deny') break;
      const { kind: _, ...call } = operation;
      state.openCalls.set(callKey(operation.session, operation.call), call);
      break;
    }
    case 'call-ended': {
      const key = callKey(operation.session, operation.call);
      const call = state.openCalls.get(key);
      state.openCalls.delete(key);
      if (operation.lingers === undefined) state.lingering.delete(key);
      else if (call !== undefined) state.lingering.set(key, { ...call, handle: operation.lingers.handle });
      break;
    }
    case 'worktree-removed':
      for (const { id, worktree } of state.sessions.values())
        if (worktree?.place === operation.worktree) update(state, id, { worktree: null });
      break;
    default:
      break;
  }
  return state;
}

/** Starting a session again resumes it: its beginning and title stay. */
function start(state: Sessions, operation: Operation & { kind: 'session-started' }): void {
  const earlier = state.sessions.get(operation.session);
  state.sessions.set(operation.session, {
    id: operation.session,
    agent: operation.agent,
    title: earlier !== undefined && operation.title === '' ? earlier.title : operation.title,
    state: 'active',
    startedAt: earlier?.startedAt ?? operation.at,
    endedAt: null,
    worktree: operation.worktree ?? earlier?.worktree ?? null,
    turn: earlier?.turn ?? null,
    prompt: earlier?.prompt ?? null,
    parent: operation.parent ?? earlier?.parent ?? null,
    model: operation.model ?? earlier?.model ?? null,
  });
}

/** Whatever its calls left running is over with the session, as far as anybody can tell. */
function quieten(state: Sessions, session: SessionId): void {
  for (const [key, call] of state.lingering) if (call.session === session) state.lingering.delete(key);
}

function update(state: Sessions, id: SessionId, fields: Partial<SessionState>): void {
  const session = state.sessions.get(id);
  if (session !== undefined) state.sessions.set(id, { ...session, ...fields });
}
