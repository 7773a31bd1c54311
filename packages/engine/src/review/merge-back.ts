import {
  type ContentId,
  concatBytes,
  type FileChange,
  type FileVersion,
  type HunkId,
  indexOfHunk,
  isBinary,
  mergeLines,
  sameVersion,
  sliceLines,
  splitLines,
} from '@palimpsest/core';
import type { Texts } from './texts.js';

/** A version as bytes; null is no file. */
export type Body = { readonly bytes: Uint8Array; readonly mode: FileVersion['mode'] } | null;

/**
 * Takes one change out of a file by a three-way merge of what it left, what is there and what it found. For changes
 * whose place in the file's history is not known any more; `conflict` when the three do not merge.
 */
export async function mergeBack(
  file: FileChange,
  hunks: readonly HunkId[] | null,
  present: { readonly version: FileVersion | null; readonly body: Body },
  texts: Texts,
): Promise<{ readonly body: Body } | 'conflict' | 'missing'> {
  const before = await bodyOf(file.before, texts);
  const after = await bodyOf(file.after, texts);
  if (before === 'missing' || after === 'missing') return 'missing';
  if (file.fromPath !== undefined) return 'conflict';
  if (hunks === null && sameVersion(present.version, file.after)) return { body: before };
  if (before === null || after === null || present.body === null) return 'conflict';
  if ([before, after, present.body].some((body) => isBinary(body.bytes))) return 'conflict';
  const theirs = hunks === null ? before.bytes : withoutHunks(file, hunks, before.bytes, after.bytes);
  const merged = mergeLines(after.bytes, present.body.bytes, theirs);
  if (merged.kind === 'conflict') return 'conflict';
  const revertMode = hunks === null && present.body.mode === after.mode;
  return { body: { bytes: merged.bytes, mode: revertMode ? before.mode : present.body.mode } };
}

export async function bodyOf(version: FileVersion | null, texts: Texts): Promise<Body | 'missing'> {
  if (version === null) return null;
  const lines = await texts.lines(version.content as ContentId);
  return lines === null ? 'missing' : { bytes: lines.bytes, mode: version.mode };
}

/** What the change left, with some of its hunks taken back. */
function withoutHunks(file: FileChange, hunks: readonly HunkId[], before: Uint8Array, after: Uint8Array): Uint8Array {
  const reverted = new Set(hunks.map(indexOfHunk));
  const old = splitLines(before);
  const now = splitLines(after);
  const parts: Uint8Array[] = [];
  let done = 0;
  file.spans.forEach((span, index) => {
    if (!reverted.has(index)) return;
    const newFrom = span.newLines === 0 ? span.newStart : span.newStart - 1;
    const oldFrom = span.oldLines === 0 ? span.oldStart : span.oldStart - 1;
    parts.push(sliceLines(now, done, newFrom), sliceLines(old, oldFrom, oldFrom + span.oldLines));
    done = newFrom + span.newLines;
  });
  parts.push(sliceLines(now, done, now.count));
  return concatBytes(parts);
}
