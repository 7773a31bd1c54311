import { expect, test } from 'vitest';
import { isNewer } from './version-order.js';

test.each([
  ['0.2.0', '0.1.9', true],
  ['0.10.0', '0.9.0', true],
  ['1.0.0', '1.0.0', false],
  ['1.0.0', '1.0.1', false],
  ['1.0.0', '1.0.0-rc.1', true],
  ['1.0.0-rc.1', '1.0.0', false],
  ['1.0.0', 'what', true],
  ['what', '1.0.0', false],
])('[SRV5d] %s instead of %s: %s', (ours, theirs, newer) => expect(isNewer(ours, theirs)).toBe(newer));
