import type { Seq, SessionId } from '../ids.js';
import type { Comment, Operation } from '../operation.js';
import type { View } from './view.js';

/** What people said to each session about lines of files, and it has not said that it heard; oldest first. */
export type Comments = { readonly outstanding: Map<SessionId, readonly HeardComment[]> };
export type HeardComment = Comment & { readonly seq: Seq };

/** Nobody reads more than this at once; the oldest go. */
const COMMENTS_LIMIT = 100;

export const commentsView: View<Comments> = {
  name: 'comments',
  version: 1,
  empty: () => ({ outstanding: new Map() }),
  apply,
  encode: ({ outstanding }) => [...outstanding],
  decode: (encoded) => ({ outstanding: new Map(encoded as [SessionId, readonly HeardComment[]][]) }),
};

function apply(state: Comments, operation: Operation): Comments {
  const { outstanding } = state;
  switch (operation.kind) {
    case 'commented':
      for (const comment of operation.comments) {
        const earlier = outstanding.get(comment.session) ?? [];
        outstanding.set(comment.session, [...earlier, { ...comment, seq: operation.seq }].slice(-COMMENTS_LIMIT));
      }
      return state;
    case 'acknowledged': {
      const left = (outstanding.get(operation.session) ?? []).filter(({ seq }) => seq > operation.upTo);
      if (left.length === 0) outstanding.delete(operation.session);
      else outstanding.set(operation.session, left);
      return state;
    }
    case 'session-deleted':
      outstanding.delete(operation.session);
      return state;
    default:
      return state;
  }
}
