import type { FileMode } from '../file.js';
import { diffSplitLines, type LineEdit } from './diff.js';
import { type EditGroup, groupEdits, hunkOf, type LineHunk } from './hunk.js';
import { quoteName } from './patch-name.js';
import { concatBytes, isTerminated, type Lines, sliceLines, splitLines } from './text.js';
import { encodeUtf8 } from './utf8.js';

/** One side of a file's change; null stands for a file that is not there. */
export interface UnifiedSide {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mode?: FileMode;
}

export const DEFAULT_CONTEXT_LINES = 3;

/**
 * A patch in git's form, which `git apply` and `parseUnified` read. The lines stand in it byte for byte, so a CR before the LF
 * stays, and the patch of a text that is not UTF-8 is not UTF-8. No bytes if nothing differs.
 */
export function formatUnified(
  before: UnifiedSide | null,
  after: UnifiedSide | null,
  context: number = DEFAULT_CONTEXT_LINES,
): Uint8Array {
  const a = splitLines(before?.bytes ?? NOTHING);
  const b = splitLines(after?.bytes ?? NOTHING);
  const groups = groupEdits(diffSplitLines(a, b), a.count, context);
  const extended = extendedHeader(before, after);
  if (groups.length === 0 && extended.length === 0) return NOTHING;
  const left = `a/${(before ?? after)?.path}`;
  const right = `b/${(after ?? before)?.path}`;
  const header = [`diff --git ${quoteName(left)} ${quoteName(right)}`, ...extended];
  if (groups.length > 0) {
    header.push(`--- ${before === null ? '/dev/null' : nameLine(left)}`);
    header.push(`+++ ${after === null ? '/dev/null' : nameLine(right)}`);
  }
  return concatBytes([
    encodeUtf8(header.map((line) => `${line}\n`).join('')),
    ...groups.flatMap((group) => formatGroup(group, a, b)),
  ]);
}

export function formatHunkHeader(hunk: LineHunk): string {
  const side = (start: number, lines: number) => (lines === 1 ? `${start}` : `${start},${lines}`);
  return `@@ -${side(hunk.oldStart, hunk.oldLines)} +${side(hunk.newStart, hunk.newLines)} @@`;
}

const NOTHING = new Uint8Array(0);
const DEFAULT_MODE: FileMode = '100644';
const NO_NEWLINE = '\n\\ No newline at end of file\n';

function extendedHeader(before: UnifiedSide | null, after: UnifiedSide | null): readonly string[] {
  if (before === null) return after === null ? [] : [`new file mode ${after.mode ?? DEFAULT_MODE}`];
  if (after === null) return [`deleted file mode ${before.mode ?? DEFAULT_MODE}`];
  const lines: string[] = [];
  const [oldMode, newMode] = [before.mode ?? DEFAULT_MODE, after.mode ?? DEFAULT_MODE];
  if (oldMode !== newMode) lines.push(`old mode ${oldMode}`, `new mode ${newMode}`);
  if (before.path !== after.path) {
    lines.push(`rename from ${quoteName(before.path)}`, `rename to ${quoteName(after.path)}`);
  }
  return lines;
}

/** Readers take a name to end at white space unless a tab ends it, as GNU diff and git have it. */
function nameLine(name: string): string {
  const quoted = quoteName(name);
  return quoted.includes(' ') && !quoted.startsWith('"') ? `${quoted}\t` : quoted;
}

function formatGroup(group: EditGroup, a: Lines, b: Lines): readonly Uint8Array[] {
  const parts: Uint8Array[] = [encodeUtf8(`${formatHunkHeader(hunkOf(group.covered))}\n`)];
  let done = group.covered.oldStart;
  for (const edit of group.edits) {
    addLines(parts, ' ', a, done, edit.oldStart);
    addEdit(parts, edit, a, b);
    done = edit.oldEnd;
  }
  addLines(parts, ' ', a, done, group.covered.oldEnd);
  return parts;
}

function addEdit(parts: Uint8Array[], edit: LineEdit, a: Lines, b: Lines): void {
  addLines(parts, '-', a, edit.oldStart, edit.oldEnd);
  addLines(parts, '+', b, edit.newStart, edit.newEnd);
}

function addLines(parts: Uint8Array[], sign: ' ' | '-' | '+', lines: Lines, from: number, to: number): void {
  const mark = encodeUtf8(sign);
  for (let i = from; i < to; i++) {
    const line = sliceLines(lines, i, i + 1);
    parts.push(mark, line);
    if (!isTerminated(line)) parts.push(encodeUtf8(NO_NEWLINE));
  }
}
