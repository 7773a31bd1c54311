import type { PatchHunk } from './hunks.js';

const HEADER = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/** The hunk whose header is line `at`, and the line after it. Null unless exactly as many lines follow as it announces. */
export function readHunk(
  lines: readonly string[],
  at: number,
): { readonly hunk: PatchHunk; readonly next: number } | null {
  const numbers = HEADER.exec(lines[at] ?? '');
  if (numbers === null) return null;
  const [oldStart, oldLines, newStart, newLines] = numbers.slice(1).map((digits) => Number(digits ?? 1)) as Four;
  if ((oldStart === 0 && oldLines > 0) || (newStart === 0 && newLines > 0)) return null;
  const sides: Sides = { old: [], new: [] };
  /** The sides that the line before stands on. */
  let last: readonly Side[] = [];
  let next = at + 1;
  for (; sides.old.length < oldLines || sides.new.length < newLines || isNoNewlineMark(lines[next]); next++) {
    const line = lines[next];
    if (line === undefined) return null;
    if (isNoNewlineMark(line)) {
      if (last.length === 0 || last.some((side) => isCut(sides[side]))) return null;
      for (const side of last) sides[side].push(sides[side].pop()!.slice(0, -1));
      continue;
    }
    // Mail programs and editors take the lone space off an empty context line; git reads that too.
    const isBlank = line === '\n' || line === '\r\n';
    last = isBlank ? BOTH : (SIDES.get(line[0]!) ?? []);
    if (last.length === 0 || !line.endsWith('\n') || last.some((side) => isCut(sides[side]))) return null;
    for (const side of last) sides[side].push(isBlank ? line : line.slice(1));
    if (sides.old.length > oldLines || sides.new.length > newLines) return null;
  }
  const after = lines[next] ?? '';
  if (SIDES.has(after[0] ?? '') && !MAY_FOLLOW.test(after)) return null;
  return { hunk: { contexts: [], ...sides, line: oldStart }, next };
}

type Four = [number, number, number, number];
type Side = 'old' | 'new';
type Sides = Readonly<Record<Side, string[]>>;

const BOTH: readonly Side[] = ['old', 'new'];
const SIDES: ReadonlyMap<string, readonly Side[]> = new Map([
  [' ', BOTH],
  ['-', ['old']],
  ['+', ['new']],
]);
/** The next file's header, or the `-- ` that begins a mail's signature. */
const MAY_FOLLOW = /^---? /;

function isNoNewlineMark(line: string | undefined): boolean {
  return line?.startsWith('\\') === true;
}

/** Nothing can follow a line that has no newline. */
function isCut(side: readonly string[]): boolean {
  return side.length > 0 && !side.at(-1)!.endsWith('\n');
}
