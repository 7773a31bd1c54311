import type { Checkpoint, Outcome, SessionId } from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';

/** The moment to which a conversation is taken back. */
export type ConversationMoment = Pick<Checkpoint, 'id' | 'session' | 'asOf'>;

/** What going back would take out of the model's and the human's sight. */
export type ConversationPlan = { readonly session: SessionId; readonly messages: number };

/**
 * Conversations are kept by somebody else, who can take one back to a moment. The abandoned branch stays, and the
 * `restored` operation in the log is what a conversation's view goes by.
 */
export interface ConversationRestore {
  /** Looks without changing anything; refuses when there is no conversation to take back. */
  plan(moment: ConversationMoment): Promise<Outcome<ConversationPlan, Refusal>>;
  /** Called inside the workspace's queue, after the files are in place and the log says so. */
  apply(moment: ConversationMoment): Promise<Outcome<ConversationPlan, Refusal>>;
}
