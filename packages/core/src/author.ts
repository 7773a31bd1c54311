import type { CallId, SessionId } from './ids.js';

/**
 * Who changed a file. `agent` always names the call that was proven or is the only one that can have done it. `human` is
 * a change seen while no call could have made it, or one that a person's editor announced. `unknown` is everything
 * else: made while nobody watched, or by one of several candidates.
 */
export type Author =
  | {
      readonly kind: 'agent';
      readonly session: SessionId;
      readonly agent: string;
      readonly call: CallId;
      readonly tool: string;
    }
  | { readonly kind: 'human' }
  /** `among`: one of the candidates made it, and no person; without it a person may have as well. */
  | { readonly kind: 'unknown'; readonly candidates: readonly Candidate[]; readonly among?: 'agents' };

/** A call that may have made a change, when others, or a person, may have as well. */
export type Candidate = { readonly session: SessionId; readonly call: CallId };

/**
 * Why we believe it. `exact`: the call named the file and the bytes are what it was to write. `window`: it happened
 * during the call, and no other call can have done it. `inferred`: concluded afterwards. `unknown`: not established.
 */
export type Evidence = 'exact' | 'window' | 'inferred' | 'unknown';

export const HUMAN: Author = { kind: 'human' };
export const NOBODY_KNOWN: Author = { kind: 'unknown', candidates: [] };

/**
 * What agents did, or may have done, waits for a verdict. What people did, and what nobody can be held to have done, does
 * not.
 */
export function isForReview(author: Author): boolean {
  return author.kind === 'agent' || (author.kind === 'unknown' && author.candidates.length > 0);
}

/** What no agent is known to have been at may be a person's: what is said of everything does not mean it. */
export function isPerhapsAPersons(author: Author): boolean {
  return author.kind === 'unknown' && author.among !== 'agents';
}

export function sessionOf(author: Author): SessionId | null {
  return author.kind === 'agent' ? author.session : null;
}

/** The calls that made it, or may have: one of an agent, the candidates where nobody could be named, none of a human. */
export function callsOf(author: Author): readonly Candidate[] {
  if (author.kind === 'agent') return [author];
  return author.kind === 'unknown' ? author.candidates : [];
}

/** Whether a call is among those that may have made it, where nobody could be named. */
export function isCandidate(author: Author, { session, call }: Candidate): boolean {
  return author.kind === 'unknown' && author.candidates.some((one) => one.session === session && one.call === call);
}
