import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asSeq } from '../ids.js';
import type { Operation } from '../operation.js';
import { checkpointsView } from './checkpoints.js';
import { commentsView } from './comments.js';
import { conversationsView } from './conversations.js';
import { freshnessView } from './freshness.js';
import { openFilesView } from './open-files.js';
import { patchesView } from './patches.js';
import { reviewView } from './review.js';
import { sessionsView } from './sessions.js';
import { story } from './story.fixture.js';
import { advance, foldAll, type View } from './view.js';
import { worktreesView } from './worktrees.js';

const views = [
  sessionsView,
  freshnessView,
  reviewView,
  checkpointsView,
  conversationsView,
  openFilesView,
  patchesView,
  worktreesView,
  commentsView,
] as unknown as readonly View<unknown>[];

const session = fc.constantFrom('S', 'T');
const path = fc.constantFrom('a', 'b', 'd/e');
const version = fc.constantFrom('v1', 'v2', 'v3');
const span = fc
  .tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }))
  .map(([at, removed, added]) => `@${at}-${removed}+${added}`);
const change = fc.integer({ min: 1, max: 20 }).map((seq) => `c${seq}.1`);
const words = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((chosen) => chosen.join(' '));
const step = fc.oneof(
  words(fc.constantFrom('start', 'end', 'delete', 'cut'), session),
  words(fc.constantFrom('show', 'mention'), session, path, version, fc.constantFrom('', '1-10', '5-30')),
  words(fc.constant('edit'), session, path, version, version, span),
  words(fc.constant('human'), path, version, version, span),
  words(fc.constant('move'), session, fc.constant('a'), fc.constant('b'), version),
  words(fc.constant('worktree'), session),
  words(fc.constantFrom('in', 'flow'), fc.constantFrom('w1', 'w2', 'w3'), path, version, version, span),
  words(fc.constant('unworktree'), fc.constantFrom('w1', 'w2', 'w3')),
  words(fc.constantFrom('accept', 'reject'), change),
  words(
    fc.constantFrom('acceptHunk', 'rejectHunk'),
    change.map((id) => `${id}.1`),
  ),
  words(fc.constant('undo'), fc.integer({ min: 1, max: 20 }).map(String)),
  words(fc.constant('comment'), session, path),
  words(fc.constant('ack'), session, fc.constant('3')),
  words(fc.constantFrom('say', 'tell'), session),
  words(fc.constant('rewind'), session, fc.integer({ min: 1, max: 20 }).map(String)),
  fc.constant('checkpoint'),
  words(
    fc.constant('forgetCheckpoint'),
    fc.integer({ min: 1, max: 20 }).map((seq) => `k${seq}`),
  ),
);
const steps = fc.oneof(
  { weight: 3, arbitrary: step },
  words(fc.constantFrom('open', 'pin', 'unpin', 'close', 'found'), fc.constantFrom('S', 'T'), path),
  words(fc.constantFrom('open', 'pin', 'unpin', 'close', 'clear', 'clearPins', 'clearPatches'), fc.constant('*'), path),
  words(fc.constantFrom('begin', 'denied'), session, fc.constant('call')),
  words(fc.constant('finish'), session, fc.constant('call'), fc.constantFrom('ok', 'failed')),
);
const log = fc.array(steps, { maxLength: 25 }).map((chosen) => story(chosen.join(' · ')));

describe.each(views.map((view) => [view.name, view] as const))('the view %s', (_, view) => {
  const encoded = (operations: readonly Operation[]) => JSON.stringify(view.encode(foldAll(view, operations).state));

  test('[COR8a] folding a prefix and then the rest equals folding all, also across storing it', () => {
    fc.assert(
      fc.property(log, fc.nat(), (operations, cut) => {
        const at = operations.length === 0 ? 0 : cut % (operations.length + 1);
        const prefix = foldAll(view, operations.slice(0, at));
        const stored = { ...prefix, state: view.decode(JSON.parse(JSON.stringify(view.encode(prefix.state)))) };
        const resumed = foldAll(view, operations.slice(at), stored);
        expect(JSON.stringify(view.encode(resumed.state))).toBe(encoded(operations));
      }),
      { numRuns: 500 },
    );
  });

  test('[COR9] an operation of a newer kind is passed over', () => {
    const operations = story('start S · show S a v1');
    const newer = { seq: asSeq(3), at: 3000, kind: 'from-the-future', session: 'S' } as unknown as Operation;
    const folded = foldAll(view, [...operations, newer]);
    expect(folded.seq).toBe(3);
    expect(JSON.stringify(view.encode(folded.state))).toBe(encoded(operations));
  });

  test('[COR8b] an operation that was folded already is a bug, and loud', () => {
    const [first] = story('start S');
    const folded = foldAll(view, [first!]);
    expect(() => advance(view, folded, first!)).toThrow(/operation 1/);
  });
});
