import type { PatchHunk, PatchLine } from './patch.js';
import { isTerminated, type Lines, sliceLines } from './text.js';

/** A hunk and the line after it, or what is wrong with which line; lines count from 0 here. */
export type ReadHunk =
  | { readonly kind: 'hunk'; readonly hunk: PatchHunk; readonly next: number }
  | { readonly kind: 'malformed'; readonly line: number; readonly reason: string };

const HEADER = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/** Reads the hunk whose header is line `at`, with the text `header`. Exactly as many lines must follow as it announces. */
export function readHunk(lines: Lines, at: number, header: string): ReadHunk {
  const numbers = HEADER.exec(header);
  if (numbers === null) return { kind: 'malformed', line: at, reason: 'not a hunk header' };
  const [oldStart, oldLines, newStart, newLines] = numbers.slice(1).map((digits) => Number(digits ?? 1)) as Four;
  if ((oldStart === 0 && oldLines > 0) || (newStart === 0 && newLines > 0)) {
    return { kind: 'malformed', line: at, reason: 'lines count from 1' };
  }
  const read: PatchLine[] = [];
  const left = { old: oldLines, new: newLines };
  let next = at + 1;
  while (left.old > 0 || left.new > 0 || isNoNewlineMark(lines, next)) {
    if (next >= lines.count) return { kind: 'malformed', line: next, reason: 'the hunk ends too early' };
    const reason = isNoNewlineMark(lines, next) ? markUnterminated(read) : takeLine(lines, next, read, left);
    if (reason !== null) return { kind: 'malformed', line: next, reason };
    next++;
  }
  const surplus = bodyKind(lines, next);
  if (surplus !== null && !mayFollow(lines, next)) {
    return { kind: 'malformed', line: next, reason: 'the hunk has more lines than its header says' };
  }
  return { kind: 'hunk', hunk: { oldStart, oldLines, newStart, newLines, lines: read }, next };
}

type Four = [number, number, number, number];

const PLUS = 0x2b;
const MINUS = 0x2d;
const SPACE = 0x20;
const LF = 0x0a;
const CR = 0x0d;
const BACKSLASH = 0x5c;

function takeLine(lines: Lines, at: number, read: PatchLine[], left: { old: number; new: number }): string | null {
  const kind = bodyKind(lines, at);
  const whole = sliceLines(lines, at, at + 1);
  if (kind === null && !isBlank(whole)) return 'expected a line that begins with a space, + or -';
  if (!isTerminated(whole)) return 'the line is cut off';
  // Mail programs and editors take the lone space off an empty context line; git reads that too.
  const line: PatchLine = kind === null ? { kind: 'context', bytes: whole } : { kind, bytes: whole.subarray(1) };
  if (line.kind !== 'added' && left.old-- === 0) return 'more old lines than the header says';
  if (line.kind !== 'removed' && left.new-- === 0) return 'more new lines than the header says';
  if (read.some((earlier) => !isTerminated(earlier.bytes) && sharesSide(earlier, line))) {
    return 'a line follows one that has no newline';
  }
  read.push(line);
  return null;
}

function markUnterminated(read: PatchLine[]): string | null {
  const last = read.at(-1);
  if (last === undefined || !isTerminated(last.bytes)) return 'no line that could lack its newline';
  read[read.length - 1] = { kind: last.kind, bytes: last.bytes.subarray(0, -1) };
  return null;
}

function bodyKind(lines: Lines, at: number): PatchLine['kind'] | null {
  if (at >= lines.count) return null;
  const first = lines.bytes[lines.starts[at]!];
  return first === SPACE ? 'context' : first === PLUS ? 'added' : first === MINUS ? 'removed' : null;
}

/** The next file's header, or the `-- ` that begins a mail's signature. */
function mayFollow(lines: Lines, at: number): boolean {
  const text = sliceLines(lines, at, at + 1);
  return text[0] === MINUS && text[1] === MINUS && (text[2] === SPACE || (text[2] === MINUS && text[3] === SPACE));
}

function isNoNewlineMark(lines: Lines, at: number): boolean {
  return at < lines.count && lines.bytes[lines.starts[at]!] === BACKSLASH;
}

function isBlank(line: Uint8Array): boolean {
  return line[0] === LF || (line[0] === CR && line[1] === LF);
}

function sharesSide(a: PatchLine, b: PatchLine): boolean {
  return a.kind === 'context' || b.kind === 'context' || a.kind === b.kind;
}
