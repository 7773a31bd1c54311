import { unreachable } from '../outcome.js';
import { type LocatedTool, locateTool, type ToolAction } from '../tool.js';
import { editIntents, insertIntents, writeIntents } from './edit-input.js';
import type { Command, FileIntent } from './file-intent.js';
import { type Fields, fieldsOf, listAt, readInput, type ToolInput, textAt } from './input.js';
import { filesOfPatch, parsePatch } from './patch.js';
import { pathAt, pathFromText } from './path-input.js';
import { readIntents } from './read-input.js';
import { commandOf } from './shell-input.js';
import { parseBareHunks } from './unified-diff.js';

/** What a call is about to do, as far as its name and its input say. */
type Intent = {
  readonly action: ToolAction;
  /** The canonical name, as `canonicalTool` gives it. */
  readonly tool: string;
  readonly files: readonly FileIntent[];
  readonly command?: Command;
  /** True when the call may change files that `files` does not list. A command's files come from its syntax tree. */
  readonly opaque: boolean;
  /** What the call puts an end to that another call left running, by what the agent calls it. */
  readonly stops?: string;
};

export function intentOf(tool: string, input: unknown): Intent {
  const located = locateTool(tool);
  return intentOfInput(located, tool, readInput(input));
}

function intentOfInput(located: LocatedTool, spelling: string, input: ToolInput): Intent {
  const { action, name } = located;
  const silent = { action, tool: name, files: [], opaque: false };
  switch (action) {
    case 'read':
      return { ...silent, files: readIntents(spelling, input) };
    case 'write':
    case 'edit':
      return mutating(located, input);
    case 'patch':
      return patching(located, input);
    case 'shell': {
      const command = name === 'WriteStdin' ? null : commandOf(input);
      return command === null ? { ...silent, opaque: true } : { ...silent, command, opaque: true };
    }
    case 'search':
    case 'list':
    case 'fetch':
      return silent;
    case 'delegate':
      return { ...silent, opaque: true };
    case 'other':
      if (located.known && name === 'Stop') return stopping(silent, input);
      return located.known && name === 'Note' ? silent : { ...silent, files: namedFiles(input), opaque: true };
    default:
      return unreachable(action);
  }
}

function stopping(silent: Intent, input: ToolInput): Intent {
  const stops = input.kind === 'fields' ? textAt(input.fields, 'shellid', 'bashid', 'taskid', 'id') : undefined;
  return stops === undefined ? silent : { ...silent, stops };
}

/** A server's tool of a known name may well do more than its name says. */
function mutating(located: LocatedTool, input: ToolInput): Intent {
  const { action, name: tool, foreign } = located;
  const fields = input.kind === 'fields' ? input.fields : new Map<string, unknown>();
  const command = tool === 'Edit' ? textAt(fields, 'command') : undefined;
  if (command === 'view') return { action: 'read', tool: 'Read', files: readIntents(tool, input), opaque: false };
  const files = input.kind === 'text' ? bareFile(input.text) : filesOfMutation(tool, fields, command);
  const settled: ToolAction = command === 'create' ? 'write' : action;
  return { action: settled, tool: command === 'create' ? 'Write' : tool, files, opaque: foreign || files.length === 0 };
}

function filesOfMutation(tool: string, fields: Fields, command: string | undefined): readonly FileIntent[] {
  if (tool === 'Move') return moveIntents(fields);
  const path = pathAt(fields);
  if (path === undefined) return [];
  if (tool === 'Delete') return [{ path, access: 'write', effect: { kind: 'delete' } }];
  if (tool === 'NotebookEdit' || command === 'undo_edit') return [{ path, access: 'write', effect: null }];
  if (tool === 'Write' || command === 'create') return writeIntents(path, fields);
  if (tool === 'Insert' || command === 'insert') return insertIntents(path, fields, command);
  return editIntents(path, fields);
}

function moveIntents(fields: Fields): readonly FileIntent[] {
  const from = textAt(fields, 'source', 'from', 'oldpath', 'sourcepath', 'src');
  const to = textAt(fields, 'destination', 'to', 'newpath', 'destinationpath', 'target', 'dest');
  if (from === undefined || to === undefined) return [];
  return [
    { path: from, access: 'write', effect: { kind: 'move', to } },
    { path: to, access: 'write', effect: { kind: 'patch', hunks: [], ending: 'exact', from } },
  ];
}

function patching(located: LocatedTool, input: ToolInput): Intent {
  const { action, name: tool, foreign } = located;
  const fields = input.kind === 'fields' ? input.fields : new Map<string, unknown>();
  const text =
    input.kind === 'text'
      ? input.text
      : textAt(fields, 'command', 'patch', 'patchtext', 'input', 'diff', 'content', 'text');
  const files = text === undefined ? [] : patchedFiles(text, pathAt(fields));
  return { action, tool, files, opaque: foreign || files.length === 0 };
}

function patchedFiles(text: string, beside: string | undefined): readonly FileIntent[] {
  const sections = parsePatch(text);
  if (sections !== null && (beside === undefined || sections.length !== 1)) {
    return filesOfPatch(sections).map(({ path, effect }) => ({ path, access: 'write', effect }));
  }
  if (beside === undefined) return [];
  const hunks = parseBareHunks(text);
  const effect = hunks === null ? null : ({ kind: 'patch', hunks, ending: 'exact' } as const);
  const only = sections === null ? undefined : filesOfPatch(sections)[0]?.effect;
  return [{ path: beside, access: 'write', effect: effect ?? only ?? null }];
}

function bareFile(text: string): readonly FileIntent[] {
  const path = pathFromText(text);
  return path === undefined ? [] : [{ path, access: 'write', effect: null }];
}

/** An unknown tool may write the files it names: their bytes are worth securing. Plain text names nothing. */
function namedFiles(input: ToolInput): readonly FileIntent[] {
  if (input.kind !== 'fields') return [];
  const named = [pathAt(input.fields)];
  for (const item of listAt(input.fields, 'files', 'paths', 'items') ?? []) {
    named.push(typeof item === 'string' ? undefined : pathAt(fieldsOf(item)));
  }
  const paths = named.filter((path) => path !== undefined);
  return [...new Set(paths)].map((path) => ({ path, access: 'write', effect: null }));
}
