import { type Comment, failed, type Outcome, ok, type Seq, type WorkspacePath } from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import type { LiveLog } from '../store/live-log.js';
import type { SessionDesk } from './session-desk.js';

export type CommentRequest = {
  readonly session: string;
  readonly path: string;
  readonly lines?: readonly [from: number, to: number] | undefined;
  /** The lines as the person saw them. */
  readonly excerpt?: string | undefined;
  readonly text: string;
};

type Parts = {
  readonly live: LiveLog;
  readonly sessions: SessionDesk;
  readonly locate: (path: string, cwd: string) => Outcome<WorkspacePath, Refusal>;
};

/** An excerpt tells which lines are meant; it need not be all of them. */
const EXCERPT_LIMIT = 1_000;

/** All of them, or none: whoever collected them sends them again. Runs inside the workspace's queue. */
export function takeComments(
  requests: readonly CommentRequest[],
  root: string,
  { live, sessions, locate }: Parts,
): Outcome<{ readonly seq: Seq | 0 }, Refusal> {
  if (requests.length === 0) return failed({ code: 'bad-input', why: 'there is no comment' });
  const comments: Comment[] = [];
  for (const { session: id, path, lines, excerpt, text } of requests) {
    const session = sessions.find(id)?.id;
    if (session === undefined) return failed({ code: 'unknown-session', session: id });
    const located = locate(path, root);
    if (!located.ok) return located;
    if (text.trim() === '') return failed({ code: 'bad-input', why: 'a comment says nothing' });
    if (lines !== undefined && (lines[0] < 1 || lines[1] < lines[0]))
      return failed({ code: 'bad-input', why: `there are no lines ${lines[0]} to ${lines[1]}` });
    comments.push({
      ...{ session, path: located.value, text },
      ...(lines === undefined ? {} : { lines: { from: lines[0], to: lines[1] } }),
      ...(excerpt === undefined || excerpt === '' ? {} : { excerpt: excerpt.slice(0, EXCERPT_LIMIT) }),
    });
  }
  live.append([{ kind: 'commented', comments }]);
  return ok({ seq: live.log.last });
}
