import type { FileMode } from '../file.js';
import { type LineSpan, newIndexOf, oldIndexOf, spanBetween } from '../span.js';
import { diffSplitLines } from './diff.js';
import { quoteName } from './patch-name.js';
import { concatBytes, isTerminated, type Lines, sliceLines, splitLines } from './text.js';
import { encodeUtf8 } from './utf8.js';

/** One side of a file's change; null stands for a file that is not there. */
interface UnifiedSide {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mode?: FileMode;
}

const DEFAULT_CONTEXT_LINES = 3;

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
  const hunks = hunksOf(diffSplitLines(a, b), a.count, context);
  const extended = extendedHeader(before, after);
  if (hunks.length === 0 && extended.length === 0) return NOTHING;
  const left = `a/${(before ?? after)?.path}`;
  const right = `b/${(after ?? before)?.path}`;
  const header = [`diff --git ${quoteName(left)} ${quoteName(right)}`, ...extended];
  if (hunks.length > 0) {
    header.push(`--- ${before === null ? '/dev/null' : nameLine(left)}`);
    header.push(`+++ ${after === null ? '/dev/null' : nameLine(right)}`);
  }
  return concatBytes([
    encodeUtf8(header.map((line) => `${line}\n`).join('')),
    ...hunks.flatMap((hunk) => formatHunk(hunk, a, b)),
  ]);
}

/** Spans that stand in one hunk of a unified diff, and all lines that the hunk covers with its context. */
type UnifiedHunk = { readonly spans: readonly LineSpan[]; readonly covered: LineSpan };

/** Spans whose contexts, of `context` unchanged lines on each side, would touch or overlap share a hunk. */
export function hunksOf(spans: readonly LineSpan[], oldLines: number, context: number): readonly UnifiedHunk[] {
  const groups: LineSpan[][] = [];
  for (const span of spans) {
    const group = groups.at(-1);
    if (group !== undefined && oldIndexOf(span) - oldEndOf(group.at(-1)!) <= 2 * context) group.push(span);
    else groups.push([span]);
  }
  return groups.map((group) => {
    const [first, last] = [group[0]!, group.at(-1)!];
    const above = Math.min(context, oldIndexOf(first));
    const below = Math.min(context, oldLines - oldEndOf(last));
    const oldFrom = oldIndexOf(first) - above;
    const newFrom = newIndexOf(first) - above;
    const newTo = newIndexOf(last) + last.newLines + below;
    return { spans: group, covered: spanBetween(oldFrom, oldEndOf(last) + below, newFrom, newTo) };
  });
}

function oldEndOf(span: LineSpan): number {
  return oldIndexOf(span) + span.oldLines;
}

export function formatHunkHeader(hunk: LineSpan): string {
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

function formatHunk({ covered, spans }: UnifiedHunk, a: Lines, b: Lines): readonly Uint8Array[] {
  const parts: Uint8Array[] = [encodeUtf8(`${formatHunkHeader(covered)}\n`)];
  let done = oldIndexOf(covered);
  for (const span of spans) {
    const [removed, added] = [oldIndexOf(span), newIndexOf(span)];
    addLines(parts, ' ', a, done, removed);
    done = oldEndOf(span);
    addLines(parts, '-', a, removed, done);
    addLines(parts, '+', b, added, added + span.newLines);
  }
  addLines(parts, ' ', a, done, oldEndOf(covered));
  return parts;
}

function addLines(parts: Uint8Array[], sign: ' ' | '-' | '+', lines: Lines, from: number, to: number): void {
  const mark = encodeUtf8(sign);
  for (let i = from; i < to; i++) {
    const line = sliceLines(lines, i, i + 1);
    parts.push(mark, line);
    if (!isTerminated(line)) parts.push(encodeUtf8(NO_NEWLINE));
  }
}
