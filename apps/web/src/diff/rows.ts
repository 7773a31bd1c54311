import type { ChangeJson, HunkJson } from '@palimpsest/protocol';
import type { FileText } from './file-text.js';

/** What stands below each other in the diff of one change. Line numbers are 1-based, as in unified diffs. */
export type Row =
  | { readonly kind: 'hunk'; readonly hunk: HunkJson }
  | { readonly kind: 'same'; readonly old: number; readonly new: number; readonly text: string }
  | (OfHunk & { readonly kind: 'removed'; readonly old: number })
  | (OfHunk & { readonly kind: 'added'; readonly new: number })
  | { readonly kind: 'fold'; readonly from: number; readonly lines: number }
  | { readonly kind: 'open-end'; readonly side: 'old' | 'new' };

/** `beside`: the line of the other text that stands in its place, if there is one. */
type OfHunk = { readonly text: string; readonly hunk: HunkJson; readonly beside: string | null };

const CONTEXT = 3;

/**
 * The rows of a change from the texts that the daemon sent and the hunks that it found; nothing is compared here. Unchanged
 * lines further away than a few are folded, but for the folds that are in `opened` by the line of the new text they begin at.
 */
export function rowsOf(
  { hunks }: Pick<ChangeJson, 'hunks'>,
  before: FileText,
  after: FileText,
  opened: ReadonlySet<number> = new Set(),
): readonly Row[] {
  const rows: Row[] = [];
  // The next line of each text that is not shown yet.
  let [oldNext, newNext] = [1, 1];
  const unchangedUpTo = (newEnd: number, place: 'first' | 'between' | 'last') => {
    const lines = newEnd - newNext;
    const [head, tail] = [place === 'first' ? 0 : CONTEXT, place === 'last' ? 0 : CONTEXT];
    const hidden = lines - head - tail;
    for (let index = 0; index < lines; index += 1) {
      if (hidden > 1 && index === head && !opened.has(newNext + head)) {
        rows.push({ kind: 'fold', from: newNext + head, lines: hidden });
        index += hidden - 1;
        continue;
      }
      const text = after.lines[newNext + index - 1] ?? '';
      rows.push({ kind: 'same', old: oldNext + index, new: newNext + index, text });
    }
    oldNext += lines;
    newNext += lines;
  };
  const last = hunks.length - 1;
  for (const [index, hunk] of hunks.entries()) {
    unchangedUpTo(firstLine(hunk.newStart, hunk.newLines), index === 0 ? 'first' : 'between');
    rows.push({ kind: 'hunk', hunk });
    const oldAt = (line: number) => before.lines[oldNext + line - 1] ?? '';
    const newAt = (line: number) => after.lines[newNext + line - 1] ?? '';
    for (let line = 0; line < hunk.oldLines; line += 1) {
      const beside = line < hunk.newLines ? newAt(line) : null;
      rows.push({ kind: 'removed', old: oldNext + line, text: oldAt(line), hunk, beside });
    }
    const removedAt = oldNext;
    oldNext += hunk.oldLines;
    if (hunk.oldLines > 0 && before.endsOpen && oldNext > before.lines.length)
      rows.push({ kind: 'open-end', side: 'old' });
    for (let line = 0; line < hunk.newLines; line += 1) {
      const beside = line < hunk.oldLines ? (before.lines[removedAt + line - 1] ?? '') : null;
      rows.push({ kind: 'added', new: newNext + line, text: newAt(line), hunk, beside });
    }
    newNext += hunk.newLines;
    if (hunk.newLines > 0 && after.endsOpen && newNext > after.lines.length)
      rows.push({ kind: 'open-end', side: 'new' });
    if (index === last) unchangedUpTo(after.lines.length + 1, 'last');
  }
  return rows;
}

/** An empty side names the line before it, as unified diffs do. */
function firstLine(start: number, lines: number): number {
  return lines === 0 ? start + 1 : start;
}

/** How many rows a change will have about, before its texts are here. */
export function estimatedRows({ hunks }: Pick<ChangeJson, 'hunks'>): number {
  return hunks.reduce((sum, hunk) => sum + 1 + hunk.oldLines + hunk.newLines + 2 * CONTEXT + 1, 1);
}
