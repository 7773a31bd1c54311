import type { Checkpoint, Outcome, SessionId } from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';

/** The moment to which a conversation is taken back. */
export type ConversationMoment = Pick<Checkpoint, 'id' | 'session' | 'asOf' | 'reason' | 'call'>;

/** What going back would take out of the model's and the human's sight. */
export type ConversationPlan = {
  readonly session: SessionId;
  readonly messages: number;
  /** The agent whose own conversation it is: that one stays as it is, and another session goes on from the moment. */
  readonly agent?: string;
};

/** How a conversation goes on from the moment. */
export type ConversationFork = {
  /** The session that does, where it is another one; how its agent takes that up, and how the old one. */
  readonly fork?: { readonly session: SessionId; readonly resume: string; readonly back: string };
  /** Takes it away again: the files could not follow. */
  readonly drop: () => Promise<void>;
};

/**
 * Conversations are kept by somebody else, who can take one back to a moment. The abandoned branch stays, and the
 * `restored` operation in the log is what a conversation's view goes by.
 */
export interface ConversationRestore {
  /** Looks without changing anything; refuses when there is no conversation to take back, or it cannot be. */
  plan(moment: ConversationMoment): Promise<Outcome<ConversationPlan, Refusal>>;
  /** Called inside the workspace's queue, before any file is touched. */
  fork(moment: ConversationMoment): Promise<Outcome<ConversationFork, Refusal>>;
  /** Called there too, after the files are in place and the log says so. */
  apply(moment: ConversationMoment): Promise<Outcome<ConversationPlan, Refusal>>;
}

/** For conversations that go on in place. */
export const IN_PLACE: ConversationFork = { drop: async () => undefined };
