import { failed, type Outcome, ok } from '../outcome.js';
import type { FilePatch, PatchHunk, PatchLine } from './patch.js';
import { concatBytes, equalBytes, isTerminated, type Lines, sliceLines, splitLines } from './text.js';

/** Why a patch was not applied; `hunk` counts from 0. The text is untouched in every case. */
export type PatchRefusal =
  | { readonly code: 'context-not-found'; readonly hunk: number }
  /** Not at its place, and in more than one other place. */
  | { readonly code: 'context-ambiguous'; readonly hunk: number }
  | { readonly code: 'unterminated'; readonly hunk: number }
  | { readonly code: 'file-exists' | 'file-missing' | 'text-left-over' | 'binary' };

/**
 * The new text, or null for no file. A hunk is applied where the patch says, or else at the only place that has its context
 * and removed lines exactly; there is no fuzz. After one hunk was found elsewhere the stated places are no longer
 * believed, and every further hunk must be the only one of its kind.
 */
export function applyPatch(patch: FilePatch, text: Uint8Array | null): Outcome<Uint8Array | null, PatchRefusal> {
  if (patch.binary) return failed({ code: 'binary' });
  if (patch.kind === 'create') {
    if (text !== null) return failed({ code: 'file-exists' });
    return applyHunks(patch.hunks, NOTHING);
  }
  if (text === null) return failed({ code: 'file-missing' });
  const applied = applyHunks(patch.hunks, text);
  if (patch.kind !== 'delete' || !applied.ok) return applied;
  return applied.value.length === 0 ? ok(null) : failed({ code: 'text-left-over' });
}

export function applyHunks(hunks: readonly PatchHunk[], text: Uint8Array): Outcome<Uint8Array, PatchRefusal> {
  const lines = splitLines(text);
  const parts: Uint8Array[] = [];
  let done = 0;
  let moved = false;
  for (const [index, hunk] of hunks.entries()) {
    const old = hunk.lines.filter((line) => line.kind !== 'added');
    const stated = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    const found = locate(old, lines, done, moved ? null : stated);
    if (typeof found !== 'number') return failed({ code: found, hunk: index });
    moved ||= found !== stated;
    const before = sliceLines(lines, done, found);
    const after = concatBytes(hunk.lines.filter((line) => line.kind !== 'removed').map((line) => line.bytes));
    done = found + old.length;
    const runsOn = !isTerminated(after) && done < lines.count;
    if (runsOn || (!isTerminated(before) && after.length > 0)) return failed({ code: 'unterminated', hunk: index });
    parts.push(before, after);
  }
  parts.push(sliceLines(lines, done, lines.count));
  return ok(concatBytes(parts));
}

const NOTHING = new Uint8Array(0);

/** `stated` is null when the place that the patch names is not to be relied on. */
function locate(
  old: readonly PatchLine[],
  lines: Lines,
  from: number,
  stated: number | null,
): number | 'context-not-found' | 'context-ambiguous' {
  if (stated !== null && stated >= from && matchesAt(old, lines, stated)) return stated;
  // Nothing to recognise the place by.
  if (old.length === 0) return 'context-not-found';
  let found: number | null = null;
  for (let at = from; at + old.length <= lines.count; at++) {
    if (!matchesAt(old, lines, at)) continue;
    if (found !== null) return 'context-ambiguous';
    found = at;
  }
  return found ?? 'context-not-found';
}

function matchesAt(old: readonly PatchLine[], lines: Lines, at: number): boolean {
  if (at + old.length > lines.count) return false;
  return old.every((line, i) => equalBytes(line.bytes, sliceLines(lines, at + i, at + i + 1)));
}
