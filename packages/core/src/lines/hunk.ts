import type { LineSpan } from '../file.js';
import type { LineEdit } from './diff.js';

/** Where a hunk stands, 1-based as in unified diffs; an empty side starts at the line before, which may be line 0. */
export type LineHunk = LineSpan;

/** Edits that share one hunk, and the lines that the hunk covers with its context. */
export interface EditGroup {
  readonly edits: readonly LineEdit[];
  readonly covered: LineEdit;
}

/** Hunks with `context` unchanged lines around each; 0, as records want it, gives one hunk per edit. */
export function hunksOf(edits: readonly LineEdit[], oldLines: number, context: number): readonly LineHunk[] {
  return groupEdits(edits, oldLines, context).map((group) => hunkOf(group.covered));
}

/** Edits whose contexts would touch or overlap stand in one group. */
export function groupEdits(edits: readonly LineEdit[], oldLines: number, context: number): readonly EditGroup[] {
  const groups: LineEdit[][] = [];
  for (const edit of edits) {
    const last = groups.at(-1);
    if (last !== undefined && edit.oldStart - last.at(-1)!.oldEnd <= 2 * context) last.push(edit);
    else groups.push([edit]);
  }
  return groups.map((group) => ({ edits: group, covered: cover(group, oldLines, context) }));
}

export function hunkOf(covered: LineEdit): LineHunk {
  const oldLines = covered.oldEnd - covered.oldStart;
  const newLines = covered.newEnd - covered.newStart;
  return {
    oldStart: oldLines === 0 ? covered.oldStart : covered.oldStart + 1,
    oldLines,
    newStart: newLines === 0 ? covered.newStart : covered.newStart + 1,
    newLines,
  };
}

function cover(group: readonly LineEdit[], oldLines: number, context: number): LineEdit {
  const first = group[0]!;
  const last = group.at(-1)!;
  const before = Math.min(context, first.oldStart);
  const after = Math.min(context, oldLines - last.oldEnd);
  return {
    oldStart: first.oldStart - before,
    oldEnd: last.oldEnd + after,
    newStart: first.newStart - before,
    newEnd: last.newEnd + after,
  };
}
