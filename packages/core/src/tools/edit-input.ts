import { LAST_LINE } from '../ranges.js';
import type { Effect, Replacement } from './effect.js';
import type { FileIntent } from './file-intent.js';
import { type Fields, fieldsOf, flagAt, listAt, numberAt, textAt } from './input.js';
import { filesOfPatch, parsePatch } from './patch.js';
import { parseSearchBlocks } from './search-blocks.js';

export function writeIntents(path: string, fields: Fields): readonly FileIntent[] {
  const text = textAt(
    fields,
    'content',
    'filetext',
    'contents',
    'text',
    'newtext',
    'newcontent',
    'newstr',
    'data',
    'body',
  );
  return [writing(path, text === undefined ? null : { kind: 'replace-all-content', text })];
}

/** Tools that insert count differently: Anthropic's after the line, the others before it, Roo's 0 meaning the end. */
export function insertIntents(path: string, fields: Fields, command: string | undefined): readonly FileIntent[] {
  const line = numberAt(fields, 'insertline', 'line', 'linenumber');
  const text = textAt(fields, 'inserttext', 'newstr', 'newtext', 'content', 'text');
  if (line === undefined || text === undefined || line < 0) return [writing(path, null)];
  const after = command === 'insert' ? line : line === 0 ? LAST_LINE : line - 1;
  return [writing(path, { kind: 'insert', line: after, text })];
}

export function editIntents(path: string, fields: Fields): readonly FileIntent[] {
  return [writing(path, effectOfEdit(fields))];
}

function effectOfEdit(fields: Fields): Effect | null {
  if (numberAt(fields, 'insertline') !== undefined) return insertIntents('', fields, undefined)[0]?.effect ?? null;
  const list = listAt(fields, 'edits', 'replacements', 'changes', 'operations');
  if (list !== undefined) return effectOfList(list.map((item) => replacementOf(fieldsOf(item))));
  const diff = textAt(fields, 'diff', 'patch');
  if (diff !== undefined) return effectOfDiff(diff);
  const one = replacementOf(fields);
  if (one !== null) return { kind: 'replace', edits: [one] };
  // Cline's editor makes a file from new text alone.
  const whole = hasOld(fields) ? undefined : textAt(fields, 'newtext', 'filetext', 'content');
  return whole === undefined ? null : { kind: 'replace-all-content', text: whole };
}

function effectOfList(edits: readonly (Replacement | null)[]): Effect | null {
  const known = edits.filter((edit) => edit !== null);
  return known.length === 0 || known.length < edits.length ? null : { kind: 'replace', edits: known };
}

function effectOfDiff(diff: string): Effect | null {
  const blocks = parseSearchBlocks(diff);
  if (blocks !== null) {
    return 'whole' in blocks
      ? { kind: 'replace-all-content', text: blocks.whole }
      : { kind: 'patch', hunks: blocks.hunks, ending: 'kept' };
  }
  const sections = parsePatch(diff);
  return sections?.length === 1 ? (filesOfPatch(sections)[0]?.effect ?? null) : null;
}

const OLD_NAMES = ['oldstring', 'oldstr', 'oldtext', 'old', 'search', 'oldcontent', 'find'] as const;

function hasOld(fields: Fields): boolean {
  return OLD_NAMES.some((name) => typeof fields.get(name) === 'string');
}

function replacementOf(fields: Fields): Replacement | null {
  const old = textAt(fields, ...OLD_NAMES);
  const fresh = textAt(fields, 'newstring', 'newstr', 'newtext', 'new', 'replace', 'replacement', 'newcontent');
  const vague = flagAt(fields, 'useregex', 'regex', 'ignorecase') || fields.has('startline') || fields.has('endline');
  if (old === undefined || vague) return null;
  // Anthropic's tool may leave out the new text of a removal.
  if (fresh === undefined && textAt(fields, 'command') !== 'str_replace') return null;
  return { old, new: fresh ?? '', all: replacesAll(fields) };
}

/** Roo's search tool (`search`) replaces every occurrence without being told. */
function replacesAll(fields: Fields): boolean {
  if (flagAt(fields, 'replaceall', 'all', 'allowmultiple', 'allowmultipleoccurrences')) return true;
  return (numberAt(fields, 'expectedreplacements') ?? 1) > 1 || typeof fields.get('search') === 'string';
}

function writing(path: string, effect: Effect | null): FileIntent {
  return { path, access: 'write', effect };
}
