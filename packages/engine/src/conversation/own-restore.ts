import { failed, type Outcome, ok } from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import {
  type ConversationFork,
  type ConversationMoment,
  type ConversationPlan,
  type ConversationRestore,
  IN_PLACE,
} from '../checkpoint/conversation-restore.js';
import type { LiveLog } from '../store/live-log.js';
import type { Messages } from './messages.js';

/**
 * Takes the histories that we keep back to a moment. The `restored` operation is all there is to it: the view goes on from
 * that moment, and what was said since stays in the log as a branch of its own.
 */
export class OwnRestore implements ConversationRestore {
  readonly #live: LiveLog;
  readonly #messages: Messages;

  constructor(live: LiveLog, messages: Messages) {
    this.#live = live;
    this.#messages = messages;
  }

  async plan({ session, asOf }: ConversationMoment): Promise<Outcome<ConversationPlan, Refusal>> {
    if (session === null) return failed({ code: 'nothing-to-do', why: 'the checkpoint belongs to no session' });
    if (!this.#live.views.conversations.sessions.has(session))
      return failed({ code: 'nothing-to-do', why: 'no conversation is kept for this checkpoint' });
    return ok({ session, messages: this.#messages.find(session, { after: asOf }).length });
  }

  async fork(moment: ConversationMoment): Promise<Outcome<ConversationFork, Refusal>> {
    const plan = await this.plan(moment);
    return plan.ok ? ok(IN_PLACE) : plan;
  }

  /** What was read since the moment is not in front of the model any more, and nobody can say what else is. */
  async apply({ session, asOf }: ConversationMoment): Promise<Outcome<ConversationPlan, Refusal>> {
    if (session === null) return failed({ code: 'nothing-to-do', why: 'the checkpoint belongs to no session' });
    const messages = this.#messages.find(session, { after: asOf }).length;
    this.#live.append([{ kind: 'context-cut', session }]);
    return ok({ session, messages });
  }
}
