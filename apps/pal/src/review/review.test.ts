import type { ChangeJson } from '@palimpsest/protocol';
import { describe, expect, test } from 'vitest';
import { plainStyle } from '../print/plain.js';
import { widthOf } from '../print/width.js';
import { type HunkPlace, placesIn } from './hunk-place.js';
import { keysIn } from './keys.js';
import { screenOf } from './review-screen.js';
import { BEGINNING, press, type ReviewState, withPlaces } from './review-state.js';

const { paint } = plainStyle();
const hunk = (id: string, oldStart: number, oldLines: number, newStart: number, newLines: number) => ({
  ...{ id, oldStart, oldLines, newStart, newLines, status: 'pending' as const },
});
const change = (id: string, path: string, hunks: ChangeJson['hunks']): ChangeJson => ({
  ...{ id, path, hunks, seq: 1, session: 'S', agent: 'claude', callId: 'c', tool: 'Edit', kind: 'modify' },
  ...{ before: null, after: null, binary: false, reversible: true, incomplete: false, evidence: 'exact' },
  ...{ author: { kind: 'agent', agent: 'claude', tool: 'Edit' }, status: 'pending', added: 1, removed: 1 },
  at: '2026-01-01T00:00:00.000Z',
});
const places = (...ids: readonly string[]): readonly HunkPlace[] =>
  ids.map((id) => ({
    change: change(id.slice(0, 4), `${id.slice(0, 4)}.txt`, []),
    hunk: hunk(id, 1, 1, 1, 1),
    lines: ['-a', '+b'],
  }));
const start: ReviewState = withPlaces(BEGINNING, places('c1.1.1', 'c1.1.2', 'c2.1.1'));
/** After these keys: where one is, and what is asked to be done. */
function after(keys: string, from = start) {
  let state = from;
  let done = '';
  for (const key of keysIn(keys)) {
    const step = press(state, key, 10);
    state = step.state;
    const { effect } = step;
    if (effect === null) continue;
    const about = 'place' in effect ? ` ${effect.part} ${effect.place.hunk!.id}` : '';
    done = `${effect.kind}${about}${'comment' in effect ? `: ${effect.comment}` : ''}`;
  }
  return `${state.at} ${state.shows}${state.asks === null ? '' : ` ${state.asks.kind}`} | ${done}`;
}

describe('keys', () => {
  test.each([
    ['j', '1 diff | '],
    ['jjjj', '2 diff | '],
    ['jk', '0 diff | '],
    ['n', '2 diff | '],
    ['np', '1 diff | '],
    ['a', '0 diff | accept hunk c1.1.1'],
    ['jR', '1 diff | reject change c1.1.2'],
    ['cno\r', '0 diff | reject hunk c1.1.1: no'],
    ['cabc\u007f\u007fq\r', '0 diff | reject hunk c1.1.1: aq'],
    ['cx\u001b', '0 diff | '],
    ['c\r', '0 diff | '],
    ['c', '0 diff comment | '],
    ['\t', '0 list | '],
    ['\tj\r', '1 diff | '],
    ['?', '0 help | '],
    ['u', '0 diff | undo'],
    ['q', '0 diff | quit'],
    ['\u0003', '0 diff | quit'],
    ['\u001b[B\u001b[99~x', '0 diff | '],
  ])('[UI7a] %j', (keys, expected) => {
    expect(after(keys)).toBe(expected);
  });

  test('[UI7a] with nothing to decide no key decides anything', () => {
    for (const key of 'arARcnpjkgG') expect(after(key, BEGINNING)).toBe('0 diff | ');
  });

  test('[UI7a] one stays at the same hunk when others come or go, and at the next when it is decided', () => {
    const second = { ...start, at: 1 };
    expect(withPlaces(second, places('c0.1.1', 'c1.1.1', 'c1.1.2')).at).toBe(2);
    expect(withPlaces(second, places('c1.1.1', 'c2.1.1')).at).toBe(1);
    expect(withPlaces(second, []).at).toBe(0);
  });
});

describe('the screen', () => {
  const long = {
    ...places('c1.1.1')[0]!,
    lines: Array.from({ length: 90 }, (_, index) => `+\t日本 ${'x'.repeat(200)} ${index}`),
  };
  test.each([
    [80, 24],
    [140, 40],
    [20, 6],
    [109, 24],
    [110, 24],
  ])('[UI7b] fills %i by %i exactly, whatever is shown', (columns, rows) => {
    for (const shows of ['diff', 'list', 'help'] as const)
      for (const state of [start, BEGINNING, withPlaces(BEGINNING, [long]), { ...start, message: 'm'.repeat(300) }]) {
        const lines = screenOf({ ...state, shows }, { columns, rows }, paint);
        expect(lines).toHaveLength(rows);
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
      }
  });

  test('[UI7c] what a terminal would obey is shown instead', () => {
    const evil: HunkPlace = {
      ...places('c1.1.1')[0]!,
      lines: ['+\u001b[2J\u202e'],
      change: change('c1.1', '\u001b]0;x\u0007', []),
    };
    const text = screenOf(withPlaces(BEGINNING, [evil]), { columns: 80, rows: 24 }, paint).join('\n');
    for (const obeyed of ['\u001b', '\u0007', '\u202e']) expect(text).not.toContain(obeyed);
  });
});

test('[UI7d] each hunk comes with its own part of the patch and some lines around it', () => {
  const patch = '--- a\n+++ b\n@@ -1,8 +1,9 @@\n 1\n 2\n-3\n+three\n 4\n 5\n 6\n 7\n+new\n 8\n';
  const [first, second] = placesIn(change('c1.1', 'a', [hunk('h1', 3, 1, 3, 1), hunk('h2', 7, 0, 8, 1)]), patch);
  expect(first!.lines).toEqual([' 1', ' 2', '-3', '+three', ' 4', ' 5', ' 6']);
  expect(second!.lines).toEqual([' 5', ' 6', ' 7', '+new', ' 8']);
});
