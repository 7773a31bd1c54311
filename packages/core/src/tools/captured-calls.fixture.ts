/**
 * The inputs of tool calls as the hooks of the real programs delivered them, reduced to name and input, with what each is
 * about to do: `r path[:from-to]`, `w path effect`, `$ command`, `?` for an opaque call.
 */
export type CapturedCall = {
  readonly agent: string;
  readonly tool: string;
  readonly input: unknown;
  readonly means: string;
};

const APPEND = 'echo from-bash >> hello.txt && cat hello.txt';
const CODEX_PATCH =
  '*** Begin Patch\n*** Update File: src/app.js\n@@\n export function add(a, b) {\n-  return a - b\n+  return a + b\n }\n' +
  '*** Add File: NEW.md\n+# new file\n*** End Patch\n';
const OPENCODE_PATCH =
  '*** Begin Patch\n*** Update File: f1.txt\n@@\n-one\n+uno\n*** Add File: NEW.md\n+hi\n*** End Patch';

export const CAPTURED_CALLS: readonly CapturedCall[] = [
  { agent: 'claude', tool: 'Read', input: { file_path: '/repo/src/app.js' }, means: 'read r /repo/src/app.js' },
  {
    agent: 'claude',
    tool: 'Edit',
    input: {
      file_path: '/repo/src/app.js',
      old_string: 'return a - b',
      new_string: 'return a + b',
      replace_all: false,
    },
    means: 'edit w /repo/src/app.js replace',
  },
  {
    agent: 'claude',
    tool: 'Write',
    input: { file_path: '/repo/NEW.md', content: '# new file\n' },
    means: 'write w /repo/NEW.md replace-all-content',
  },
  { agent: 'claude', tool: 'Bash', input: { command: APPEND, description: 'append' }, means: `shell $ ${APPEND} ?` },
  {
    agent: 'claude',
    tool: 'Agent',
    input: { description: 'read file', prompt: 'read f1', subagent_type: 'general-purpose' },
    means: 'delegate ?',
  },
  { agent: 'claude', tool: 'ToolSearch', input: { query: 'select:x', max_results: 3 }, means: 'other' },
  { agent: 'claude', tool: 'mcp__probe__ws_checkpoint', input: { label: 'before-edit' }, means: 'other ?' },
  { agent: 'codex', tool: 'Bash', input: { command: 'cat src/app.js' }, means: 'shell $ cat src/app.js ?' },
  {
    agent: 'codex',
    tool: 'apply_patch',
    input: { command: CODEX_PATCH },
    means: 'patch w src/app.js patch w NEW.md replace-all-content',
  },
  { agent: 'codex', tool: 'mcp__probe__ws_checkpoint', input: { label: 'x' }, means: 'other ?' },
  { agent: 'opencode', tool: 'read', input: { filePath: '/repo/src/app.js' }, means: 'read r /repo/src/app.js' },
  {
    agent: 'opencode',
    tool: 'edit',
    input: { filePath: '/repo/src/app.js', oldString: 'return a - b', newString: 'return a + b' },
    means: 'edit w /repo/src/app.js replace',
  },
  {
    agent: 'opencode',
    tool: 'write',
    input: { filePath: '/repo/NEW.md', content: '# new file\n' },
    means: 'write w /repo/NEW.md replace-all-content',
  },
  {
    agent: 'opencode',
    tool: 'bash',
    input: { command: `${APPEND}; echo env=$X` },
    means: `shell $ ${APPEND}; echo env=$X ?`,
  },
  {
    agent: 'opencode',
    tool: 'apply_patch',
    input: { patchText: OPENCODE_PATCH },
    means: 'patch w f1.txt patch w NEW.md replace-all-content',
  },
  { agent: 'opencode', tool: 'grep', input: { pattern: 'two' }, means: 'search' },
  { agent: 'opencode', tool: 'probe_ws_checkpoint', input: { label: 'x' }, means: 'other ?' },
  { agent: 'opencode', tool: 'palimpsest_pal_read', input: { path: 'f1.txt' }, means: 'read r f1.txt' },
  {
    agent: 'opencode',
    tool: 'palimpsest_pal_edit',
    input: { path: 'f1.txt', old_string: 'one', new_string: '1' },
    means: 'edit w f1.txt replace ?',
  },
  { agent: 'gemini', tool: 'read_file', input: { file_path: 'src/app.js' }, means: 'read r src/app.js' },
  {
    agent: 'gemini',
    tool: 'replace',
    input: { file_path: 'src/app.js', instruction: 'fix', old_string: '  return a - b', new_string: '  return a + b' },
    means: 'edit w src/app.js replace',
  },
  {
    agent: 'gemini',
    tool: 'write_file',
    input: { file_path: 'NEW.md', content: '# new file\n' },
    means: 'write w NEW.md replace-all-content',
  },
  {
    agent: 'gemini',
    tool: 'run_shell_command',
    input: { command: APPEND, description: 'append' },
    means: `shell $ ${APPEND} ?`,
  },
  { agent: 'gemini', tool: 'mcp_probe_ws_checkpoint', input: { label: 'x' }, means: 'other ?' },
  {
    agent: 'cline',
    tool: 'read_files',
    input: { files: [{ path: '/repo/src/app.js' }] },
    means: 'read r /repo/src/app.js',
  },
  {
    agent: 'cline, legacy parameters',
    tool: 'read_files',
    input: { files: '[{"path":"/repo/src/app.js"}]' },
    means: 'read r /repo/src/app.js',
  },
  {
    agent: 'cline',
    tool: 'editor',
    input: { path: '/repo/src/app.js', old_text: 'return a - b', new_text: 'return a + b' },
    means: 'edit w /repo/src/app.js replace',
  },
  { agent: 'cline', tool: 'run_commands', input: { commands: [APPEND] }, means: `shell $ ${APPEND} ?` },
  {
    agent: 'cline, legacy parameters',
    tool: 'run_commands',
    input: { commands: JSON.stringify([APPEND]) },
    means: `shell $ ${APPEND} ?`,
  },
  { agent: 'cline', tool: 'probe__ws_checkpoint', input: { label: 'x' }, means: 'other ?' },
];
