import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asSessionId } from '../ids.js';
import { conversationsView, isInRanges, messageRanges } from './conversations.js';
import { story } from './story.fixture.js';
import { foldAll } from './view.js';

/** The seqs of the messages that stand in the conversation of S after a story. */
function standing(text: string): readonly number[] {
  const operations = story(text);
  const conversation = foldAll(conversationsView, operations).state.sessions.get(asSessionId('S'));
  if (conversation === undefined) return [];
  const ranges = messageRanges(conversation);
  return operations
    .filter((one) => one.kind === 'message-added' && one.session === 'S' && isInRanges(ranges, one.seq))
    .map(({ seq }) => seq);
}

describe('a conversation', () => {
  test.each([
    ['what was said stands, of both histories', 'say S · tell S · say S', [1, 2, 3]],
    ['another session’s messages are not its own', 'say S · say T · say S', [1, 3]],
    ['taken back, it ends at that moment', 'say S · say S · say S · rewind S 2', [1, 2]],
    ['and goes on from there', 'say S · say S · rewind S 1 · say S', [1, 4]],
    ['taken back to before its first message, it is empty', 'start S · say S · rewind S 1', []],
    ['undone, what was left is back', 'say S · say S · rewind S 1 · undo 3', [1, 2]],
    ['undone, what was said meanwhile is left in its turn', 'say S · say S · rewind S 1 · say S · undo 3', [1, 2]],
    ['the undoing undone', 'say S · say S · rewind S 1 · say S · undo 3 · say S · undo 5', [1, 4]],
    ['taken back into a branch that was left', 'say S · say S · rewind S 1 · say S · rewind S 2', [1, 2]],
    ['taken back twice', 'say S · say S · say S · rewind S 2 · say S · rewind S 5 · say S', [1, 2, 5, 7]],
    ['deleted, it is gone', 'say S · delete S', []],
    ['deleted and begun anew, it has only the new', 'say S · delete S · say S', [3]],
    ['undoing something else changes nothing', 'say S · accept c1.1 · undo 2 · say S', [1, 4]],
  ])('[CON1a] %s: %s', (_, text, seqs) => {
    expect(standing(text)).toEqual(seqs);
  });

  test('[CON1a] it is always what keeping every moment as a whole would give', () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.constant('say S') },
      fc.integer({ min: 1, max: 30 }).map((seq) => `rewind S ${seq}`),
      fc.integer({ min: 1, max: 30 }).map((seq) => `undo ${seq}`),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        // What cannot have been asked for: the future, and undoing what took no conversation back.
        const moments: (readonly number[])[] = [[]];
        const turnings = new Set<number>();
        const told = steps.filter((word) => {
          const seq = moments.length;
          const [verb, ...rest] = word.split(' ');
          const target = Number(rest.at(-1));
          const now = moments.at(-1)!;
          if (verb === 'say') moments.push([...now, seq]);
          else if (target >= seq || now.length === 0 || (verb === 'undo' && !turnings.has(target))) return false;
          else moments.push(moments[verb === 'undo' ? target - 1 : target]!);
          if (verb !== 'say') turnings.add(seq);
          return true;
        });
        expect(standing(told.join(' · '))).toEqual(moments.at(-1));
      }),
      { numRuns: 2000 },
    );
  });

  test('[CON1b] however much is said, the view stays as small', () => {
    const sizeAfter = (messages: number) => {
      const operations = story(Array.from({ length: messages }, () => 'say S').join(' · '));
      return JSON.stringify(conversationsView.encode(foldAll(conversationsView, operations).state)).length;
    };
    expect(sizeAfter(3000) - sizeAfter(10)).toBeLessThan(20);
  });
});
