import { WITHIN } from '@palimpsest/protocol/light';
import { expect, test } from 'vitest';
import { parentIn, withinHeader } from './within.js';

test('[SEC4a] a session around that cannot be one is left out, and an odd one is sent as one word', () => {
  for (const id of ['', 'x'.repeat(20_000)]) {
    expect(withinHeader({ PALIMPSEST_SESSION: id })).toEqual({});
    expect(parentIn({ PALIMPSEST_SESSION: id })).toEqual({});
  }
  const sent = withinHeader({ PALIMPSEST_SESSION: 'a\r\nevil: 1\u001b' })[WITHIN];
  expect(sent).toMatch(/^[\w%.-]+$/);
});
