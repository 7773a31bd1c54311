import { expect, test } from 'vitest';
import { asCallId, asSessionId } from '../ids.js';
import { attribute, type Circumstance, type ClaimStrength } from './attribution.js';

/** `A:proven B:possible?` are the claims of two calls, B perhaps running; the answer is `author evidence`. */
function decided(text: string, circumstance: Circumstance = 'live'): string {
  const claims = text
    .split(' ')
    .filter(Boolean)
    .map((word) => {
      const [call, strength] = word.replace('?', '').split(':') as [string, ClaimStrength];
      const ran = word.endsWith('?') ? ('perhaps' as const) : ('surely' as const);
      return { session: asSessionId('S'), agent: 'test', call: asCallId(call), tool: 'Edit', strength, ran };
    });
  const { author, evidence } = attribute(claims, circumstance);
  const who =
    author.kind === 'agent'
      ? author.call
      : author.kind === 'human'
        ? 'human'
        : `?${author.candidates.map((c) => c.call).join('')}`;
  return `${who} ${evidence}`;
}

test('[CAP4d] nobody could: a human', () => expect(decided('')).toBe('human inferred'));
test('[CAP4d] only readers ran: a human', () => expect(decided('A:impossible')).toBe('human inferred'));
test('[CAP4b] the only call that could did', () => expect(decided('A:possible B:impossible')).toBe('A window'));
test('[CAP4a] a proof decides among many', () => expect(decided('A:possible B:proven C:likely')).toBe('B exact'));
test('[CAP4c] two that could: unknown with both', () => expect(decided('A:possible B:likely')).toBe('?AB unknown'));
test('[CAP4c] two proofs prove nothing', () => expect(decided('A:proven B:proven C:possible')).toBe('?AB unknown'));
test('[CAP13a] found afterwards: unknown', () => expect(decided('', 'offline')).toBe('? unknown'));
test('[CAP13a] found afterwards with a call that may have: a candidate', () =>
  expect(decided('A:possible', 'offline')).toBe('?A unknown'));
test('[CAP3a] found afterwards with proof: inferred', () => expect(decided('A:proven', 'offline')).toBe('A inferred'));
test('[CAP4e] a call that may still have been at it keeps a human from being named', () =>
  expect(decided('A:possible?')).toBe('?A unknown'));
test('[CAP4a] what such a call was to write is its own', () => expect(decided('A:proven?')).toBe('A inferred'));
test('[CAP4c] beside a running one neither is named', () =>
  expect(decided('A:possible? B:possible')).toBe('?AB unknown'));
