import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HUMAN } from '../author.js';
import type { FileChange, FileMode, FileVersion } from '../file.js';
import { asCallId, asContentId, asSeq, asSessionId, changeId, checkpointId } from '../ids.js';
import { encodeUtf8 } from '../lines/utf8.js';
import type { Operation } from '../operation.js';
import { asPath } from '../path.js';
import type { Checkpoint } from '../views/checkpoints.js';
import { versionsBefore } from './as-of.js';
import { agentStretches, livesOf, type Place } from './file-life.js';
import { historyOf } from './path-history.js';
import { expiredCheckpoints } from './retention.js';
import { type FileText, takeBack } from './take-back.js';

const agent = { kind: 'agent', session: asSessionId('s'), agent: 'x', call: asCallId('c'), tool: 'Edit' } as const;
const version = (letter: string | null): FileVersion | null =>
  letter === null ? null : { content: asContentId(letter.repeat(40)), mode: '100644', size: 1 };
const change = (path: string, before: string | null, after: string | null, from?: string): FileChange => ({
  ...{ path: asPath(path), before: version(before), after: version(after) },
  ...(from === undefined ? {} : { fromPath: asPath(from) }),
  ...{ binary: false, reversible: true, spans: [] },
});
const changed = (seq: number, author: typeof agent | typeof HUMAN, ...files: FileChange[]): Operation => ({
  ...{ seq: asSeq(seq), at: seq, kind: 'changed', author, evidence: 'window', files },
});
const text = (value: string | null, mode: FileMode = '100644'): FileText =>
  value === null ? null : { bytes: encodeUtf8(value), mode };
const shown = (result: FileText | 'conflict') =>
  result === 'conflict' || result === null ? result : new TextDecoder().decode(result.bytes);

/** The stretches of each file, newest first, as `path version > path version`. */
const stretches = (...operations: readonly Operation[]) =>
  livesOf(operations).map(({ steps }) =>
    agentStretches(steps).map(({ before, after }) => `${said(before)}>${said(after)}`),
  );
const said = (place: Place | null) => (place === null ? '-' : `${place.path}${place.version.content[0]}`);

describe('as of a moment', () => {
  test('[CHK1d] a file was what it was before the first change since', () => {
    const operations = [
      changed(1, agent, change('a', '1', '2')),
      changed(2, HUMAN, change('a', '2', '3'), change('n', null, '4')),
    ];
    expect([...versionsBefore(operations)]).toEqual([
      ['a', version('1')],
      ['n', null],
    ]);
  });

  test('[CHK1d] a rename is undone at both of its paths', () => {
    const operations = [changed(1, agent, change('new', '1', '2', 'old')), changed(2, agent, change('old', null, '5'))];
    expect([...versionsBefore(operations)]).toEqual([
      ['old', version('1')],
      ['new', null],
    ]);
  });
});

describe('whose steps', () => {
  test('[CHK3g] people, agents and decisions are told apart, and a later proof counts', () => {
    const proof: Operation = {
      ...{ seq: asSeq(9), at: 9, kind: 'attributed', author: agent, evidence: 'inferred' },
      changes: [{ id: changeId(asSeq(2), 0), file: change('a', '2', '3') }],
    };
    const undone: Operation = {
      seq: asSeq(3),
      at: 3,
      kind: 'undone',
      target: asSeq(1),
      files: [change('a', '3', '4')],
    };
    const operations = [
      changed(1, agent, change('a', '1', '2')),
      changed(2, HUMAN, change('a', '2', '3')),
      undone,
      proof,
    ];
    expect(
      historyOf(operations)
        .get(asPath('a'))
        ?.map(({ by }) => by),
    ).toEqual(['agent', 'agent', 'decision']);
    expect(stretches(...operations)).toEqual([['a1>a3']]);
  });

  test('[CHK3g] stretches come newest first, and what came to nothing is left out', () => {
    const found = stretches(
      changed(1, agent, change('a', '1', '2')),
      changed(2, HUMAN, change('a', '2', '3')),
      changed(3, agent, change('a', '3', '4')),
      changed(4, agent, change('a', '4', '3')),
      changed(5, HUMAN, change('a', '3', '5')),
      changed(6, agent, change('a', '5', '6')),
    );
    expect(found).toEqual([['a5>a6', 'a1>a2']]);
  });

  test('[CHK3g] a file is the same one under all of its names, also when files change places', () => {
    const found = stretches(
      changed(1, agent, change('a', '1', '2')),
      changed(2, HUMAN, change('a', '2', '3')),
      changed(3, agent, change('b', '3', '3', 'a')),
      changed(4, agent, change('a', null, '7'), change('c', '8', '9')),
      changed(5, HUMAN, change('b', '3', '4')),
      changed(6, agent, change('b', '4', '9'), change('c', '9', '4')),
    );
    expect(found).toEqual([['b4>c4', 'a3>b3', 'a1>a2'], ['->a7'], ['c8>b9']]);
  });

  test('[CHK3g] what comes to a place that another file leaves in the same operation is not that file', () => {
    const restored: Operation = {
      ...{ seq: asSeq(3), at: 3, kind: 'restored', checkpoint: checkpointId(asSeq(1)), rescue: checkpointId(asSeq(2)) },
      ...{ mode: 'files', way: 'keep-mine', takenBack: [], files: [change('x', '2', '3'), change('b', '2', '1', 'x')] },
    };
    const found = stretches(
      changed(1, agent, change('x', '3', null)),
      changed(2, agent, change('x', '1', '2', 'b')),
      restored,
      changed(4, agent, change('c', '1', '1', 'b')),
      changed(5, agent, change('c', '1', '4'), change('x', '3', '5')),
    );
    expect(found).toEqual([['x3>x5'], ['b1>c4']]);
  });

  test('[CHK3g] one file over another is the end of that one', () => {
    const found = stretches(changed(1, agent, change('a', '1', null), change('b', '2', '1')));
    expect(found).toEqual([['a1>-'], ['b2>b1']]);
  });
});

describe('taking back', () => {
  const cases: readonly (readonly [string, string | null, string | null, string | null, string | null])[] = [
    ['what nobody touched since', 'b\n', 'a\n', 'b\n', 'a\n'],
    ['a creation', 'new\n', null, 'new\n', null],
    ['a deletion', null, 'old\n', null, 'old\n'],
    ['a creation that people built on', 'new\nmine\n', null, 'new\n', 'conflict'],
    ['a deletion over which people wrote anew', 'mine\n', 'old\n', null, 'conflict'],
    ['an edit of a file that people removed', null, 'a\n', 'b\n', null],
    [
      'around the edits of people',
      '1\nX\n3\n4\n5\nmine\n',
      '1\n2\n3\n4\n5\n6\n',
      '1\nX\n3\n4\n5\n6\n',
      '1\n2\n3\n4\n5\nmine\n',
    ],
    ['the same line', '1\nmine\n3\n', '1\n2\n3\n', '1\nX\n3\n', 'conflict'],
    ['what is not text', 'a\0mine', 'a\0', 'b\0', 'conflict'],
  ];
  test.each(cases)('[CHK3g] %s', (_, now, before, after, expected) => {
    expect(shown(takeBack(text(now), text(before), text(after)))).toBe(expected);
  });

  test('[CHK3g] modes go back by themselves', () => {
    expect(takeBack(text('mine\n', '100755'), text('a\n'), text('a\n', '100755'))).toEqual(text('mine\n'));
    expect(takeBack(text('b\n', '100644'), text('a\n'), text('b\n', '100755'))).toEqual(text('a\n'));
  });

  test('[CHK3g] from right after gives right before, and twice is once', () => {
    const anyText = fc.option(
      fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', ''), { maxLength: 6 }).map((lines) => lines.join('')),
    );
    fc.assert(
      fc.property(anyText, anyText, anyText, (before, after, now) => {
        expect(takeBack(text(after), text(before), text(after))).toEqual(text(before));
        const once = takeBack(text(now), text(before), text(after));
        if (once === 'conflict' || now === before) return;
        const again = takeBack(once, text(before), text(after));
        if (once !== null && before !== null && shown(once) === before) expect(again).toEqual(once);
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});

describe('retention', () => {
  const saved = (seq: number, reason: Checkpoint['reason'], at: number, pinned = false): Checkpoint => ({
    ...{ id: checkpointId(asSeq(seq)), seq: asSeq(seq), at, commit: 'c', tree: 't', reason, session: null, call: null },
    ...{
      message: null,
      files: 1,
      uncovered: 0,
      coverage: null,
      asOf: asSeq(seq),
      moving: false,
      incomplete: false,
      pinned,
    },
  });

  test('[CHK7a] the oldest automatic ones beyond the number go; manual and pinned ones do not count', () => {
    const list = [
      saved(1, 'start', 1),
      saved(2, 'manual', 1),
      saved(3, 'prompt', 1, true),
      saved(4, 'after-tool', 1),
      saved(5, 'after-tool', 1),
    ];
    expect(expiredCheckpoints(list, { count: 2, ageMs: 100 }, 50)).toEqual(['k1', 'k4']);
    expect(expiredCheckpoints(list, { count: 9, ageMs: 100 }, 50)).toEqual([]);
  });

  test('[CHK7a] the old ones go, except the pinned and the newest', () => {
    const list = [saved(1, 'manual', 0), saved(2, 'manual', 0, true), saved(3, 'start', 0)];
    expect(expiredCheckpoints(list, { count: 9, ageMs: 10 }, 50)).toEqual(['k1']);
  });
});
