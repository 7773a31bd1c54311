import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CAPTURED_CALLS } from './captured-calls.fixture.js';
import { intentOf } from './intent.js';

/** The notation of the fixture, for any call. */
function meaningOf(tool: string, input: unknown): string {
  const intent = intentOf(tool, input);
  const files = intent.files.map(({ path, access, lines, effect }) => {
    const range = lines === undefined ? '' : `:${lines.from}-${lines.to === Number.MAX_SAFE_INTEGER ? '$' : lines.to}`;
    return access === 'read' ? `r ${path}${range}` : `w ${path} ${effect?.kind ?? '-'}`;
  });
  const command = intent.command === undefined ? [] : [`$ ${intent.command.text}`];
  return [intent.action, ...files, ...command, ...(intent.opaque ? ['?'] : [])].join(' ');
}

describe('the calls of the real agents', () => {
  for (const { agent, tool, input, means } of CAPTURED_CALLS) {
    test(`[CAP6b] ${agent}: ${tool}`, () => expect(meaningOf(tool, input)).toBe(means));
    test(`[CAP6b] ${agent}: ${tool} as JSON text`, () => expect(meaningOf(tool, JSON.stringify(input))).toBe(means));
  }
});

const SEARCH = '<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE';
const UNIFIED = '--- a/x.txt\n+++ b/x.txt\n@@ -1 +1 @@\n-a\n+b\n';

const CALLS: readonly (readonly [tool: string, input: unknown, means: string])[] = [
  ['Read', 'src/a b.ts', 'read r src/a b.ts'],
  ['Read', 'rm -rf build', 'read'],
  ['Read', 'cat src/app.js', 'read'],
  ['Read', 'a.ts | head', 'read'],
  ['Read', '"a.ts"', 'read r a.ts'],
  ['Read', { file_path: 'a', offset: 10, limit: 5 }, 'read r a:10-14'],
  ['Read', { file_path: 'a', offset: 0, limit: 5 }, 'read r a:1-5'],
  ['read_file', { file_path: 'a', offset: 10, limit: 5 }, 'read r a:11-14'],
  ['read_file', { path: 'a', start_line: 3, end_line: 9 }, 'read r a:3-9'],
  ['read_file', { path: 'a', start_line: 3 }, 'read r a:3-$'],
  ['read_file', { args: { file: [{ path: 'a', line_ranges: ['1-5', '9-9'] }] } }, 'read r a:1-5 r a:9-9'],
  ['read_many_files', { paths: ['a.ts', 'src/**/*.ts'] }, 'read r a.ts'],
  ['str_replace_based_edit_tool', { command: 'view', path: 'a', view_range: [2, -1] }, 'read r a:2-$'],
  ['str_replace_based_edit_tool', { command: 'create', path: 'a', file_text: 'x' }, 'write w a replace-all-content'],
  ['str_replace_based_edit_tool', { command: 'str_replace', path: 'a', old_str: 'x' }, 'edit w a replace'],
  ['str_replace_editor', { command: 'insert', path: 'a', insert_line: 0, new_str: 'x' }, 'edit w a insert'],
  ['str_replace_editor', { command: 'undo_edit', path: 'a' }, 'edit w a -'],
  ['MultiEdit', { file_path: 'a', edits: [{ old_string: 'x', new_string: 'y' }] }, 'edit w a replace'],
  ['MultiEdit', { file_path: 'a', edits: [{ old_string: 'x' }] }, 'edit w a -'],
  ['NotebookEdit', { notebook_path: 'a.ipynb', new_source: 'x' }, 'edit w a.ipynb -'],
  ['replace_in_file', { path: 'a', diff: SEARCH }, 'edit w a patch'],
  [
    'apply_diff',
    { path: 'a', diff: '<<<<<<< SEARCH\n:start_line:3\n-------\na\n=======\nb\n>>>>>>> REPLACE' },
    'edit w a patch',
  ],
  ['replace_in_file', { path: 'a', diff: 'nonsense' }, 'edit w a -'],
  ['search_and_replace', { path: 'a', search: 'x', replace: 'y' }, 'edit w a replace'],
  ['search_and_replace', { path: 'a', search: 'x', replace: 'y', use_regex: true }, 'edit w a -'],
  ['insert_content', { path: 'a', line: '0', content: 'x' }, 'edit w a insert'],
  ['edit_file', { target_file: 'a', code_edit: '// ... existing code' }, 'edit w a -'],
  ['patch_file', { path: 'x.txt', patch: '@@ -1 +1 @@\n-a\n+b' }, 'patch w x.txt patch'],
  ['patch_file', { path: 'x.txt', patch: UNIFIED }, 'patch w x.txt patch'],
  ['apply_patch', UNIFIED, 'patch w x.txt patch'],
  ['apply_patch', 'nonsense', 'patch ?'],
  ['delete_file', { path: 'a' }, 'write w a delete'],
  ['move_file', { source: 'a', destination: 'b' }, 'write w a move w b patch'],
  ['mcp__fs__write_file', { path: 'a', content: 'x' }, 'write w a replace-all-content ?'],
  ['mcp__fs__read_file', { path: 'a' }, 'read r a'],
  ['Bash', 'cat notes.txt', 'shell $ cat notes.txt ?'],
  ['shell', { command: ['bash', '-lc', 'ls -la'] }, 'shell $ ls -la ?'],
  ['shell', { command: ['cat', 'a b'] }, "shell $ cat 'a b' ?"],
  ['local_shell', { action: { command: ['sh', '-c', 'ls'], working_directory: '/x' } }, 'shell $ ls ?'],
  ['run_commands', { commands: ['cd a', 'ls'] }, 'shell $ (\ncd a\n)\n(\nls\n) ?'],
  ['run_commands', { commands: [{ command: 'cat', args: ['a b'] }] }, "shell $ cat 'a b' ?"],
  ['write_stdin', { chars: 'rm x\n' }, 'shell ?'],
  ['some_tool', { path: 'a.ts' }, 'other w a.ts - ?'],
  ['some_tool', 'a.ts', 'other ?'],
  ['Edit', {}, 'edit ?'],
  ['Write', 17, 'write ?'],
  ['Read', { file_path: 'a\0b' }, 'read'],
];

for (const [tool, input, means] of CALLS) {
  test(`[CAP6b] ${tool} ${JSON.stringify(input)}`, () => expect(meaningOf(tool, input)).toBe(means));
}

test('[CAP6b] the folder of a command is kept', () => {
  expect(intentOf('exec_command', { cmd: 'ls', workdir: '/x' }).command).toEqual({ text: 'ls', cwd: '/x' });
});

test('[CAP6c] no input makes it fail', () => {
  const tool = fc.constantFrom(
    'Read',
    'Edit',
    'Write',
    'MultiEdit',
    'apply_patch',
    'Bash',
    'editor',
    'apply_diff',
    'x',
  );
  const field = fc.constantFrom(
    'path',
    'file_path',
    'command',
    'edits',
    'files',
    'offset',
    'view_range',
    'diff',
    'old_text',
  );
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constant(SEARCH),
    fc.constant(UNIFIED),
    fc.constant('*** Begin Patch\n*** End Patch'),
  );
  const input = fc.oneof(fc.anything(), fc.dictionary(field, value), fc.json());
  fc.assert(
    fc.property(tool, input, (name, given) => {
      for (const file of intentOf(name, given).files) expect(file.path).not.toBe('');
    }),
  );
});
