import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HUMAN } from '../author.js';
import { asCallId, asContentId, asSeq, asSessionId, changeId } from '../ids.js';
import type { Operation, OperationBody } from '../operation.js';
import { asPath } from '../path.js';
import { type FileRecord, fileRecordsOf } from './file-record.js';
import { IMPORT_CAUSE, importFileRecords, type TaskImport, UNRECORDED_CONTENT } from './task-import.js';
import { formatTaskMetadata, parseTaskMetadata, type TaskDialect, type TaskMetadata } from './task-metadata.js';

const S = asSessionId('s');
const version = { content: asContentId('1'.repeat(40)), mode: '100644', size: 1 } as const;
const agent = (session: string) =>
  ({ kind: 'agent', session: asSessionId(session), agent: 'a', call: asCallId('c'), tool: 'Edit' }) as const;

/** `read a`, `mention a`, `edit a`, `human a`, `unknown a`, `other a` (an agent of another session), `undo a`. */
function body(word: string, path: string): OperationBody {
  const files = [{ path: asPath(path), before: version, after: version, binary: false, reversible: true, spans: [] }];
  const changed = (author: Extract<OperationBody, { kind: 'changed' }>['author']): OperationBody => ({
    kind: 'changed',
    author,
    evidence: 'exact',
    files,
  });
  const shown = (source: 'read' | 'mention', session: string): OperationBody => ({
    kind: 'shown',
    session: asSessionId(session),
    source,
    files: [{ path: asPath(path), content: version.content }],
  });
  const words: Readonly<Record<string, () => OperationBody>> = {
    read: () => shown('read', 's'),
    mention: () => shown('mention', 's'),
    'other-read': () => shown('read', 't'),
    edit: () => changed(agent('s')),
    other: () => changed(agent('t')),
    human: () => changed(HUMAN),
    unknown: () => changed({ kind: 'unknown', candidates: [] }),
    undo: () => ({ kind: 'undone', target: asSeq(1), files }),
  };
  return (words[word] ?? (() => expect.unreachable(word)))();
}

/** `read a · human a`: each step happens at 10, 20, 30… */
function story(text: string): Operation[] {
  return text.split(' · ').map((step, index) => {
    const [word = '', path = ''] = step.split(' ');
    return { ...body(word, path), seq: asSeq(index + 1), at: (index + 1) * 10 };
  });
}

const short = (record: FileRecord) =>
  `${record.path} ${record.state} ${record.source} ${record.readAt} ${record.editedAt} ${record.outsideEditAt}`;
const expectRecords = (text: string, ...expected: readonly string[]) =>
  expect(fileRecordsOf(story(text), S).map(short)).toEqual(expected);

describe('the records of a session', () => {
  test('[FRE1f] a read', () => expectRecords('read a', 'a active read 10 null null'));
  test('[FRE1f] a mention', () => expectRecords('mention a', 'a active mention 10 null null'));
  test('[FRE1f] an own edit sets both dates', () => expectRecords('edit a', 'a active agent-edit 10 10 null'));
  test('[FRE1f] a new interaction makes the earlier one stale and inherits its dates', () =>
    expectRecords(
      'read a · edit a · human a · read a',
      'a stale read 10 null null',
      'a stale agent-edit 20 20 null',
      'a stale outside-edit 20 20 30',
      'a active read 40 20 30',
    ));
  test('[FRE1f] files do not mix', () =>
    expectRecords('read a · read b', 'a active read 10 null null', 'b active read 20 null null'));
  test.each(['human', 'unknown', 'other', 'undo'])('[FRE1f] %s of a file that was seen counts as outside', (word) =>
    expectRecords(`read a · ${word} a`, 'a stale read 10 null null', 'a active outside-edit 10 null 20'),
  );
  test('[FRE1f] what happens to a file the session never met is not its business', () =>
    expectRecords('human a · other a · other-read a · read b', 'b active read 40 null null'));

  test('[FRE1f] a rename touches both names', () => {
    const operations = story('read a · edit b');
    const edit = operations[1] as Extract<Operation, { kind: 'changed' }>;
    const renamed = { ...edit, files: edit.files.map((file) => ({ ...file, fromPath: asPath('a') })) };
    expect(fileRecordsOf([operations[0] as Operation, renamed], S).map(short)).toEqual([
      'a stale read 10 null null',
      'a active agent-edit 20 20 null',
      'b active agent-edit 20 20 null',
    ]);
  });

  test('[FRE1f] a later proof of who it was holds from the beginning, unless it was taken back', () => {
    const operations = story('unknown a · unknown b');
    const file = { path: asPath('a'), before: version, after: version, binary: false, reversible: true, spans: [] };
    const changes = [{ id: changeId(asSeq(1), 0), file }];
    const proof: Operation = {
      kind: 'attributed',
      changes,
      author: agent('s'),
      evidence: 'exact',
      seq: asSeq(3),
      at: 99,
    };
    expect(fileRecordsOf([...operations, proof], S).map(short)).toEqual(['a active agent-edit 10 10 null']);
    const undone: Operation = { kind: 'undone', target: proof.seq, files: [], seq: asSeq(4), at: 100 };
    expect(fileRecordsOf([...operations, proof, undone], S)).toEqual([]);
  });

  test('[FRE1f] dates inherit the latest, also when the clock went back', () => {
    const operations = story('read a · read a · human a').map((operation, index) => ({
      ...operation,
      at: [50, 20, 30][index] ?? 0,
    }));
    expect(fileRecordsOf(operations, S).at(-1)).toMatchObject({ readAt: 50, outsideEditAt: 30 });
  });
});

describe('task_metadata.json', () => {
  const records = fileRecordsOf(story('read a · edit a · human a'), S);

  test('[FRE1f] in the names of Roo', () => {
    const written = JSON.parse(formatTaskMetadata({ dialect: 'roo', records, extra: {} }));
    expect(Object.keys(written)).toEqual(['files_in_context']);
    expect(written.files_in_context[2]).toEqual({
      path: 'a',
      record_state: 'active',
      record_source: 'user_edited',
      roo_read_date: 20,
      roo_edit_date: 20,
      user_edit_date: 30,
    });
    expect(written.files_in_context.map((entry: { record_source: string }) => entry.record_source)).toEqual([
      'read_tool',
      'roo_edited',
      'user_edited',
    ]);
  });

  test('[FRE1f] in the names of Cline, with its model usage kept', () => {
    const extra = { model_usage: [{ ts: 1, model_id: 'm' }] };
    const written = JSON.parse(formatTaskMetadata({ dialect: 'cline', records, extra }));
    expect(written.files_in_context[1]).toEqual({
      path: 'a',
      record_state: 'stale',
      record_source: 'cline_edited',
      cline_read_date: 20,
      cline_edit_date: 20,
      user_edit_date: null,
    });
    expect(written.model_usage).toEqual(extra.model_usage);
  });

  test('[CON2b] unknown fields and sources are written again as they were read', () => {
    const entry = {
      path: 'a',
      record_state: 'active',
      record_source: 'tool_previewed',
      roo_read_date: 1,
      roo_edit_date: null,
      user_edit_date: null,
      mark: { x: 1 },
    };
    const text = JSON.stringify({ files_in_context: [entry], version: 7 });
    const parsed = parseTaskMetadata(`\uFEFF${text}`);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
    expect(parsed.value.records[0]?.source).toBe('other');
    expect(JSON.parse(formatTaskMetadata(parsed.value))).toEqual(JSON.parse(text));
  });

  const bad: readonly (readonly [string, string, unknown])[] = [
    ['nothing', '', { code: 'not-json' }],
    ['half a text', '{"files_in_context":[', { code: 'not-json' }],
    ['a list', '[]', { code: 'bad-format', at: '' }],
    ['no files', '{}', { code: 'bad-format', at: 'files_in_context' }],
    ['an entry that is none', '{"files_in_context":[null]}', { code: 'bad-format', at: 'files_in_context[0]' }],
    [
      'an entry without a path',
      '{"files_in_context":[{"record_state":"active","record_source":"x"}]}',
      { at: 'files_in_context[0].path' },
    ],
    [
      'a date that is none',
      '{"files_in_context":[{"path":"a","record_state":"active","record_source":"x","roo_read_date":"y"}]}',
      { at: 'files_in_context[0]' },
    ],
  ];
  test.each(bad)('[CON2a] %s is an error that says where', (_, text, error) =>
    expect(parseTaskMetadata(text)).toMatchObject({ ok: false, error }),
  );

  const record = (): fc.Arbitrary<FileRecord> => {
    const date = fc.option(fc.integer({ min: 0, max: 2 ** 45 }));
    return fc.record({
      path: fc.string({ minLength: 1, unit: 'binary' }),
      state: fc.constantFrom('active', 'stale'),
      source: fc.constantFrom('read', 'mention', 'agent-edit', 'outside-edit'),
      readAt: date,
      editedAt: date,
      outsideEditAt: date,
      extra: fc.dictionary(
        fc.string({ minLength: 1 }).map((key) => `x-${key}`),
        fc.jsonValue({ noUnicodeString: false }),
      ),
    });
  };
  test('[CON2b] what is written is read again the same', () => {
    const dialects = fc.constantFrom<TaskDialect>('roo', 'cline');
    fc.assert(
      fc.property(dialects, fc.array(record(), { minLength: 1, maxLength: 6 }), (dialect, some) => {
        const metadata: TaskMetadata = { dialect, records: some, extra: { other: 1 } };
        const again = parseTaskMetadata(formatTaskMetadata(metadata));
        expect(again).toEqual({ ok: true, value: JSON.parse(JSON.stringify(metadata)) });
      }),
    );
  });
});

describe('import', () => {
  const target: TaskImport = { session: S, agent: 'roo', roots: ['/w', 'C:\\work\\p'], versionOf: () => version };
  const refold = (records: readonly FileRecord[]) => {
    const { facts } = importFileRecords(records, target);
    return fileRecordsOf(
      facts.map(({ at, body }, index) => ({ ...body, at, seq: asSeq(index + 1) })),
      S,
    );
  };

  test('[CON2b] export and import give the same records again', () => {
    const step = fc.tuple(
      fc.constantFrom('read', 'mention', 'edit', 'human', 'other', 'undo'),
      fc.constantFrom('a', 'b'),
    );
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.constantFrom<TaskDialect>('roo', 'cline'),
        (steps, dialect) => {
          const records = fileRecordsOf(story(steps.map((words) => words.join(' ')).join(' · ')), S);
          const parsed = parseTaskMetadata(formatTaskMetadata({ dialect, records, extra: {} }));
          expect(parsed.ok && refold(parsed.value.records)).toEqual(records);
        },
      ),
    );
  });

  test('[CON2b] a date that no earlier record accounts for becomes a fact of its own', () => {
    const cut: FileRecord = {
      path: 'a',
      state: 'active',
      source: 'outside-edit',
      readAt: 10,
      editedAt: 5,
      outsideEditAt: 20,
      extra: {},
    };
    const { facts } = importFileRecords([cut], target);
    expect(facts.map(({ at, body }) => `${at} ${body.kind}`)).toEqual(['5 changed', '10 shown', '20 changed']);
    expect(refold([cut]).at(-1)).toEqual(cut);
  });

  test('[FRE1f] what was shown then is never taken for what is there now', () => {
    const [fact] = importFileRecords(fileRecordsOf(story('read a'), S), target).facts;
    expect(fact?.body).toMatchObject({
      kind: 'shown',
      session: S,
      files: [{ path: 'a', content: UNRECORDED_CONTENT }],
    });
  });

  test('an imported change moves nothing: its file is before and after as the log has it', () => {
    const [fact] = importFileRecords(fileRecordsOf(story('edit a'), S), target).facts;
    expect(fact?.body).toMatchObject({
      cause: IMPORT_CAUSE,
      files: [{ before: version, after: version, reversible: false }],
    });
  });

  const places: readonly (readonly [string, string | null])[] = [
    ['src/a.ts', 'src/a.ts'],
    ['./src//a.ts', 'src/a.ts'],
    ['src\\a.ts', 'src/a.ts'],
    ['/w/src/a.ts', 'src/a.ts'],
    ['C:\\work\\p\\src\\a.ts', 'src/a.ts'],
    ['c:/Work/P/src/A.ts', 'src/A.ts'],
    ['D:\\else\\a.ts', null],
    ['/elsewhere/a.ts', null],
    ['/wide/a.ts', null],
    ['../a.ts', null],
    ['C:\\work\\p\\..\\..\\x', null],
    ['..\\..\\x', null],
  ];
  test.each(places)('[CON2c] the path %s', (path, expected) => {
    const record: FileRecord = {
      path,
      state: 'active',
      source: 'read',
      readAt: 1,
      editedAt: null,
      outsideEditAt: null,
      extra: {},
    };
    const { facts, misplaced } = importFileRecords([record], target);
    const [fact] = facts;
    expect(fact?.body.kind === 'shown' ? fact.body.files[0]?.path : null).toBe(expected);
    expect(misplaced.length).toBe(expected === null ? 1 : 0);
  });
});
