/**
 * A text as lines over its bytes. A line runs up to and including its LF, so CRLF keeps its CR, a lone CR is an ordinary
 * byte, and only the last line may lack a terminator. Nothing is decoded: joining all lines gives the bytes back exactly.
 */
export interface Lines {
  readonly bytes: Uint8Array;
  readonly count: number;
  /** `count + 1` offsets: line i is `bytes[starts[i], starts[i + 1])`. */
  readonly starts: Uint32Array;
}

/** Git looks for a NUL in this many leading bytes; agreeing with it keeps our "binary" the same as the user's. */
const BINARY_PROBE_BYTES = 8000;

/** Lines are mostly longer than 32 bytes; the table grows where they are not. */
const TYPICAL_LINE_BITS = 5;
const SPARE_LINES = 16;

const LF = 0x0a;
const CR = 0x0d;

export function splitLines(bytes: Uint8Array): Lines {
  let starts = new Uint32Array((bytes.length >> TYPICAL_LINE_BITS) + SPARE_LINES);
  let count = 0;
  for (let end = bytes.indexOf(LF); end >= 0; end = nextTerminator(bytes, end + 1)) {
    // One place stays free for a last line without a terminator.
    if (count + 2 >= starts.length) starts = enlarged(starts);
    starts[++count] = end + 1;
  }
  if (bytes.length > 0 && bytes[bytes.length - 1] !== LF) starts[++count] = bytes.length;
  return { bytes, count, starts: starts.subarray(0, count + 1) };
}

/** How many lines the bytes hold, without building the offset table. */
export function lineCount(bytes: Uint8Array): number {
  return countTerminators(bytes) + (isTerminated(bytes) ? 0 : 1);
}

/** The bytes of lines `[from, to)`, as a view on the text, not a copy. */
export function sliceLines(lines: Lines, from: number, to: number): Uint8Array {
  return lines.bytes.subarray(lines.starts[from], lines.starts[to]);
}

/** Whether another line may follow these bytes; true of no bytes at all. */
export function isTerminated(bytes: Uint8Array): boolean {
  return bytes.length === 0 || bytes[bytes.length - 1] === LF;
}

/** What line `index` ends with, or `none` for a last line without a terminator. */
export function terminatorOf(lines: Lines, index: number): 'lf' | 'crlf' | 'none' {
  const start = lines.starts[index]!;
  const end = lines.starts[index + 1]!;
  if (lines.bytes[end - 1] !== LF) return 'none';
  return end - start > 1 && lines.bytes[end - 2] === CR ? 'crlf' : 'lf';
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Two texts without the whole lines that both begin with, and those that both end with. */
export function differingLines(a: Uint8Array, b: Uint8Array): readonly [Uint8Array, Uint8Array] {
  const shorter = Math.min(a.length, b.length);
  let same = 0;
  while (same < shorter && a[same] === b[same]) same++;
  const from = same === 0 ? 0 : a.lastIndexOf(LF, same - 1) + 1;
  let alike = 0;
  while (alike < shorter - from && a[a.length - 1 - alike] === b[b.length - 1 - alike]) alike++;
  // The line in which the ends begin to be alike may begin otherwise.
  const line = a.indexOf(LF, a.length - alike);
  const end = line < 0 ? 0 : a.length - line - 1;
  return [a.subarray(from, a.length - end), b.subarray(from, b.length - end)];
}

export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, BINARY_PROBE_BYTES).includes(0);
}

function countTerminators(bytes: Uint8Array): number {
  let count = 0;
  for (let end = bytes.indexOf(LF); end >= 0; end = nextTerminator(bytes, end + 1)) count++;
  return count;
}

/** The built-in search is several times faster than a loop, but its call costs too much for every empty line. */
function nextTerminator(bytes: Uint8Array, from: number): number {
  return bytes[from] === LF ? from : bytes.indexOf(LF, from);
}

/** The same numbers with as much room again. */
export function enlarged(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}
