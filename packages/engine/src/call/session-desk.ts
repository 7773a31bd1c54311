import { randomUUID } from 'node:crypto';
import {
  failed,
  type Outcome,
  ok,
  outerSessions,
  parseSessionId,
  type Seq,
  type SessionId,
  type SessionStarted,
  type SessionState,
  type WorktreeMode,
} from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import type { LiveLog } from '../store/live-log.js';
import { isInside } from '../tree/inside.js';
import { realPlace } from '../tree/own-folders.js';

export type StartSession = {
  readonly id?: string | undefined;
  readonly agent?: string | undefined;
  readonly title?: string | undefined;
  /** A folder of its own that stands for the workspace: one that is to be made, or that somebody made. */
  readonly worktree?: SessionStarted['worktree'] | WorktreeMode | undefined;
  /** The folder that it works in: a session in a worktree of ours works there, whoever that was made for. */
  readonly directory?: string | undefined;
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
    const { title = '', model } = request;
    const parent = this.#parentOf(request, session);
    const told = typeof request.worktree === 'object' ? request.worktree : undefined;
    const worktree = told ?? this.#placeFor(request.directory, earlier, parent);
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
  ensure(id: string, agent: string | undefined, parent?: string, directory?: string): Outcome<SessionState, Refusal> {
    const session = this.find(id);
    const isKnown = agent === undefined || agent === session?.agent;
    const isPlaced =
      (parent === undefined || session?.parent !== null) &&
      (session === null || this.#placeFor(directory, session, session.parent ?? undefined) === undefined);
    if (session !== null && session.state === 'active' && isKnown && isPlaced) return ok(session);
    return this.start({ id, agent, parent, directory });
  }

  /** Where a session works that is nowhere yet: where its folder is, or else where the one around it works. */
  #placeFor(
    directory: string | undefined,
    session: SessionState | null,
    parent: SessionId | undefined,
  ): SessionStarted['worktree'] {
    const { live } = this.#live.views.worktrees;
    if (live.size === 0 || session?.worktree) return undefined;
    const real = directory === undefined ? null : realPlace(directory);
    const at = [...live.values()].find(({ path }) => real !== null && isInside(path, real));
    if (at !== undefined) return { path: at.path, mode: at.mode, place: at.place, portBase: at.portBase };
    const around = parent === undefined ? null : this.find(parent)?.worktree;
    return around?.place !== undefined && live.has(around.place) ? around : undefined;
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

  /** Its model has got the notices up to `upTo`. */
  acknowledge(id: string, upTo: number): Outcome<null, Refusal> {
    const session = this.find(id);
    if (session === null) return failed({ code: 'unknown-session', session: id });
    const seq = Math.min(Math.max(0, Math.trunc(upTo)), this.#live.log.last) as Seq;
    this.#live.append([{ kind: 'acknowledged', session: session.id, upTo: seq }]);
    return ok(null);
  }

  /** Its changes stay: they are the history of files, not of the session. */
  delete(id: string): Outcome<SessionState, Refusal> {
    const session = this.find(id);
    if (session === null) return failed({ code: 'unknown-session', session: id });
    this.#live.append([{ kind: 'session-deleted', session: session.id }]);
    return ok(session);
  }
}
