import { randomUUID } from 'node:crypto';
import { failed, type Outcome, ok, parseSessionId, type SessionId, type SessionState } from '@palimpsest/core';
import type { Journal } from './journal.js';
import type { Refusal } from './refusal.js';
import type { StartSession } from './workspace.js';

/** Starting, ending and naming sessions. Runs inside the workspace's queue. */
export class SessionDesk {
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  list(): readonly SessionState[] {
    return [...this.#journal.views.sessions.sessions.values()];
  }

  find(id: string): SessionState | null {
    return this.#journal.views.sessions.sessions.get(id as SessionId) ?? null;
  }

  start(request: StartSession): Outcome<SessionState, Refusal> {
    const parsed = parseSessionId(request.id ?? randomUUID());
    if (!parsed.ok) return failed(parsed.error);
    const session = parsed.value;
    const earlier = this.find(session);
    const agent = request.agent ?? earlier?.agent ?? 'unknown';
    const { title = '', worktree } = request;
    const same = earlier?.state === 'active' && earlier.agent === agent && title === '' && worktree === undefined;
    const started = { kind: 'session-started', session, agent, title } as const;
    if (!same) this.#journal.append([worktree === undefined ? started : { ...started, worktree }]);
    return ok(this.find(session)!);
  }

  /** Hooks may come before anybody said that a session starts; then it starts with them. */
  ensure(id: string, agent: string | undefined): Outcome<SessionState, Refusal> {
    const session = this.find(id);
    if (session !== null && session.state === 'active' && (agent === undefined || agent === session.agent))
      return ok(session);
    return this.start(agent === undefined ? { id } : { id, agent });
  }

  end(id: string): Outcome<SessionState, Refusal> {
    const session = this.find(id);
    if (session === null) return failed({ code: 'unknown-session', session: id });
    if (session.state === 'active') this.#journal.append([{ kind: 'session-ended', session: session.id }]);
    return ok(this.find(id)!);
  }

  rename(id: string, title: string): Outcome<SessionState, Refusal> {
    const session = this.find(id);
    if (session === null) return failed({ code: 'unknown-session', session: id });
    this.#journal.append([{ kind: 'session-renamed', session: session.id, title }]);
    return ok(this.find(id)!);
  }

  /** Its changes stay: they are the history of files, not of the session. */
  delete(id: string): Outcome<SessionState, Refusal> {
    const session = this.find(id);
    if (session === null) return failed({ code: 'unknown-session', session: id });
    this.#journal.append([{ kind: 'session-deleted', session: session.id }]);
    return ok(session);
  }
}
