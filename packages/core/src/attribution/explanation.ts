import { equalBytes } from '../lines/text.js';
import { type Effect, effectGives, effectOn, undoEffect } from '../tools/effect.js';

/**
 * What a call that named a file has to do with what became of it. `split`: part of it is proven to be the call's and
 * the rest is not; `middle` is the text between the two, and `first` says whose part comes first. `unclear`: the call says
 * that it wrote, and nothing of what it was to write is there: somebody wrote over it, or it did something else.
 */
export type Explanation =
  | { readonly kind: 'proven' }
  | { readonly kind: 'likely' }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'unclear' }
  | { readonly kind: 'split'; readonly middle: Uint8Array; readonly first: 'foreign' | 'call' };

/** What is known of the call's own end; `running` while nothing is. */
export type CallOutcome = 'ok' | 'failed' | 'running';

/**
 * `effect` is null for a tool whose effect cannot be computed: then naming the file is all that speaks for it.
 *
 * A formatter that runs along with the tool leaves a text that is the same but for spacing and punctuation: still one
 * change of that call. Text that is neither that nor the tool's is somebody else's, and is split off where it can be.
 */
export function explain(
  effect: Effect | null,
  before: Uint8Array | null,
  after: Uint8Array | null,
  outcome: CallOutcome,
): Explanation {
  if (effect === null) return outcome === 'failed' ? FOREIGN : LIKELY;
  if (effectGives(effect, before, after)) return PROVEN;
  if (after === null) return FOREIGN;
  const expected = effectOn(effect, before);
  if (expected instanceof Uint8Array && sameButForFormat(expected, after)) return LIKELY;
  if (outcome === 'running' && isHalfWritten(effect, before, after)) return LIKELY;
  const without = undoEffect(effect, after);
  if (without !== 'unproven') {
    // An empty file that an edit is made in was seen in the middle of being written: it is no base to tell people's text.
    return before !== null && (before.length === 0 || sameButForFormat(without, before))
      ? LIKELY
      : { kind: 'split', middle: without, first: 'foreign' };
  }
  if (expected instanceof Uint8Array && shareLines(expected, after, before)) {
    return { kind: 'split', middle: expected, first: 'call' };
  }
  if (outcome !== 'ok') return FOREIGN;
  return expected instanceof Uint8Array ? UNCLEAR : LIKELY;
}

/** Seen in the middle of being written: the beginning of what the effect makes of `before`. */
export function isHalfWritten(effect: Effect, before: Uint8Array | null, after: Uint8Array): boolean {
  const expected = effectOn(effect, before);
  return expected instanceof Uint8Array && isBeginning(after, expected);
}

const PROVEN: Explanation = { kind: 'proven' };
const LIKELY: Explanation = { kind: 'likely' };
const UNCLEAR: Explanation = { kind: 'unclear' };
const FOREIGN: Explanation = { kind: 'foreign' };

function isBeginning(part: Uint8Array, whole: Uint8Array): boolean {
  return part.length < whole.length && equalBytes(part, whole.subarray(0, part.length));
}

/** Equal once spacing, and what formatters add and take away, is left out. */
export function sameButForFormat(a: Uint8Array, b: Uint8Array): boolean {
  return equalBytes(withoutFormat(a), withoutFormat(b));
}

function withoutFormat(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte) => byte > 0x20 && !FORMAT_BYTES.has(byte));
}

const FORMAT_BYTES: ReadonlySet<number> = new Set(Array.from(',;()\'"`', (char) => char.charCodeAt(0)));

/** Whether `after` has a line that the call was to bring and that was not there before. */
function shareLines(expected: Uint8Array, after: Uint8Array, before: Uint8Array | null): boolean {
  const had = linesOf(before ?? new Uint8Array(0));
  const has = linesOf(after);
  for (const line of linesOf(expected)) if (!had.has(line) && has.has(line)) return true;
  return false;
}

function linesOf(bytes: Uint8Array): Set<string> {
  const lines = new Set<string>();
  let line = '';
  for (const byte of bytes) {
    if (byte !== 0x0a) {
      line += String.fromCharCode(byte);
      continue;
    }
    if (line.trim() !== '') lines.add(line);
    line = '';
  }
  if (line.trim() !== '') lines.add(line);
  return lines;
}
