import { type Author, type Candidate, type Evidence, HUMAN } from '../author.js';
import type { CallId, SessionId } from '../ids.js';

/**
 * How much speaks for a call having made a change that happened while it ran. `proven`: the bytes are what it was to
 * write. `likely`: it named the file, and what it was to write is in there. `possible`: it can write anything.
 * `impossible`: it only reads, or all that it writes is known and this is not among it.
 */
export type ClaimStrength = 'proven' | 'likely' | 'possible' | 'impossible';

export type Claim = {
  readonly session: SessionId;
  readonly agent: string;
  readonly call: CallId;
  readonly tool: string;
  readonly strength: ClaimStrength;
  /**
   * `surely`: the call is known to have been running all the while. `perhaps`: it may have been, because it left
   * something running behind it or because we heard of it late; then a person may have made the change as well.
   */
  readonly ran: 'surely' | 'perhaps';
};

/** `live`: we watched it happen. `offline`: we found it afterwards, and others may have been at work meanwhile. */
export type Circumstance = 'live' | 'offline';

export type Attribution = { readonly author: Author; readonly evidence: Evidence };

/**
 * Decides who made one change from the calls that were, or may have been, running while it happened. A proof decides;
 * otherwise a call is the author only if no other hand can be. What cannot be decided is `unknown` with its candidates:
 * nothing is guessed, and what may be an agent's is never a human's.
 */
export function attribute(claims: readonly Claim[], circumstance: Circumstance): Attribution {
  const proven = claims.filter((claim) => claim.strength === 'proven');
  const able = proven.length > 0 ? proven : claims.filter((claim) => claim.strength !== 'impossible');
  const only = able.length === 1 ? able[0]! : null;
  switch (circumstance) {
    case 'live':
      if (able.length === 0) return { author: HUMAN, evidence: 'inferred' };
      if (only?.ran === 'surely')
        return { author: agentOf(only), evidence: only.strength === 'proven' ? 'exact' : 'window' };
      if (only?.strength === 'proven') return { author: agentOf(only), evidence: 'inferred' };
      break;
    case 'offline':
      if (only !== null && only.strength !== 'possible') return { author: agentOf(only), evidence: 'inferred' };
      break;
  }
  const candidates = able.map(candidateOf);
  const agents = circumstance === 'live' && able.some(({ ran }) => ran === 'surely');
  const author: Author = agents ? { kind: 'unknown', candidates, among: 'agents' } : { kind: 'unknown', candidates };
  return { author, evidence: 'unknown' };
}

/** Two attributions of consecutive changes to one file are one change when they come from the same hand. */
export function sameHand(a: Attribution, b: Attribution): boolean {
  if (a.author.kind === 'agent' && b.author.kind === 'agent') {
    return a.author.session === b.author.session && a.author.call === b.author.call;
  }
  if (a.author.kind === 'unknown' && b.author.kind === 'unknown') {
    const { author: one } = a;
    const { author: other } = b;
    return one.among === other.among && JSON.stringify(one.candidates) === JSON.stringify(other.candidates);
  }
  return a.author.kind === 'human' && b.author.kind === 'human';
}

/** Of two attributions to the same hand, the weaker evidence holds for both together. */
export function weakerEvidence(a: Evidence, b: Evidence): Evidence {
  const order: readonly Evidence[] = ['unknown', 'inferred', 'window', 'exact'];
  return order[Math.min(order.indexOf(a), order.indexOf(b))]!;
}

function agentOf(claim: Claim): Author {
  return { kind: 'agent', session: claim.session, agent: claim.agent, call: claim.call, tool: claim.tool };
}

function candidateOf(claim: Claim): Candidate {
  return { session: claim.session, call: claim.call };
}
