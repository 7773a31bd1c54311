import { freshnessOf, type Seen, type SessionId, spokenPath, type WorkspacePath } from '@palimpsest/core';
import type { KnownTree } from '../store/known-tree.js';
import type { Views } from '../store/views.js';

/** A fact that an agent should hear with its next message. It says what is, not why. */
export type Notice = {
  readonly kind: 'changed-outside' | 'conflict' | 'rejected' | 'comment' | 'radar' | 'guard';
  readonly path?: WorkspacePath;
  readonly text: string;
};

/** More than this at once is noise; the rest is counted in a last line. */
const NOTICES_LIMIT = 20;

/**
 * What changed outside a session since it saw it, and has not been acknowledged. A notice stands until the session has
 * seen the file again or says that it heard; asking for it does not use it up.
 */
export function noticesFor(session: SessionId, views: Views, known: KnownTree): readonly Notice[] {
  return [
    ...commentsFor(session, views),
    ...rejectionsFor(session, views),
    ...outsideChangesFor(session, views, known),
  ];
}

/** What the person reviewing said, in the order in which it was said, until the session says that it heard. */
function commentsFor(session: SessionId, views: Views): readonly Notice[] {
  return (views.comments.outstanding.get(session) ?? []).map(({ path, lines, excerpt, text }): Notice => {
    const at = lines === undefined ? '' : lines.from === lines.to ? `:${lines.from}` : `:${lines.from}-${lines.to}`;
    const quoted = excerpt === undefined ? '' : ` These lines were meant:\n${excerpt.replace(/^/gm, '> ')}`;
    return {
      kind: 'comment',
      path,
      text: `The person reviewing says about ${spokenPath(path)}${at}: ${text}${quoted}`,
    };
  });
}

/** What the person reviewing took back, newest first, until the session says that it heard. */
function rejectionsFor(session: SessionId, views: Views): readonly Notice[] {
  const outstanding = (views.review.rejections.get(session) ?? []).toReversed();
  const notices = outstanding.slice(0, NOTICES_LIMIT).map(({ path, text, comment }): Notice => {
    const why = comment === null ? '' : ` The comment on it: ${comment}`;
    return {
      kind: 'rejected',
      path,
      text: `Your change of ${spokenPath(path)} was rejected and taken back.${why}\n${text}`,
    };
  });
  const rest = outstanding.length - notices.length;
  if (rest > 0) notices.push({ kind: 'rejected', text: `${rest} more of your changes were rejected and taken back.` });
  return notices;
}

function outsideChangesFor(session: SessionId, views: Views, known: KnownTree): readonly Notice[] {
  const freshness = views.freshness.sessions.get(session);
  if (freshness === undefined) return [];
  const notices: Notice[] = [];
  for (const [path, seen] of freshness.seen) {
    if (seen.outsideSeq === null || seen.outsideSeq <= freshness.acknowledged) continue;
    const text = textFor(path, seen, known);
    if (text !== null) notices.push({ kind: 'changed-outside', path, text });
  }
  if (notices.length <= NOTICES_LIMIT) return notices;
  const rest = notices.length - NOTICES_LIMIT;
  return [
    ...notices.slice(0, NOTICES_LIMIT),
    { kind: 'changed-outside', text: `${rest} more files changed since you last saw them.` },
  ];
}

function textFor(path: WorkspacePath, seen: Seen, known: KnownTree): string | null {
  switch (freshnessOf(seen, known.get(path) ?? 'absent')) {
    case 'stale':
      return `${spokenPath(path)} has changed since you last saw it.`;
    case 'missing':
      return `${spokenPath(path)} is gone since you last saw it.`;
    default:
      return null;
  }
}
