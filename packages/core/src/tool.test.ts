import { describe, expect, test } from 'vitest';
import { canonicalTool } from './tool.js';

/** `names -> action name`; names are separated by commas. */
const TABLE = `
Read, read, read_file, read_files, read_many_files, view_image, mcp__filesystem__read_text_file -> read Read
Write, write, write_file, write_to_file, WRITE_FILE, writeFile, mcp__fs__write_file, fs__write_file -> write Write
Edit, MultiEdit, multiedit, replace, replace_in_file, editor, apply_diff, edit_file, search_and_replace -> edit Edit
str_replace_based_edit_tool, str_replace_editor, mcp__x__edit, mcp_x_edit, x.edit_file -> edit Edit
insert_content, insert_line -> edit Insert
NotebookEdit -> edit NotebookEdit
apply_patch, patch_file, functions.apply_patch -> patch Patch
Bash, bash, shell, local_shell, exec_command, run_shell_command, execute_command, run_commands -> shell Bash
functions.exec_command, container.exec -> shell Bash
write_stdin -> shell WriteStdin
Grep, grep, search_file_content, search_files -> search Grep
Glob, glob -> search Glob
LS, list, list_directory, list_files -> list List
WebFetch, webfetch -> fetch WebFetch
Agent, Task, task, new_task -> delegate Agent
TodoWrite, ToolSearch, update_plan, attempt_completion -> other Note
functions.exec -> other CodeMode
mcp__my__server__write_file, mcp_my_server_write_file, filesystem_write_file -> write Write`;

describe('tool names of all agents map to canonical ones', () => {
  for (const row of TABLE.trim().split('\n')) {
    const [names = '', meaning = ''] = row.split(' -> ');
    for (const spelling of names.split(', ')) {
      const [action, name] = meaning.split(' ');
      test(`[CAP6a] ${spelling} is ${meaning}`, () => expect(canonicalTool(spelling)).toEqual({ action, name }));
    }
  }
});

const UNKNOWN = [
  'mcp__probe__ws_checkpoint',
  'mcp_probe_ws_checkpoint',
  'probe_ws_checkpoint',
  'mark_as_read',
  '',
  '__',
  '.',
];

for (const name of [...UNKNOWN, 'constructor', '__proto__', `x_${'a_'.repeat(5000)}`]) {
  test(`[CAP6a] the unknown name ${JSON.stringify(name.slice(0, 30))} is kept`, () =>
    expect(canonicalTool(name)).toEqual({ action: 'other', name }));
}
