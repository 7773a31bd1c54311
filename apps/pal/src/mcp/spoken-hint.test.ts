import { type KnownRefusal, problemOf } from '@palimpsest/protocol';
import { expect, test } from 'vitest';
import { spokenHint } from './spoken-hint.js';

const REFUSED: readonly KnownRefusal[] = [
  { code: 'outside', path: '/etc/passwd' },
  { code: 'unknown-session', session: 's' },
  { code: 'unknown-change', change: 'c1' },
  { code: 'unknown-checkpoint', checkpoint: 'k1' },
  { code: 'bad-id', what: 'change', input: 'x' },
  { code: 'no-space' },
  { code: 'damaged', what: 'the log' },
  { code: 'busy' },
  { code: 'internal' },
];

test('[AGT2j] what people are told to type is said in tools', () => {
  const spoken = REFUSED.map((refusal) => spokenHint(refusal.code, problemOf(refusal).hint));
  expect(spoken.filter((hint) => hint === undefined || /`pal |--| -C/.test(hint))).toEqual([]);
  expect(spoken.slice(2, 4)).toEqual([
    expect.stringContaining('pal_changes'),
    expect.stringContaining('pal_checkpoint_list'),
  ]);
});

test('[AGT2j] a hint without a command stays, and one with a command that has no tool is left out', () => {
  expect(spokenHint('moved', 'look again, then decide again')).toBe('look again, then decide again');
  expect(spokenHint('of-tomorrow', '`pal mend` mends it')).toBeUndefined();
  expect(spokenHint('of-tomorrow', 'say it with --loud')).toBeUndefined();
  expect(spokenHint('of-tomorrow', 'PALIMPSEST_HOME=/some/folder chooses another')).toBeUndefined();
});
