import { charsWithin, type TokenScale, textTokens } from '../conversation/tokens.js';
import type { LineRange } from '../ranges.js';

/** A part of a text that keeps to a budget, and which of the lines it was given are in it. */
export type Cut = { readonly text: string; readonly lines: readonly LineRange[] };

/** How much of what there is room for goes to the beginning; the end has the rest. */
const HEAD_SHARE = 2 / 3;

/**
 * These lines of a text, all of them or head and tail; where lines are left out, a line says which. `lines` are those of the
 * whole text, by number from 1; `wanted` ascend and do not overlap. Null when not even a line fits.
 */
export function cutLines(
  lines: readonly string[],
  wanted: readonly LineRange[],
  tokens: number,
  scale: TokenScale,
): Cut | null {
  const numbers = wanted.flatMap(({ from, to }) =>
    Array.from({ length: Math.max(0, Math.min(to, lines.length) - from + 1) }, (_, at) => from + at),
  );
  if (numbers.length === 0) return null;
  if (isWithinReach(lines, numbers, tokens)) {
    const whole = told(lines, numbers);
    if (textTokens(whole, scale) <= tokens) return { text: whole, lines: rangesOf(numbers) };
  }
  // The most lines for which head and tail still fit; what tells of the gap counts too.
  let [low, high] = [0, Math.min(numbers.length - 1, tokens)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (
      isWithinReach(lines, ends(numbers, middle), tokens) &&
      textTokens(told(lines, ends(numbers, middle)), scale) <= tokens
    )
      low = middle;
    else high = middle - 1;
  }
  if (low === 0) return cutOneLine(lines, numbers[0]!, tokens, scale);
  const kept = ends(numbers, low);
  const text = told(lines, kept);
  return textTokens(text, scale) <= tokens ? { text, lines: rangesOf(kept) } : null;
}

/** Without counting tokens: a text with more characters than this for each is beyond any scale. */
function isWithinReach(lines: readonly string[], numbers: readonly number[], tokens: number): boolean {
  let room = tokens * MOST_CHARS_PER_TOKEN;
  return numbers.every((number) => {
    room -= lines[number - 1]!.length;
    return room >= 0;
  });
}

const MOST_CHARS_PER_TOKEN = 40;

/** A line that is longer than all the room: its beginning, which does not count as having seen the line. */
function cutOneLine(lines: readonly string[], number: number, tokens: number, scale: TokenScale): Cut | null {
  const line = lines[number - 1]!;
  const room = tokens - textTokens(CUT_LINE, scale);
  const chars = room <= 0 ? 0 : charsWithin(line.slice(0, LONGEST_LINE), room, scale);
  return chars < SHORTEST_PIECE ? null : { text: `${line.slice(0, chars)}${CUT_LINE}`, lines: [] };
}

const CUT_LINE = ' [line cut here]\n';
const LONGEST_LINE = 20_000;
const SHORTEST_PIECE = 40;

function ends(numbers: readonly number[], count: number): readonly number[] {
  const head = Math.ceil(count * HEAD_SHARE);
  return [...numbers.slice(0, head), ...numbers.slice(numbers.length - (count - head))];
}

function told(lines: readonly string[], numbers: readonly number[]): string {
  let text = '';
  let before = 0;
  for (const number of numbers) {
    if (number > before + 1) text += gapText(before + 1, number - 1);
    const line = lines[number - 1]!;
    // The end of a line is no part of what it says: tools that show files to models leave out the CR too.
    text += `${line.replace(/\r?\n$/, '')}\n`;
    before = number;
  }
  return before < lines.length ? text + gapText(before + 1, lines.length) : text;
}

function gapText(from: number, to: number): string {
  return from === to ? `[line ${from} not shown]\n` : `[lines ${from}-${to} not shown]\n`;
}

function rangesOf(numbers: readonly number[]): readonly LineRange[] {
  const ranges: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last?.to === number - 1) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  return ranges;
}

/** A unified diff up to the last hunk that fits, and a line that says how much is left out. Null when nothing of it fits. */
export function cutDiff(diff: string, tokens: number, scale: TokenScale): string | null {
  if (diff === '') return null;
  if (textTokens(diff, scale) <= tokens) return diff;
  const lines = diff.slice(0, LONGEST_DIFF).match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const starts = lines.flatMap((line, at) => (line.startsWith('@@') || line.startsWith('diff --git ') ? [at] : []));
  let room = tokens - textTokens(REST, scale);
  let fits = 0;
  for (; fits < lines.length && room >= 0; fits++) room -= textTokens(lines[fits]!, scale);
  if (room < 0) fits -= 1;
  const whole = starts.filter((at) => at <= fits && at > (starts.at(0) ?? 0)).at(-1) ?? 0;
  const kept = whole > 0 && lines.slice(0, whole).some((line) => line.startsWith('@@')) ? whole : fits;
  if (kept < FEWEST_DIFF_LINES) return null;
  const text = `${lines.slice(0, kept).join('')}${REST.replace('N', String(countLinesIn(diff) - kept))}`;
  return textTokens(text, scale) <= tokens ? text : null;
}

const REST = '[N more lines of this diff are left out]\n';
const LONGEST_DIFF = 400_000;
const FEWEST_DIFF_LINES = 5;

function countLinesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return text.endsWith('\n') ? count : count + 1;
}
