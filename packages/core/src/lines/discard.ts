import { roughRoot } from './effort.js';

/** At least this many matches on the other side make a line "everywhere", however long the text is. */
const FREQUENT_LIMIT = 1024;
/** How far around a frequent line its neighbours are judged. */
const NEIGHBOUR_WINDOW = 100;
/** A frequent line goes when lines with no match outnumber frequent ones around it by more than this factor, less one. */
const FREQUENT_WEIGHT = 4;

const UNMATCHED = 0;
const MATCHED = 1;
const FREQUENT = 2;

/**
 * Which lines the search should look at. A line that the other side does not have is changed whatever the search finds, and a
 * line that is everywhere on the other side (a lone brace, a blank) amid such lines would only pull unrelated blocks
 * together. Leaving both out makes rewritten texts cheap. The rules are those of git's xdiff, because merges must align
 * repeated lines exactly as git does.
 *
 * Looks at lines `[from, to)` of one side; `otherCounts` has, per line number, how often the whole other side has it. Marks
 * the lines left out in `changed` and returns the indices of the others, ascending.
 */
export function discardLines(
  ids: Int32Array,
  from: number,
  to: number,
  otherCounts: Int32Array,
  changed: Uint8Array,
): Int32Array {
  const frequentFrom = Math.min(roughRoot(ids.length), FREQUENT_LIMIT);
  const standing = new Uint8Array(to - from);
  for (let i = from; i < to; i++) {
    const matches = otherCounts[ids[i]!]!;
    standing[i - from] = matches === 0 ? UNMATCHED : matches >= frequentFrom ? FREQUENT : MATCHED;
  }
  const kept = new Int32Array(to - from);
  let count = 0;
  for (let i = 0; i < standing.length; i++) {
    if (standing[i] === MATCHED || (standing[i] === FREQUENT && !standsAmidUnmatched(standing, i))) {
      kept[count++] = from + i;
    } else {
      changed[from + i] = 1;
    }
  }
  return kept.subarray(0, count);
}

function standsAmidUnmatched(standing: Uint8Array, at: number): boolean {
  const before = countRun(standing, at, -1, Math.max(0, at - NEIGHBOUR_WINDOW));
  if (before.unmatched === 0) return false;
  const after = countRun(standing, at, 1, Math.min(standing.length - 1, at + NEIGHBOUR_WINDOW));
  if (after.unmatched === 0) return false;
  const unmatched = before.unmatched + after.unmatched;
  // The line itself is counted once for each direction, as git does.
  const frequent = before.frequent + after.frequent + 2;
  return frequent * FREQUENT_WEIGHT < frequent + unmatched;
}

/** Counts the run of lines without a clear match that begins next to `at`, up to and including `last`. */
function countRun(standing: Uint8Array, at: number, step: 1 | -1, last: number) {
  let unmatched = 0;
  let frequent = 0;
  for (let i = at + step; step > 0 ? i <= last : i >= last; i += step) {
    if (standing[i] === UNMATCHED) unmatched++;
    else if (standing[i] === FREQUENT) frequent++;
    else break;
  }
  return { unmatched, frequent };
}
