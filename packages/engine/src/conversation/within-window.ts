import { type Outcome, type WindowError, windowError } from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import type { CondenseAnswer, ModelHistory } from './model-history.js';

/** What came of a request to a model: an answer, or an error with what the server said. */
export type SendOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly status: number | null; readonly body: unknown };

type Window = {
  readonly history: () => Promise<ModelHistory>;
  readonly condense: () => Promise<Outcome<CondenseAnswer, Refusal>>;
};

/** A history that was condensed so often and still does not fit has something in it that cannot be condensed. */
const ATTEMPTS = 12;

/**
 * Sends what the model gets; where that is too long for it, condenses what came since the last summary and sends again. Any
 * other error is the caller's, and so is the last one when nothing can be made smaller.
 */
export async function sendWithinWindow<T>(
  send: (history: ModelHistory) => Promise<SendOutcome<T>>,
  { history, condense }: Window,
): Promise<SendOutcome<T> & { readonly condensed: readonly CondenseAnswer[]; readonly window: WindowError | null }> {
  const done: CondenseAnswer[] = [];
  let window: WindowError | null = null;
  for (let attempt = 1; ; attempt++) {
    const sent = await send(await history());
    const tooLong = sent.ok ? null : windowError(sent.status, sent.body);
    window = tooLong ?? window;
    if (tooLong === null || attempt === ATTEMPTS) return { ...sent, condensed: done, window };
    const smaller = await condense();
    if (!smaller.ok) return { ...sent, condensed: done, window };
    done.push(smaller.value);
  }
}
