import { randomUUID } from 'node:crypto';
import {
  failed,
  type Outcome,
  ok,
  outerSessions,
  parseSessionId,
  type SessionId,
  type SessionStarted,
  type SessionState,
} from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import type { LiveLog } from '../store/live-log.js';

export type StartSession = {
  readonly id?: string | undefined;
  readonly agent?: string | undefined;
  readonly title?: string | undefined;
  /** A folder of its own that stands for the workspace: paths in it mean the workspace's. */
  readonly worktree?: SessionStarted['worktree'] | undefined;
  /** The session that it runs within. */
  readonly parent?: string | undefined;
  readonly model?: string | undefined;
};

/** Starting, ending and naming sessions. Runs inside the workspace's queue. */
export class SessionDesk {
  readonly #live: LiveLog;

  constructor(live: LiveLog) {
    this.#live = live;
  }

  list(): readonly SessionState[] {
    return [...this.#live.views.sessions.sessions.values()];
  }

  find(id: string): SessionState | null {
    return this.#live.views.sessions.sessions.get(id as SessionId) ?? null;
  }

  start(request: StartSession): Outcome<SessionState, Refusal> {
    const parsed = parseSessionId(request.id ?? randomUUID());
    if (!parsed.ok) return failed(parsed.error);
    const session = parsed.value;
    const earlier = this.find(session);
    const agent = request.agent ?? earlier?.agent ?? 'unknown';
    const { title = '', worktree, model } = request;
    const parent = this.#parentOf(request, session);
    const same =
      earlier?.state === 'active' &&
      earlier.agent === agent &&
      title === '' &&
      worktree === undefined &&
      (parent === undefined || parent === earlier.parent) &&
      (model === undefined || model === earlier.model);
    const more = {
      ...(worktree === undefined ? {} : { worktree }),
      ...(parent === undefined ? {} : { parent }),
      ...(model === undefined ? {} : { model }),
    };
    if (!same) this.#live.append([{ kind: 'session-started', session, agent, title, ...more }]);
    return ok(this.find(session)!);
  }

  /** Hooks may come before anybody said that a session starts; then it starts with them. */
  ensure(id: string, agent: string | undefined, parent?: string): Outcome<SessionState, Refusal> {
    const session = this.find(id);
    const isKnown = agent === undefined || agent === session?.agent;
    const isPlaced = parent === undefined || session?.parent !== null;
    if (session !== null && session.state === 'active' && isKnown && isPlaced) return ok(session);
    return this.start({ id, ...(agent === undefined ? {} : { agent }), ...(parent === undefined ? {} : { parent }) });
  }

  /** Only a session of this workspace can be around another, and none can be within itself. */
  #parentOf({ parent }: StartSession, session: SessionId): SessionId | undefined {
    const found = parent === undefined || parent === session ? null : this.find(parent);
    if (found === null || outerSessions(this.#live.views.sessions, found.id).includes(session)) return undefined;
    return found.id;
  }

  end(id: string): Outcome<SessionState, Refusal> {
    const session = this.find(id);
    if (session === null) return failed({ code: 'unknown-session', session: id });
    if (session.state === 'active') this.#live.append([{ kind: 'session-ended', session: session.id }]);
    return ok(this.find(id)!);
  }

  rename(id: string, title: string): Outcome<SessionState, Refusal> {
    const session = this.find(id);
    if (session === null) return failed({ code: 'unknown-session', session: id });
    this.#live.append([{ kind: 'session-renamed', session: session.id, title }]);
    return ok(this.find(id)!);
  }

  /** Its changes stay: they are the history of files, not of the session. */
  delete(id: string): Outcome<SessionState, Refusal> {
    const session = this.find(id);
    if (session === null) return failed({ code: 'unknown-session', session: id });
    this.#live.append([{ kind: 'session-deleted', session: session.id }]);
    return ok(session);
  }
}
