import type { ChangeJson, HunkJson } from '@palimpsest/protocol';

/** One thing to decide on: a hunk, or a change that has none. */
export type HunkPlace = {
  readonly change: ChangeJson;
  readonly hunk: HunkJson | null;
  /** The lines of its diff, with some unchanged ones around; each begins with its sign. */
  readonly lines: readonly string[];
};

const CONTEXT = 3;

/** What of a change waits for a verdict, each with its part of the patch, which is null where the bytes are not kept. */
export function placesIn(change: ChangeJson, patch: string | null): readonly HunkPlace[] {
  const hunks = change.hunks.filter(({ status }) => status === 'pending');
  if (patch === null || change.binary || hunks.length === 0) {
    const why = change.binary ? 'a binary file' : patch === null ? 'its bytes are not kept' : 'no lines changed';
    return [{ change, hunk: hunks.length === 1 ? hunks[0]! : null, lines: [` (${change.kind}: ${why})`] }];
  }
  const numbered = numberedLines(patch);
  return hunks.map((hunk) => ({ change, hunk, lines: linesOf(hunk, numbered) }));
}

/** A line of a patch, with the numbers of the lines before which it stands in either text. */
type Numbered = { readonly old: number; readonly new: number; readonly text: string };

function numberedLines(patch: string): readonly Numbered[] {
  const lines: Numbered[] = [];
  let place: { old: number; new: number } | null = null;
  for (const text of patch.replace(/\n$/, '').split('\n')) {
    const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
    if (header !== null) {
      const [, old, oldCount = '1', added, newCount = '1'] = header;
      place = { old: Number(old) + (oldCount === '0' ? 1 : 0), new: Number(added) + (newCount === '0' ? 1 : 0) };
    } else if (place !== null) {
      lines.push({ ...place, text });
      if (text[0] === ' ' || text[0] === '-') place.old += 1;
      if (text[0] === ' ' || text[0] === '+') place.new += 1;
    }
  }
  return lines;
}

function linesOf({ oldStart, oldLines, newStart, newLines }: HunkJson, lines: readonly Numbered[]): readonly string[] {
  // An empty side names the line before it.
  const [oldFrom, newFrom] = [oldLines === 0 ? oldStart + 1 : oldStart, newLines === 0 ? newStart + 1 : newStart];
  const isNear = (at: Numbered) =>
    (at.text[0] === '+' ? false : at.old >= oldFrom - CONTEXT && at.old < oldFrom + oldLines + CONTEXT) ||
    (at.text[0] === '-' ? false : at.new >= newFrom - CONTEXT && at.new < newFrom + newLines + CONTEXT);
  return lines.filter(isNear).map(({ text }) => text);
}
