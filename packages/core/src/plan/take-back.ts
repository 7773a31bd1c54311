import type { FileMode } from '../file.js';
import { mergeLines } from '../lines/merge.js';
import { equalBytes, isBinary } from '../lines/text.js';

/** A file with its bytes; null is no file. */
export type FileText = { readonly bytes: Uint8Array; readonly mode: FileMode } | null;

/**
 * The file without what the stretch did to it, everything else kept. Laws: taking back from the state right after gives
 * the state right before, byte for byte; taking back twice is the same as once.
 */
export function takeBack(now: FileText, before: FileText, after: FileText): FileText | 'conflict' {
  if (sameText(now, after)) return before;
  if (sameText(now, before)) return now;
  // Somebody removed the file, and with it all that was done to it.
  if (now === null) return after === null ? before : null;
  if (before === null || after === null) return 'conflict';
  const mode = now.mode === after.mode ? before.mode : now.mode;
  if (equalBytes(before.bytes, after.bytes)) return { bytes: now.bytes, mode };
  const texts = [now, before, after];
  if (texts.some((text) => text.mode === '120000' || isBinary(text.bytes))) {
    return equalBytes(now.bytes, after.bytes) ? { bytes: before.bytes, mode } : 'conflict';
  }
  const merged = mergeLines(after.bytes, now.bytes, before.bytes);
  return merged.kind === 'clean' ? { bytes: merged.bytes, mode } : 'conflict';
}

function sameText(a: FileText, b: FileText): boolean {
  if (a === null || b === null) return a === b;
  return a.mode === b.mode && equalBytes(a.bytes, b.bytes);
}
