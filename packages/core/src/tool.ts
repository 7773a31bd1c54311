/** What a tool does, whatever its agent calls it. */
export type ToolAction =
  | 'read'
  | 'write'
  | 'edit'
  | 'patch'
  | 'shell'
  | 'search'
  | 'list'
  | 'fetch'
  | 'delegate'
  | 'other';

/** `name` is the one name for all spellings of a known tool; a tool that is not known keeps the name it came with. */
type CanonicalTool = { readonly action: ToolAction; readonly name: string };

/** `foreign`: the name carried a server's prefix. `known`: the table below has it, so what it may touch is known too. */
export type LocatedTool = CanonicalTool & { readonly foreign: boolean; readonly known: boolean };

export function canonicalTool(name: string): CanonicalTool {
  const { action, name: canonical } = locateTool(name);
  return { action, name: canonical };
}

export function locateTool(name: string): LocatedTool {
  const whole = TABLE.get(keyOf(name));
  if (whole !== undefined) return { ...whole, foreign: false, known: true };
  for (const inner of innerNames(name.slice(0, NAME_LENGTH_LIMIT))) {
    const found = TABLE.get(keyOf(inner));
    if (found !== undefined) return { ...found, foreign: !OWN_PREFIX.test(name), known: true };
  }
  return { action: 'other', name, foreign: false, known: false };
}

/** Names longer than this are nobody's tool; looking for an inner name in them would cost for nothing. */
const NAME_LENGTH_LIMIT = 256;

/** Prefixes with which an agent addresses its own tools rather than a server's. */
const OWN_PREFIX = /^(functions|default_api|tools?)[./:]/i;

/**
 * What a name may hide behind a server's prefix, the longest first: `mcp__server__tool`, `server__tool`,
 * `server.tool`, `mcp_server_tool`. Behind a single underscore and without `mcp` only a name of two words counts:
 * `files_read_file` reads a file, `mark_as_read` does not.
 */
function innerNames(name: string): readonly string[] {
  const inner: string[] = [];
  for (let at = name.indexOf('__'); at >= 0; at = name.indexOf('__', at + 1)) inner.push(name.slice(at + 2));
  for (const separator of ['.', '/', ':']) {
    const at = name.lastIndexOf(separator);
    if (at >= 0) inner.push(name.slice(at + 1));
  }
  const ofServer = /^mcp[_-]/i.test(name);
  for (let at = name.search(/[_-]/); at >= 0 && at < name.length; at = nextSeparator(name, at)) {
    const rest = name.slice(at + 1);
    if (ofServer || /[a-z0-9][_-][a-z0-9]/i.test(rest)) inner.push(rest);
  }
  return inner;
}

function nextSeparator(name: string, after: number): number {
  const next = name.slice(after + 1).search(/[_-]/);
  return next < 0 ? -1 : after + 1 + next;
}

/** `read_file`, `readFile`, `Read-File` and `READ FILE` are one name. */
function keyOf(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

/**
 * Every known spelling by canonical name. `Note` stands for the tools that only steer the agent, and `Stop` for those
 * that end what runs in the background: they touch no file.
 */
const SPELLINGS: readonly (readonly [ToolAction, string, string])[] = [
  [
    'read',
    'Read',
    'read, read_file, read_files, read_many_files, read_multiple_files, read_text_file, read_media_file, fs_read, ' +
      'view, view_file, view_image, notebook_read, get_file_contents, cat, open_file, pal_read',
  ],
  ['write', 'Write', 'write, write_file, write_to_file, create_file, new_file, save_file, fs_write, create, pal_write'],
  ['write', 'Delete', 'delete_file, remove_file, delete'],
  ['write', 'Move', 'move_file, rename_file, move, rename'],
  [
    'edit',
    'Edit',
    'edit, multi_edit, edit_file, replace, replace_in_file, str_replace, str_replace_editor, editor, apply_diff, ' +
      'str_replace_based_edit_tool, search_and_replace, search_replace, replace_string_in_file, text_editor, patch_edit, ' +
      'pal_edit',
  ],
  ['edit', 'Insert', 'insert_content, insert_line, insert_lines, insert_edit'],
  ['edit', 'NotebookEdit', 'notebook_edit, edit_notebook, edit_notebook_file'],
  ['patch', 'Patch', 'apply_patch, patch, patch_file, apply_unified_diff'],
  [
    'shell',
    'Bash',
    'bash, shell, shell_command, local_shell, local_shell_call, exec_command, exec, unified_exec, container.exec, ' +
      'execute_command, execute_bash, run_command, run_commands, run_shell_command, run_terminal_cmd, ' +
      'run_in_terminal, run_terminal_command, terminal, power_shell, sh, zsh',
  ],
  ['shell', 'WriteStdin', 'write_stdin, send_input'],
  [
    'search',
    'Grep',
    'grep, grep_search, search_file_content, search_files, ripgrep, rg, codebase_search, search_code, search, ' +
      'search_codebase, grep_files',
  ],
  ['search', 'Glob', 'glob, file_search, find_files, glob_files, glob_search'],
  [
    'list',
    'List',
    'ls, list, list_dir, list_directory, list_files, list_code_definition_names, directory_tree, tree, ' +
      'list_directory_with_sizes, list_allowed_directories, get_file_info',
  ],
  ['fetch', 'WebFetch', 'web_fetch, fetch, fetch_url, fetch_web_content, browser_action, url_fetch'],
  ['fetch', 'WebSearch', 'web_search, google_web_search, search_web'],
  ['delegate', 'Agent', 'agent, task, new_task, spawn_agent, subagent, use_subagents, delegate, delegate_to_agent'],
  ['other', 'CodeMode', 'functions.exec'],
  ['other', 'Stop', 'kill_shell, kill_bash, task_stop'],
  [
    'other',
    'Note',
    'todo_write, todo_read, todo, update_todo_list, update_plan, tool_search, ask_user_question, question, ' +
      'ask_followup_question, ask_question, attempt_completion, submit_and_exit, switch_mode, plan_mode_respond, ' +
      'enter_plan_mode, exit_plan_mode, bash_output, task_output, skill, skills, ' +
      'create_directory, list_mcp_resources, read_mcp_resource, wait, think, request_user_input, write_todos',
  ],
];

const TABLE: ReadonlyMap<string, CanonicalTool> = new Map(
  SPELLINGS.flatMap(([action, name, spellings]) =>
    spellings.split(', ').map((spelling) => [keyOf(spelling), { action, name }] as const),
  ),
);
