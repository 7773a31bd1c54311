import { type Delta, type DeltaEdit, resultLines } from './delta.js';
import { concatBytes, equalBytes, lineCount, sliceLines, splitLines } from './text.js';

/** One delta for two in a row. Deltas that do not follow one another are a bug of the caller, and throw. */
export function composeDeltas(ab: Delta, bc: Delta): Delta {
  if (resultLines(ab) !== bc.baseLines) {
    throw new RangeError(`the first delta gives ${resultLines(ab)} lines, the second starts from ${bc.baseLines}`);
  }
  return { baseLines: ab.baseLines, edits: composeEdits(ab.edits, bc.edits) };
}

/**
 * The edits of two deltas in a row, a → b → c, as edits of a. Both are laid on the lines of the text b between them. Where
 * they touch they form one edit: it removes what the first removed, plus what the second removed of the lines that the first
 * left alone; and it inserts what the second inserted, plus what the second left of the first's insertions.
 */
function composeEdits(first: readonly DeltaEdit[], second: readonly DeltaEdit[]): readonly DeltaEdit[] {
  const firsts = placeAfter(first);
  const seconds = second.map((edit) => ({
    start: edit.start,
    end: edit.end,
    middle: edit.removed,
    outer: edit.inserted,
  }));
  const composed: DeltaEdit[] = [];
  let shift = 0;
  for (const cluster of clusterTouching(firsts, seconds)) {
    const removed = weave(cluster, cluster.firsts, cluster.seconds);
    const inserted = weave(cluster, cluster.seconds, cluster.firsts);
    const edit = trimCommonLines(cluster.start - shift, removed, inserted);
    if (edit !== null) composed.push(edit);
    for (const placed of cluster.firsts) shift += placed.end - placed.start - lineCount(placed.outer);
  }
  return composed;
}

/** An edit seen from the middle text: lines `[start, end)` there, whose bytes are `middle`, are `outer` in the other text. */
interface Placed {
  readonly start: number;
  readonly end: number;
  readonly middle: Uint8Array;
  readonly outer: Uint8Array;
}

/** Edits of both deltas that overlap or touch in the middle text. */
interface Cluster {
  readonly start: number;
  readonly end: number;
  readonly firsts: readonly Placed[];
  readonly seconds: readonly Placed[];
}

function placeAfter(edits: readonly DeltaEdit[]): readonly Placed[] {
  let shift = 0;
  return edits.map((edit) => {
    const start = edit.start + shift;
    const end = start + lineCount(edit.inserted);
    shift += end - start - (edit.end - edit.start);
    return { start, end, middle: edit.inserted, outer: edit.removed };
  });
}

function clusterTouching(firsts: readonly Placed[], seconds: readonly Placed[]): readonly Cluster[] {
  const clusters: Cluster[] = [];
  let f = 0;
  let s = 0;
  while (f < firsts.length || s < seconds.length) {
    const start = Math.min(firsts[f]?.start ?? Number.POSITIVE_INFINITY, seconds[s]?.start ?? Number.POSITIVE_INFINITY);
    const [firstFrom, secondFrom] = [f, s];
    let end = start;
    for (let grew = true; grew; ) {
      grew = false;
      for (; f < firsts.length && firsts[f]!.start <= end; f++, grew = true) end = Math.max(end, firsts[f]!.end);
      for (; s < seconds.length && seconds[s]!.start <= end; s++, grew = true) end = Math.max(end, seconds[s]!.end);
    }
    clusters.push({ start, end, firsts: firsts.slice(firstFrom, f), seconds: seconds.slice(secondFrom, s) });
  }
  return clusters;
}

/** The outer text of `edits` over the cluster; the lines that they leave alone are known from the other side's edits. */
function weave(cluster: Cluster, edits: readonly Placed[], others: readonly Placed[]): Uint8Array {
  const parts: Uint8Array[] = [];
  let done = cluster.start;
  for (const edit of edits) {
    parts.push(middleLines(others, done, edit.start));
    checkOverlap(edit, others);
    parts.push(edit.outer);
    done = edit.end;
  }
  parts.push(middleLines(others, done, cluster.end));
  return concatBytes(parts);
}

function middleLines(edits: readonly Placed[], from: number, to: number): Uint8Array {
  if (from === to) return NOTHING;
  const edit = edits.find((candidate) => candidate.start <= from && to <= candidate.end);
  if (edit === undefined) throw new RangeError('edits of a delta must not touch');
  return sliceLines(splitLines(edit.middle), from - edit.start, to - edit.start);
}

function checkOverlap(edit: Placed, others: readonly Placed[]): void {
  for (const other of others) {
    const from = Math.max(edit.start, other.start);
    const to = Math.min(edit.end, other.end);
    if (from < to && !equalBytes(middleLines([edit], from, to), middleLines([other], from, to))) {
      throw new RangeError(`the second delta removes lines at ${from} that the first did not leave there`);
    }
  }
}

function trimCommonLines(start: number, removed: Uint8Array, inserted: Uint8Array): DeltaEdit | null {
  const a = splitLines(removed);
  const b = splitLines(inserted);
  const limit = Math.min(a.count, b.count);
  const equal = (i: number, j: number) => equalBytes(sliceLines(a, i, i + 1), sliceLines(b, j, j + 1));
  let head = 0;
  while (head < limit && equal(head, head)) head++;
  let tail = 0;
  while (tail < limit - head && equal(a.count - 1 - tail, b.count - 1 - tail)) tail++;
  if (a.count === head + tail && b.count === head + tail) return null;
  return {
    start: start + head,
    end: start + a.count - tail,
    removed: sliceLines(a, head, a.count - tail).slice(),
    inserted: sliceLines(b, head, b.count - tail).slice(),
  };
}

const NOTHING = new Uint8Array(0);
