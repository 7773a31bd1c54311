import { NumberedDiff } from './diff.js';
import { DEFAULT_EFFORT } from './effort.js';
import { LineTable } from './intern.js';
import { findRegions, type Region } from './regions.js';
import { concatBytes, equalBytes, isTerminated, type Lines, sliceLines, splitLines, terminatorOf } from './text.js';
import { encodeUtf8 } from './utf8.js';

/**
 * Three-way merge by lines, with the verdicts and the bytes of `git merge-file`.
 *
 * Laws: a side that did not change anything gives way to the other (`merge(a, a, b)` and `merge(a, b, a)` are `b`); equal
 * sides merge to themselves; exchanging the sides changes neither the verdict nor a clean result. Bytes that are not text
 * (see `isBinary`) are merged by lines all the same: whether that makes sense is for the caller to say.
 */
export type MergeResult =
  | { readonly kind: 'clean'; readonly bytes: Uint8Array }
  | { readonly kind: 'conflict'; readonly chunks: readonly MergeChunk[] };

type MergeChunk = { readonly kind: 'same'; readonly bytes: Uint8Array } | ConflictChunk;

/** Replacing each conflict by its `ours`, or each by its `theirs`, gives that side with the other's clean changes merged in. */
interface ConflictChunk {
  readonly kind: 'conflict';
  /**
   * The base lines that both sides replaced. Where lines common to both sides split one overlap into several conflicts, the
   * first has all of them, since they belong to no part in particular.
   */
  readonly base: Uint8Array;
  readonly ours: Uint8Array;
  readonly theirs: Uint8Array;
  /** How the lines around the conflict end, and so how marker lines should. */
  readonly terminator: 'lf' | 'crlf';
}

interface ConflictLabels {
  readonly ours: string;
  readonly theirs: string;
}

const MARKER_LENGTH = 7;

export function mergeLines(base: Uint8Array, ours: Uint8Array, theirs: Uint8Array): MergeResult {
  if (equalBytes(base, ours) || equalBytes(ours, theirs)) return { kind: 'clean', bytes: theirs };
  if (equalBytes(base, theirs)) return { kind: 'clean', bytes: ours };
  const texts: ThreeTexts = { base: splitLines(base), ours: splitLines(ours), theirs: splitLines(theirs) };
  const table = new LineTable(texts.base.count + LIKELY_NEW_LINES);
  const baseIds = table.intern(texts.base);
  const oursIds = table.intern(texts.ours);
  const theirsIds = table.intern(texts.theirs);
  const diff = new NumberedDiff(table.size, DEFAULT_EFFORT);
  const oursEdits = diff.walk(baseIds, oursIds);
  const theirsEdits = diff.walk(baseIds, theirsIds);
  const regions = findRegions({ diff, lines: texts.ours, oursIds, theirsIds, oursEdits, theirsEdits });
  const chunks = collectChunks(regions, texts);
  if (chunks.some((chunk) => chunk.kind === 'conflict')) return { kind: 'conflict', chunks };
  // What is the same on both sides is one chunk, or none.
  return { kind: 'clean', bytes: chunks[0]?.kind === 'same' ? chunks[0].bytes : NOTHING };
}

/** The text with conflict markers, as `git merge-file -p` prints it. */
export function renderConflict(chunks: readonly MergeChunk[], labels: ConflictLabels): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const chunk of chunks) {
    if (chunk.kind === 'same') {
      parts.push(chunk.bytes);
      continue;
    }
    const end = chunk.terminator === 'crlf' ? '\r\n' : '\n';
    parts.push(encodeUtf8(`${'<'.repeat(MARKER_LENGTH)} ${labels.ours}${end}`));
    parts.push(...terminated(chunk.ours, end));
    parts.push(encodeUtf8(`${'='.repeat(MARKER_LENGTH)}${end}`));
    parts.push(...terminated(chunk.theirs, end));
    parts.push(encodeUtf8(`${'>'.repeat(MARKER_LENGTH)} ${labels.theirs}${end}`));
  }
  return concatBytes(parts);
}

interface ThreeTexts {
  readonly base: Lines;
  readonly ours: Lines;
  readonly theirs: Lines;
}

/** Sizes the table for sides that mostly repeat the base; it grows when they do not. */
const LIKELY_NEW_LINES = 1024;
const NOTHING = new Uint8Array(0);

function collectChunks(regions: readonly Region[], texts: ThreeTexts): readonly MergeChunk[] {
  const chunks: MergeChunk[] = [];
  // All that is the same goes into one array, of which the chunks are parts.
  const same = new Uint8Array(sameLength(regions, texts));
  let filled = 0;
  let flushed = 0;
  const add = (lines: Lines, from: number, to: number) => {
    if (from === to) return;
    same.set(sliceLines(lines, from, to), filled);
    filled += lengthOf(lines, from, to);
  };
  const flush = () => {
    if (filled > flushed) chunks.push({ kind: 'same', bytes: same.subarray(flushed, filled) });
    flushed = filled;
  };
  // Whatever no region speaks of is equal on both sides, or changed by ours alone, and so is taken from ours.
  let done = 0;
  for (const region of regions) {
    if (region.verdict === 'ours') continue;
    add(texts.ours, done, region.oursStart);
    done = region.oursEnd;
    if (region.verdict === 'theirs') {
      add(texts.theirs, region.theirsStart, region.theirsEnd);
      continue;
    }
    flush();
    chunks.push({
      kind: 'conflict',
      base: sliceLines(texts.base, region.baseStart, region.baseEnd),
      ours: sliceLines(texts.ours, region.oursStart, region.oursEnd),
      theirs: sliceLines(texts.theirs, region.theirsStart, region.theirsEnd),
      terminator: markerTerminator(region, texts),
    });
  }
  add(texts.ours, done, texts.ours.count);
  flush();
  return chunks;
}

/** How many bytes the chunks without conflict have together. */
function sameLength(regions: readonly Region[], { ours, theirs }: ThreeTexts): number {
  let length = ours.bytes.length;
  for (const { verdict, oursStart, oursEnd, theirsStart, theirsEnd } of regions) {
    if (verdict !== 'ours') length -= lengthOf(ours, oursStart, oursEnd);
    if (verdict === 'theirs') length += lengthOf(theirs, theirsStart, theirsEnd);
  }
  return length;
}

function lengthOf(lines: Lines, from: number, to: number): number {
  return lines.starts[to]! - lines.starts[from]!;
}

/** CRLF only if the base begins with it and neither side has LF before the conflict. */
function markerTerminator(region: Region, texts: ThreeTexts): 'lf' | 'crlf' {
  const hasCrlf =
    terminatorNear(texts.base, 0) === 'crlf' &&
    terminatorNear(texts.ours, Math.max(0, region.oursStart - 1)) !== 'lf' &&
    terminatorNear(texts.theirs, Math.max(0, region.theirsStart - 1)) !== 'lf';
  return hasCrlf ? 'crlf' : 'lf';
}

/** How a line ends; a last line without a terminator is judged by the one before it. */
function terminatorNear(lines: Lines, index: number): 'lf' | 'crlf' | 'none' {
  if (lines.count === 0) return 'none';
  const own = terminatorOf(lines, index);
  return own === 'none' && index > 0 ? terminatorOf(lines, index - 1) : own;
}

function terminated(bytes: Uint8Array, end: string): readonly Uint8Array[] {
  return isTerminated(bytes) ? [bytes] : [bytes, encodeUtf8(end)];
}
