import type { SessionId } from '@palimpsest/core';
import { expect, test } from 'vitest';
import type { Log } from '../log/log.js';
import { memoryLog } from '../log/memory-log.fixture.js';
import { LiveLog } from './live-log.js';
import { Views } from './views.js';

test('[SRV5a] an entry stands, and is told once, when the views cannot be stored', () => {
  const kept = memoryLog();
  const save = () => {
    throw new Error('no space');
  };
  const log: Log = Object.create(kept, { views: { value: { ...kept.views, save } } });
  const faults: unknown[] = [];
  const live = new LiveLog(
    log,
    new Views(log),
    () => 1,
    (error) => faults.push(error),
  );
  const told: number[] = [];
  live.subscribe((operations) => told.push(operations.length));
  const cut = { kind: 'context-cut', session: 'S' as SessionId } as const;
  expect(live.append(Array.from({ length: 25_000 }, () => cut))).toHaveLength(25_000);
  expect(live.append([cut])).toHaveLength(1);
  expect(told).toEqual([25_000, 1]);
  expect(faults).toEqual([new Error('no space')]);
});
