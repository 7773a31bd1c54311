import type { FilePatch, PatchHunk as ParsedHunk, PatchLine } from '../lines/patch.js';
import { parseUnified } from '../lines/patch-parse.js';
import { decodeUtf8, encodeUtf8 } from '../lines/utf8.js';
import type { PatchHunk } from './hunks.js';
import type { PatchSection } from './patch-section.js';

/** Unified diffs as `diff -u` and git write them; null for text that is none. */
export function parseUnifiedDiff(text: string): readonly PatchSection[] | null {
  if (!text.includes('--- ') && !text.includes('diff --git ')) return null;
  const parsed = parseUnified(encodeUtf8(text));
  return parsed.ok ? parsed.value.map(sectionOf) : null;
}

/** The hunks of a diff that may lack file headers, for tools that name the file beside the diff. */
export function parseBareHunks(text: string): readonly PatchHunk[] | null {
  const start = text.search(/^@@ -/m);
  if (start < 0) return null;
  const ended = text.endsWith('\n') ? text.slice(start) : `${text.slice(start)}\n`;
  const parsed = parseUnified(encodeUtf8(`--- a/file\n+++ b/file\n${ended}`));
  return parsed.ok ? (parsed.value[0]?.hunks.map(hunkOf) ?? null) : null;
}

function sectionOf(file: FilePatch): PatchSection {
  const path = file.oldPath ?? file.newPath ?? '';
  const hunks = file.binary ? null : file.hunks.map(hunkOf);
  const update = { kind: 'update', path, ending: 'exact', hunks } as const;
  if (file.kind === 'delete') return { kind: 'delete', path };
  if (file.kind === 'create' && hunks !== null)
    return { kind: 'add', path, text: hunks.flatMap((hunk) => hunk.new).join('') };
  if (file.newPath === null || file.newPath === path) return update;
  // `--- a.orig` beside `+++ a` names one file twice, unless git says that it moved.
  if (file.kind === 'modify' || file.kind === 'create') return { ...update, path: file.newPath };
  return { ...update, moveTo: file.newPath, ...(file.kind === 'copy' ? { copy: true as const } : {}) };
}

function hunkOf(hunk: ParsedHunk): PatchHunk {
  const side = (leftOut: PatchLine['kind']) => hunk.lines.filter((line) => line.kind !== leftOut).map(textOf);
  return { contexts: [], old: side('added'), new: side('removed'), line: hunk.oldStart };
}

/** The bytes were made from text a moment ago, so they are UTF-8. */
function textOf(line: PatchLine): string {
  return decodeUtf8(line.bytes) ?? '';
}
