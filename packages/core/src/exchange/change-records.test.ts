import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HUMAN } from '../author.js';
import type { FileChange, FileMode } from '../file.js';
import { asCallId, asContentId, asSeq, asSessionId, changeId } from '../ids.js';
import { asPath, type WorkspacePath } from '../path.js';
import {
  type ChangeRecord,
  changeRecordFileName,
  formatChangeRecord,
  parseChangeRecord,
  timeOf,
} from './change-record.js';
import {
  type ExportedChange,
  exportChanges,
  type ImportedChange,
  importChanges,
  type RecordContent,
} from './change-records.js';

const fileName = (id: string) => changeRecordFileName(id, (text) => createHash('sha256').update(text).digest('hex'));
const text = (value: string): RecordContent => ({ kind: 'text', text: value });
const version = (mode: FileMode = '100644') => ({ content: asContentId('1'.repeat(40)), mode, size: 1 });
const spans = [
  { oldStart: 2, oldLines: 1, newStart: 2, newLines: 3 },
  { oldStart: 9, oldLines: 2, newStart: 10, newLines: 0 },
];

function change(
  n: number,
  call: string | null,
  path: string,
  more: Partial<ExportedChange> & { readonly from?: string } = {},
): ExportedChange {
  const { from, ...rest } = more;
  const [before, after] = ['before' in rest ? rest.before : text('old'), 'after' in rest ? rest.after : text('new')];
  const file: FileChange = {
    path: asPath(path),
    ...(from === undefined ? {} : { fromPath: asPath(from) }),
    before: before === null ? null : version(),
    after: after === null ? null : version('100755'),
    binary: false,
    reversible: true,
    spans,
  };
  const author =
    call === null
      ? HUMAN
      : ({ kind: 'agent', session: asSessionId('s'), agent: 'claude', call: asCallId(call), tool: 'Edit' } as const);
  return {
    id: changeId(asSeq(n), 0),
    file,
    author,
    at: 1_700_000_000_123,
    status: 'pending',
    before: text('old'),
    after: text('new'),
    ...rest,
  };
}

const exported = (...changes: readonly ExportedChange[]) => exportChanges(changes, '/w');
const ids = (...changes: readonly ExportedChange[]) => exported(...changes).map((record) => record.tool_call_id);
const back = (records: readonly ChangeRecord[]) => importChanges(records, ['/w']).changes;

describe('a record', () => {
  test('[REC6a] has the fields that other trackers know', () => {
    const [record] = exported(
      change(7, 'toolu_1', 'src/a.ts', { agentId: 'agent-9', messageIndex: 4, status: 'accepted' }),
    );
    expect(JSON.parse(formatChangeRecord(record as ChangeRecord))).toEqual({
      file_path: '/w/src/a.ts',
      agent_id: 'agent-9',
      change_type: 'modify',
      tool_call_id: 'toolu_1',
      tool_name: 'Edit',
      message_index: 4,
      old_content: 'old',
      new_content: 'new',
      pre_tool_content: 'old',
      added_ranges: [{ startLine: 2, endLine: 4 }],
      removed_ranges: [
        { startLine: 2, endLine: 2 },
        { startLine: 9, endLine: 10 },
      ],
      timestamp: '2023-11-14T22:13:20.123Z',
      status: 'accepted',
      palimpsest: { change: 'c7.1', call: 'toolu_1', before_mode: '100644', after_mode: '100755' },
    });
  });

  test('[REC6a] a create has nothing before it, a delete nothing after', () => {
    const [created, deleted] = exported(change(1, 'a', 'x', { before: null }), change(2, 'b', 'x', { after: null }));
    expect(created).toMatchObject({
      change_type: 'create',
      old_content: null,
      pre_tool_content: null,
      new_content: 'new',
    });
    expect(deleted).toMatchObject({
      change_type: 'delete',
      old_content: 'old',
      pre_tool_content: 'old',
      new_content: null,
    });
  });

  test('[REC6a] bytes that are not text are base64 and marked', () => {
    const [record] = exported(change(1, 'a', 'x', { after: { kind: 'base64', base64: '/wA=' } }));
    expect(record).toMatchObject({ new_content: '/wA=', old_content: 'old', base64_fields: ['new_content'] });
  });

  test('[REC6a] a change of nobody known', () => {
    expect(exported(change(3, null, 'x'))[0]).toMatchObject({
      agent_id: 'unknown',
      tool_call_id: 'reconcile-c3.1',
      message_index: -1,
    });
  });

  test('[REC6a] on Windows paths are spelled as there', () => {
    expect(exportChanges([change(1, 'a', 'src/a.ts')], 'C:\\p')[0]?.file_path).toBe('C:\\p\\src\\a.ts');
  });
});

describe('the id of a record', () => {
  test('[REC6a] one file: the call', () => expect(ids(change(1, 'a', 'x'))).toEqual(['a']));
  test('[REC6a] several files: the call, numbered', () =>
    expect(ids(change(1, 'a', 'x'), change(1, 'b', 'y'), change(2, 'a', 'z'))).toEqual(['a:0', 'b', 'a:1']));
  test('[REC2b] a call that is named like a numbered one meets no other', () =>
    expect(ids(change(1, 'a', 'x'), change(2, 'a', 'y'), change(3, 'a:0', 'z'))).toEqual(['a:0', 'a:1', 'a:0:0']));
  test('[REC2b] no two records share an id or a file name, whatever the calls are called', () => {
    const call = fc.oneof(
      fc.constantFrom('a', 'a:0', 'a:0:0', 'a:1', 'A', 'reconcile-c1.1', '../a', 'con'),
      fc.string({ minLength: 1 }),
    );
    fc.assert(
      fc.property(fc.array(fc.option(call), { maxLength: 12 }), (calls) => {
        const names = ids(...calls.map((one, index) => change(index + 1, one, 'x')));
        expect(new Set(names).size).toBe(names.length);
        expect(new Set(names.map((name) => fileName(name).toLowerCase())).size).toBe(names.length);
      }),
    );
  });
});

describe('the file name of a record', () => {
  test.each(['toolu_01', 'a-b', '_x', '0'])('[REC6a] a plain id names its file itself: %s', (id) =>
    expect(fileName(id)).toBe(`${id}.json`),
  );
  test('[REC2b] it is one safe name, whatever the id', () => {
    const hostile = fc.constantFrom(
      '../../x',
      '/etc/passwd',
      'a/b',
      'a\\b',
      '..',
      '.',
      '',
      'C:x',
      'nul',
      'a\0b',
      'x'.repeat(300),
      '-rf',
      'a:0',
      'é',
      '%2e%2e',
    );
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' }), fc.string()), (id) => {
        const name = fileName(id);
        expect(name).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]*(\.[0-9a-f]{32})?\.json$/);
        expect(name.length).toBeLessThanOrEqual(120);
        expect(fileName(id)).toBe(name);
      }),
    );
  });
  test('[REC2b] ids that a disk may take for one have two names', () => {
    const alike = [
      'Call',
      'call',
      'CALL',
      'é',
      'e\u0301',
      'x'.repeat(300),
      'x'.repeat(301),
      '\ud800',
      '\ud801',
      '\ufffd',
      '"\\ud800"',
    ];
    expect(new Set(alike.map((id) => fileName(id).toLowerCase())).size).toBe(alike.length);
  });
});

describe('reading records', () => {
  const [plain] = exported(change(1, 'a', 'x'));
  const parts = { ...(JSON.parse(formatChangeRecord(plain as ChangeRecord)) as object) };
  const parsed = (fields: object) => parseChangeRecord(JSON.stringify(fields));

  test('[REC6c] unknown fields are written again as they were read', () => {
    const fields = { ...parts, reviewer: { name: 'x' }, palimpsest: { later: true } };
    const record = parsed(fields);
    expect(record.ok && JSON.parse(formatChangeRecord(record.value))).toEqual(fields);
  });

  test.each([
    ['file_path', 7],
    ['change_type', 'moved'],
    ['tool_call_id', ''],
    ['tool_call_id', 'x'.repeat(5000)],
    ['message_index', 1.5],
    ['new_content', 3],
    ['added_ranges', [{}]],
    ['timestamp', 'yesterday'],
    ['status', 'done'],
    ['base64_fields', ['status']],
  ])('[REC6d] a wrong %s is an error that names it', (field, value) =>
    expect(parsed({ ...parts, [field]: value })).toMatchObject({ ok: false, error: { code: 'bad-format', at: field } }),
  );
  test('[REC6d] a broken text is an error', () =>
    expect(parseChangeRecord('{"a":')).toMatchObject({ ok: false, error: { code: 'not-json' } }));

  test.each([
    ['2024-01-02T03:04:05Z', 1_704_164_645_000],
    ['2024-01-02T03:04:05.678901', 1_704_164_645_678],
    ['2024-01-02 03:04:05+01:00', 1_704_161_045_000],
    ['02/01/2024', null],
  ])('[REC6b] the time %s', (written, at) => expect(timeOf(written)).toBe(at));

  const foreign = (more: object): ChangeRecord => ({ ...(plain as ChangeRecord), extra: {}, ...more });

  test('[REC6b] numbered ids of another tracker lose their number where several share it', () => {
    const records = ['t:0', 't:1', 'u:5'].map((id) => foreign({ tool_call_id: id }));
    expect(back(records).map((one) => one.call)).toEqual(['t', 't', 'u:5']);
  });

  test('[REC5a] [REC5b] a path outside the workspace is set aside, one under a worktree that is gone is not', () => {
    const records = ['/etc/passwd', '/w/../etc/x', '/private/tmp/wt-1/a', '/w/b'].map((path) =>
      foreign({ file_path: path }),
    );
    const { changes, misplaced } = importChanges(records, ['/w', '/tmp/wt-1']);
    expect(changes.map((one) => one.path)).toEqual(['a', 'b']);
    expect(misplaced.map(({ record, error }) => `${record.file_path} ${error.code}`)).toEqual([
      '/etc/passwd absolute',
      '/w/../etc/x escapes',
    ]);
  });

  test('[REC6b] where only the older field tells what was before, it is taken', () => {
    expect(back([foreign({ pre_tool_content: null, old_content: 'o' })])[0]?.before).toEqual(text('o'));
    expect(back([foreign({ pre_tool_content: null, old_content: null })])[0]?.before).toEqual({ kind: 'missing' });
  });
});

describe('there and back', () => {
  test('[REC6b] a rename is two records and one change again, in either order', () => {
    const records = exported(change(1, 'a', 'new', { from: 'old' }));
    expect(records.map((one) => `${one.change_type} ${one.file_path} ${one.tool_call_id}`)).toEqual([
      'delete /w/old a:0',
      'create /w/new a:1',
    ]);
    for (const order of [records, records.toReversed()]) {
      expect(back(order)).toMatchObject([
        { path: 'new', fromPath: 'old', before: text('old'), after: text('new'), call: 'a' },
      ]);
    }
    expect(back(records.slice(0, 1))).toMatchObject([{ path: 'old', before: text('old'), after: null }]);
    expect(back(records.slice(1))).toMatchObject([{ path: 'new', before: null, after: text('new') }]);
  });

  test('[REC6b] every change comes back with all that it was', () => {
    fc.assert(
      fc.property(fc.array(anyChange(), { maxLength: 8 }), (drafts) => {
        const changes = drafts.map((draft, index) => change(index + 1, draft.call, draft.path, draft.more));
        const texts = exported(...changes).map(formatChangeRecord);
        const records = texts
          .map((one) => parseChangeRecord(one))
          .map((one) => (one.ok ? one.value : expect.unreachable()));
        expect(records.map(formatChangeRecord)).toEqual(texts);
        expect(importChanges(records, ['/w'])).toEqual({ changes: changes.map(expectedImport), misplaced: [] });
      }),
    );
  });
});

function anyChange() {
  const content = fc.oneof(
    fc.string({ unit: 'binary' }).map(text),
    fc.base64String().map((base64): RecordContent => ({ kind: 'base64', base64 })),
    fc.constant<RecordContent>({ kind: 'missing' }),
  );
  const sides = fc.oneof(
    fc.record({ before: content, after: content }),
    fc.record({ before: content, after: content, from: fc.constant('from/here') }),
    fc.record({ before: fc.constant(null), after: content }),
    fc.record({ before: content, after: fc.constant(null) }),
  );
  const status = fc.constantFrom('pending', 'accepted', 'rejected', 'conflict');
  return fc.record({
    call: fc.option(fc.oneof(fc.constantFrom('a', 'a:0', 'b'), fc.string({ minLength: 1 }))),
    path: fc.constantFrom('x', 'src/é.ts', 'a\\b', 'new\nline'),
    more: fc
      .tuple(sides, status, fc.nat())
      .map(([side, one, messageIndex]) => ({ ...side, status: one, messageIndex })),
  });
}

function expectedImport(one: ExportedChange): ImportedChange {
  const { author, file } = one;
  const from: { fromPath?: WorkspacePath } = file.fromPath === undefined ? {} : { fromPath: file.fromPath };
  return {
    path: file.path,
    ...from,
    call: author.kind === 'agent' ? author.call : null,
    tool: author.kind === 'agent' ? author.tool : 'reconcile',
    agentId: author.kind === 'agent' ? author.agent : 'unknown',
    messageIndex: one.messageIndex ?? -1,
    at: one.at,
    status: one.status,
    before: one.before,
    after: one.after,
    beforeMode: file.before?.mode ?? file.after?.mode ?? '100644',
    afterMode: file.after?.mode ?? file.before?.mode ?? '100644',
  };
}
