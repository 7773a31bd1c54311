import { asCallId, asPath, asSeq, asSessionId, type Operation, type OperationBody, trustPath } from '@palimpsest/core';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changedByCall, changedByHuman, fileChange, fileState, prompted, shown } from './log.fixture.js';
import type { FileState, Log, LogQuery } from './log.js';

/** What every log does; run on each implementation. */
export function logContract(name: string, open: () => Log): void {
  describe(`a log (${name})`, () => {
    let log: Log;
    beforeEach(() => {
      log = open();
    });
    afterEach(() => log.close());
    const seqs = (query: LogQuery) => log.find(query).map((operation) => operation.seq as number);
    const paths = () => [...log.files.all()].map((state) => state.path as string).sort();

    test('a new one is empty', () => {
      expect(log.last).toBe(0);
      expect(log.read(0, 10)).toEqual([]);
      expect(log.get(asSeq(1))).toBeNull();
      expect([...log.files.all()].length).toBe(0);
      expect([...log.files.all()]).toEqual([]);
    });

    test('[COR9] operations are counted by kind', () => {
      expect(log.countKinds()).toEqual(new Map());
      const future = { kind: 'from the\0future' } as unknown as OperationBody;
      log.append({ bodies: [prompted('a'), future, prompted('b')], at: 5 });
      expect(log.countKinds()).toEqual(
        new Map<string, number>([
          ['prompted', 2],
          [future.kind, 1],
        ]),
      );
    });

    test('[SRV5k] append numbers operations in one row and gives back what is stored', () => {
      const first = log.append({ bodies: [prompted('a'), prompted('b')], at: 5 });
      const second = log.append({ bodies: [prompted('c')], at: 4 });
      expect([...first, ...second].map((operation) => operation.seq)).toEqual([1, 2, 3]);
      expect(log.read(0, 10)).toEqual([...first, ...second]);
      expect(log.get(asSeq(3))).toEqual({ ...prompted('c'), seq: 3, at: 4 });
      expect(log.last).toBe(3);
    });

    test('[SRV5k] read goes on after a seq, up to a limit', () => {
      log.append({ bodies: ['a', 'b', 'c', 'd'].map((text) => prompted(text)), at: 1 });
      expect(log.read(asSeq(1), 2).map((operation) => operation.seq)).toEqual([2, 3]);
      expect(log.read(asSeq(4), 2)).toEqual([]);
    });

    test('an append without operations changes files alone', () => {
      expect(log.append({ bodies: [], at: 1, files: [fileState('a')] })).toEqual([]);
      expect(log.last).toBe(0);
      expect(paths()).toEqual(['a']);
    });

    test('a time that is none is refused and nothing is kept', () => {
      expect(() => log.append({ bodies: [prompted('a')], at: Number.NaN, files: [fileState('a')] })).toThrow(TypeError);
      expect(log.last).toBe(0);
      expect([...log.files.all()].length).toBe(0);
    });

    test('a value handed in or out can be changed without changing the log', () => {
      const body = { ...prompted('a'), text: 'a' };
      const appended = log.append({ bodies: [body], at: 1 })[0] as unknown as { text: string };
      body.text = 'changed';
      appended.text = 'changed';
      (log.read(0, 1)[0] as unknown as { text: string }).text = 'changed';
      expect(log.get(asSeq(1))).toEqual({ ...prompted('a'), seq: 1, at: 1 });
    });

    describe('find', () => {
      beforeEach(() => {
        log.append({
          bodies: [
            prompted('1', 's'),
            changedByCall('s', 'c1', fileChange('a'), fileChange('b')),
            changedByHuman(fileChange('a')),
            shown('s2', 'a', 'c'),
            changedByCall('s2', 'c1', fileChange('new', 'a')),
            prompted('6', 's2'),
          ],
          at: 1,
        });
      });
      const cases: readonly (readonly [string, LogQuery, readonly number[]])[] = [
        ['everything', {}, [1, 2, 3, 4, 5, 6]],
        ['a kind', { kinds: ['prompted'] }, [1, 6]],
        ['two kinds, in order', { kinds: ['changed', 'prompted'] }, [1, 2, 3, 5, 6]],
        [
          'two kinds, newest first, limited',
          { kinds: ['prompted', 'changed'], newestFirst: true, limit: 3 },
          [6, 5, 3],
        ],
        ['the same kind twice', { kinds: ['prompted', 'prompted'] }, [1, 6]],
        ['no kind', { kinds: [] }, []],
        ['a session', { session: asSessionId('s') }, [1, 2]],
        ['a call in every session', { call: asCallId('c1') }, [2, 5]],
        ['a call of a session', { call: asCallId('c1'), session: asSessionId('s2') }, [5]],
        ['a path that was changed, shown and renamed away', { path: asPath('a') }, [2, 3, 4, 5]],
        ['a path that was renamed to', { path: asPath('new') }, [5]],
        ['a path and a kind', { path: asPath('a'), kinds: ['shown', 'prompted'] }, [4]],
        ['a path and a session', { path: asPath('a'), session: asSessionId('s') }, [2]],
        ['between bounds that are not in it', { since: asSeq(2), before: asSeq(5) }, [3, 4]],
        ['a path between bounds', { path: asPath('a'), since: asSeq(2), before: asSeq(5) }, [3, 4]],
        ['the newest two', { newestFirst: true, limit: 2 }, [6, 5]],
        ['none for a limit of none', { limit: 0 }, []],
        ['nothing for a stranger', { path: asPath('nowhere') }, []],
      ];
      test.each(cases)('[REC1b] finds %s', (_, query, expected) => expect(seqs(query)).toEqual(expected));
    });

    test('[CAP9a] names are kept and told apart byte for byte', () => {
      const names = [
        'a b',
        'q\'"',
        'new\nline',
        '\u00e9',
        'e\u0301',
        'a -> b',
        '-x',
        'A',
        'a',
        '"',
        '"a"',
        '😀',
        '\uffee',
        '%',
        'a\\b',
      ];
      log.append({
        bodies: names.map((name) => changedByHuman(fileChange(name))),
        at: 1,
        files: names.map((n) => fileState(n)),
      });
      expect(names.map((name) => seqs({ path: asPath(name) }))).toEqual(names.map((_, index) => [index + 1]));
      expect(paths()).toEqual([...names].sort());
    });

    test('[REC2a] any text as an id or content survives and finds its own alone', () => {
      fc.assert(
        fc.property(fc.uniqueArray(anyText(), { minLength: 1, maxLength: 8 }), (texts) => {
          const base = log.last;
          log.append({
            bodies: texts.flatMap((text) => [prompted(text, text), changedByCall('other', text, fileChange('x'))]),
            at: 1,
            files: texts.map((text) => fileState(text)),
          });
          texts.forEach((text, index) => {
            const since = base as LogQuery['since'] & number;
            expect(seqs({ session: asSessionId(text), since })).toEqual([base + 2 * index + 1]);
            expect(seqs({ call: asCallId(text), since })).toEqual([base + 2 * index + 2]);
          });
          expect(log.read(base, 2).at(0)).toEqual({ ...prompted(texts[0] as string, texts[0]), seq: base + 1, at: 1 });
          const known = new Set<string>(paths());
          expect(texts.filter((text) => !known.has(text))).toEqual([]);
        }),
        { numRuns: 60 },
      );
    });

    test('a file state comes back exactly, and the latest one stands', () => {
      const full: FileState = { ...fileState('a', 7), mode: '120000', kept: false, explicit: true, borrowed: true };
      log.append({ bodies: [], at: 1, files: [fileState('a'), { ...fileState('b'), borrowed: false }] });
      log.append({ bodies: [], at: 2, files: [full], gone: [asPath('b'), asPath('never')] });
      expect([...log.files.all()]).toEqual([full]);
      log.append({ bodies: [], at: 2, files: [fileState('b')] });
      expect([...log.files.all()].find((state) => state.path === 'b')).toEqual(fileState('b'));
    });

    test('files may be changed while they are iterated', () => {
      const all = Array.from({ length: 2500 }, (_, index) => fileState(`f${String(index).padStart(5, '0')}`));
      log.append({ bodies: [], at: 1, files: all });
      const seen: string[] = [];
      for (const state of log.files.all()) {
        if (seen.length === 10)
          log.append({ bodies: [], at: 1, gone: [trustPath('f02400')], files: [fileState('f00001', 9)] });
        seen.push(state.path);
      }
      expect(seen).toEqual(all.map((state) => state.path).filter((path) => path !== 'f02400'));
    });

    test('replaced files are the whole table afterwards', async () => {
      log.append({ bodies: [], at: 1, files: [fileState('old'), fileState('both')] });
      await log.files.replace([fileState('both', 2), fileState('new'), fileState('both', 3)]);
      expect([...log.files.all()].sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
        fileState('both', 3),
        fileState('new'),
      ]);
      await log.files.replace([]);
      expect([...log.files.all()].length).toBe(0);
      await Promise.all([log.files.replace([fileState('first')]), log.files.replace([fileState('second')])]);
      expect(paths()).toEqual(['second']);
    });

    test('[COR8c] views come back for their own version, and not from a future', () => {
      expect(log.views.load('v', 1)).toBeNull();
      log.append({ bodies: [prompted('a')], at: 1 });
      log.views.save('v', 1, asSeq(1), { deep: [1, 'x\0\ud800'] });
      expect(log.views.load('v', 1)).toEqual({ seq: 1, encoded: { deep: [1, 'x\0\ud800'] } });
      expect(log.views.load('v', 2)).toBeNull();
      log.views.save('v', 2, asSeq(2), {});
      expect(log.views.load('v', 1)).toBeNull();
      expect(log.views.load('v', 2)).toBeNull();
      log.append({ bodies: [prompted('b')], at: 1 });
      expect(log.views.load('v', 2)).toEqual({ seq: 2, encoded: {} });
    });

    test('[SEC6c] a redacted operation takes the place of its own kind only, and nothing else moves', () => {
      const [first, second] = log.append({ bodies: [changedByHuman(fileChange('a')), shown('S', 'b')], at: 5 });
      log.redact([
        { ...first!, cause: 'redacted' } as Operation,
        { ...second!, kind: 'changed' } as unknown as Operation,
      ]);
      expect(log.read(0, 10)).toEqual([{ ...first!, cause: 'redacted' }, second]);
    });

    test('meta values are kept by key', () => {
      expect(log.marks.get('k')).toBeNull();
      for (const value of ['', 'v', '"', 'a\0b\udfff']) {
        log.marks.set('k', value);
        expect(log.marks.get('k')).toBe(value);
      }
      expect(log.marks.get('live-files')).toBeNull();
    });

    test('a closed log says so, and closing twice is closing once', async () => {
      log.close();
      log.close();
      expect(() => log.append({ bodies: [], at: 1 })).toThrow(expect.objectContaining({ code: 'closed' }));
      expect(() => log.last).toThrow(expect.objectContaining({ code: 'closed' }));
      expect(() => log.find({})).toThrow(expect.objectContaining({ code: 'closed' }));
      await expect(log.files.replace([])).rejects.toMatchObject({ code: 'closed' });
    });

    test('[REC1b] one change of 50,000 files is kept whole and found by each', () => {
      const names = Array.from({ length: 50_000 }, (_, index) => `src/folder-${index % 500}/file-${index}.ts`);
      log.append({
        bodies: [changedByHuman(...names.map((n) => fileChange(n)))],
        at: 1,
        files: names.map((n) => fileState(n)),
      });
      const found: readonly Operation[] = log.find({ path: asPath('src/folder-499/file-49999.ts') });
      expect(found).toHaveLength(1);
      expect((found[0] as { files: readonly unknown[] }).files).toHaveLength(50_000);
      expect([...log.files.all()].length).toBe(50_000);
    });
  });
}

/** Also what is no text in UTF-8: halves of surrogate pairs and NUL. */
function anyText(): fc.Arbitrary<string> {
  const unit = fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(0, 0x22, 0x5c, 0x2f, 0xd800, 0xdc00));
  return fc.array(unit, { minLength: 1, maxLength: 12 }).map((units) => String.fromCharCode(...units));
}
