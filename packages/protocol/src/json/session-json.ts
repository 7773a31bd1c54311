import type { ReviewEntry, SessionState } from '@palimpsest/core';
import type { SessionJson } from '../schemas/session.js';
import { instant } from './instant.js';

/** `pending` is how many of the session's changes wait for a verdict. */
export function sessionJson(session: SessionState, pending: number): SessionJson {
  return {
    id: session.id,
    agent: session.agent,
    state: session.state,
    title: session.title,
    startedAt: instant(session.startedAt),
    ...(session.endedAt === null ? {} : { endedAt: instant(session.endedAt) }),
    ...(session.worktree === null ? {} : { worktree: worktreeOf(session.worktree) }),
    ...(session.turn === null ? {} : { turn: session.turn }),
    ...(session.parent === null ? {} : { parent: session.parent }),
    ...(session.model === null ? {} : { model: session.model }),
    pending,
  };
}

function worktreeOf({ path, mode, portBase }: NonNullable<SessionState['worktree']>): SessionJson['worktree'] {
  return { path, mode, ...(portBase === undefined ? {} : { portBase }) };
}

/** How many changes of each session are among `entries`. */
export function countBySession(entries: readonly ReviewEntry[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { author } of entries) {
    if (author.kind === 'agent') counts.set(author.session, (counts.get(author.session) ?? 0) + 1);
  }
  return counts;
}
