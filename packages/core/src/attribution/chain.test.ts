import { expect, test } from 'vitest';
import { HUMAN } from '../author.js';
import type { FileVersion } from '../file.js';
import { asCallId, asSessionId } from '../ids.js';
import { asPath } from '../path.js';
import { contentNamed } from '../views/story.fixture.js';
import type { Attribution } from './attribution.js';
import { type Chain, extendChain, joinChain } from './chain.js';

/** `A v1 v2 · human v2 v3` is a chain; the answer is what it comes to. */
function chain(text: string): string {
  return labels(joinChain(held(text)));
}

const labels = (links: Chain) =>
  links.map((link) => `${nameOf(link.attribution)} ${label(link.before)} ${label(link.after)}`).join(' · ');

function held(text: string): Chain {
  let built: Chain = [];
  for (const step of text.split('·')) {
    const [hand = '', before = '', after = ''] = step.trim().split(' ');
    built = extendChain(built, {
      path: asPath('a'),
      before: version(before),
      after: version(after),
      attribution: by(hand),
    });
  }
  return built;
}

const version = (name: string) =>
  name === '-' ? null : { content: contentNamed(name), mode: '100644' as const, size: 1 };
const label = (of: FileVersion | null) =>
  ['v1', 'v2', 'v3', 'v4'].find((name) => contentNamed(name) === of?.content) ?? '-';
const by = (hand: string): Attribution =>
  hand === 'human'
    ? { author: HUMAN, evidence: 'inferred' }
    : {
        author: { kind: 'agent', session: asSessionId('S'), agent: 'test', call: asCallId(hand), tool: 'Bash' },
        evidence: 'window',
      };
const nameOf = ({ author }: Attribution) => (author.kind === 'agent' ? author.call : author.kind);

test('[CAP1a] many writes of one call are one change', () =>
  expect(chain('A v1 v2 · A v2 v3 · A v3 v4')).toBe('A v1 v4'));
test('[CAP5] change and change back is no change', () => expect(chain('A v1 v2 · A v2 v1')).toBe(''));
test('[CAP5] created and deleted again is no change', () => expect(chain('A - v1 · A v1 -')).toBe(''));
test('[CAP3a] while it is held, a removal stands apart from what was written before', () =>
  expect(labels(held('A v1 v2 · A v2 v3 · A v3 -'))).toBe('A v1 v3 · A v3 -'));
test('[CAP5] written, removed and made again by one hand is one change', () =>
  expect(chain('A v1 v2 · A v2 - · A - v3')).toBe('A v1 v3'));
test('[CAP5] the same bytes again is no change', () => expect(chain('A v1 v1')).toBe(''));
test('[CAP4f] another’s edit between stays its own', () =>
  expect(chain('A v1 v2 · human v2 v3 · A v3 v4')).toBe('A v1 v2 · human v2 v3 · A v3 v4'));
test('[CAP4f] putting another’s change back is a change', () =>
  expect(chain('A v1 v2 · human v2 v1')).toBe('A v1 v2 · human v2 v1'));
test('[REC1d] a gap in a chain is a bug, and loud', () => expect(() => chain('A v1 v2 · A v3 v4')).toThrow(/broken/));
