import type { Seq, SessionId } from '../ids.js';
import type { HistoryName, MessageAdded } from '../message.js';
import type { Operation } from '../operation.js';
import type { View } from './view.js';

/**
 * What is known of each session's conversation without reading it. Messages stay in the log: this holds where its branches
 * begin, and grows with the times it was taken back, not with what was said.
 */
export type Conversations = {
  readonly sessions: Map<SessionId, Conversation>;
  /** Operations that took a conversation back, or again: undoing one is a branch that goes on from before it. */
  readonly turnings: Map<Seq, SessionId>;
};

export type Conversation = {
  /** In the order in which they began. One is written to at a time, so each is a stretch of the log. */
  readonly branches: readonly Branch[];
  /** Messages of all branches. */
  readonly messages: Readonly<Record<HistoryName, number>>;
  /** The latest message. */
  readonly last: Seq | 0;
  /** Operations that say what the model does not get any more, and those that took a task folder over. */
  readonly reduced: readonly Seq[];
  readonly imported: readonly Seq[];
};

/** Messages after `from`, until the next one begins; before them, those of the branch that stood at `upTo`, up to there. */
export type Branch = { readonly from: Seq | 0; readonly upTo: Seq | 0 };

/** Messages after the one and up to the other; null for all that are to come. */
export type MessageRange = { readonly after: Seq | 0; readonly upTo: Seq | null };

/** Where in the log the messages of a branch stand, oldest first; of the present one unless another is named by index. */
export function messageRanges({ branches }: Conversation, branch = branches.length - 1): readonly MessageRange[] {
  const ranges: MessageRange[] = [];
  let at = branch;
  let upTo: Seq | null = endOf(branches, branch);
  while (at >= 0) {
    const { from, upTo: before } = branches[at]!;
    if (upTo === null || upTo > from) ranges.push({ after: from, upTo });
    upTo = before as Seq;
    at = branches.findLastIndex((one, index) => index < at && one.from <= before);
  }
  return ranges.reverse();
}

/** Branches that were left, and are more than the beginning of another: what one may want to read again. */
export function abandonedBranches(conversation: Conversation): readonly number[] {
  return conversation.branches.map((_, index) => index).slice(0, -1);
}

export function isInRanges(ranges: readonly MessageRange[], seq: Seq): boolean {
  return ranges.some(({ after, upTo }) => seq > after && (upTo === null || seq <= upTo));
}

export const conversationsView: View<Conversations> = {
  name: 'conversations',
  version: 1,
  empty: () => ({ sessions: new Map(), turnings: new Map() }),
  apply: applyToConversations,
  encode: ({ sessions, turnings }) => ({ sessions: [...sessions], turnings: [...turnings] }),
  decode(encoded) {
    const stored = encoded as { sessions: [SessionId, Conversation][]; turnings: [Seq, SessionId][] };
    return { sessions: new Map(stored.sessions), turnings: new Map(stored.turnings) };
  },
};

function applyToConversations(state: Conversations, operation: Operation): Conversations {
  switch (operation.kind) {
    case 'message-added':
      addMessage(state, operation);
      break;
    case 'history-reduced':
      update(state, operation, ({ reduced }) => ({ reduced: [...reduced, operation.seq] }));
      break;
    case 'task-imported':
      update(state, operation, ({ imported }) => ({ imported: [...imported, operation.seq] }));
      break;
    case 'restored':
      if (operation.conversation !== undefined && operation.conversation.fork === undefined)
        branchOff(state, operation.conversation.session, operation.seq, operation.conversation.upTo);
      break;
    case 'undone': {
      const session = state.turnings.get(operation.target);
      // How it was just before that: the operation itself holds no message.
      if (session !== undefined) branchOff(state, session, operation.seq, (operation.target - 1) as Seq);
      break;
    }
    case 'session-deleted':
      state.sessions.delete(operation.session);
      for (const [seq, session] of state.turnings) if (session === operation.session) state.turnings.delete(seq);
      break;
    default:
      break;
  }
  return state;
}

/** In place: a copy of each would cost more with every message. */
type Growing = { -readonly [Field in keyof Conversation]: Conversation[Field] } & {
  messages: Record<HistoryName, number>;
};

function addMessage(state: Conversations, { session, seq, history }: Operation & MessageAdded): void {
  const conversation = conversationOf(state, session, seq);
  conversation.messages[history] += 1;
  conversation.last = seq;
}

function update(
  state: Conversations,
  { session, seq }: { readonly session: SessionId; readonly seq: Seq },
  change: (conversation: Conversation) => Partial<Conversation>,
): void {
  const conversation = conversationOf(state, session, seq);
  Object.assign(conversation, change(conversation));
}

function branchOff(state: Conversations, session: SessionId, from: Seq, upTo: Seq | 0): void {
  const conversation = state.sessions.get(session);
  if (conversation === undefined) return;
  state.sessions.set(session, { ...conversation, branches: [...conversation.branches, { from, upTo }] });
  state.turnings.set(from, session);
}

/** A session that was deleted and began anew has none of its earlier messages. */
function conversationOf(state: Conversations, session: SessionId, seq: Seq): Growing {
  const known = state.sessions.get(session);
  if (known !== undefined) return known as Growing;
  const first = { from: (seq - 1) as Seq | 0, upTo: 0 as const };
  const begun = { branches: [first], messages: { model: 0, human: 0 }, last: 0 as const, reduced: [], imported: [] };
  state.sessions.set(session, begun);
  return begun;
}

/** Where the next branch began; null for the present one. */
function endOf(branches: readonly Branch[], branch: number): Seq | null {
  return (branches[branch + 1]?.from ?? null) as Seq | null;
}
