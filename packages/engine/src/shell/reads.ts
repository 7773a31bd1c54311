import { LAST_LINE, type LineRange } from '@palimpsest/core';
import { hasOption, optionValue, parseOptions } from './options.js';
import { parseSed, rangesPrinted } from './sed.js';
import type { Argument } from './words.js';

/** Lines of one file on their way through a pipe. `files`: where the file may be, when the folder is not certain. */
export type Stream = { readonly files: readonly string[]; readonly lines?: LineRange; readonly numbered?: true };

type StreamStep = {
  readonly name: string;
  readonly args: readonly Argument[];
  /** What comes in through standard input. */
  readonly input: readonly Stream[];
  /** The file that an operand names, or null where that is not known. */
  readonly open: (operand: Argument) => Stream | null;
};

/**
 * The lines of files that a command passes on to its standard output unchanged. Anything that this does not recognise
 * passes on nothing: a read that is not seen costs the agent a second look, a read wrongly seen costs the truth.
 */
export function streamsThrough(step: StreamStep): readonly Stream[] {
  const passer = PASSERS.get(step.name);
  return passer === undefined ? [] : passer(step);
}

const PASSERS: ReadonlyMap<string, (step: StreamStep) => readonly Stream[]> = new Map([
  ['cat', throughCat],
  ['head', throughHead],
  ['tail', throughTail],
  ['sed', throughSed],
  ['nl', throughNl],
  ['bat', throughBat],
  ['batcat', throughBat],
  ['less', throughPager],
  ['more', throughPager],
  ['tee', (step) => step.input],
  ['awk', throughAwk],
  ['gawk', throughAwk],
  ['mawk', throughAwk],
]);

function throughCat(step: StreamStep): readonly Stream[] {
  const options = parseOptions(step.args);
  if ([...options.given.keys()].some((option) => !['n', 'u', 'number'].includes(option))) return [];
  const sources = sourcesOf(step, options.operands);
  return hasOption(options, 'n', 'number') ? sources.map(numbered) : sources;
}

function throughHead(step: StreamStep): readonly Stream[] {
  const options = parseOptions(step.args, 'n c lines bytes');
  if ([...options.given.keys()].some((option) => !/^(n|lines|q|quiet|silent|v|verbose|\d)$/.test(option))) return [];
  const digits = /^-(\d+)$/.exec(step.args[0]?.text ?? '')?.[1];
  const count = digits ?? optionValue(options, 'n', 'lines')?.text ?? '10';
  if (!/^\d+$/.test(count)) return [];
  return slicesOf(sourcesOf(step, options.operands), [{ from: 1, to: Number(count) }], options.operands.length);
}

function throughTail(step: StreamStep): readonly Stream[] {
  const options = parseOptions(step.args, 'n c lines bytes');
  if ([...options.given.keys()].some((option) => option !== 'n' && option !== 'lines')) return [];
  const first = /^\+(\d+)$/.exec(step.args[0]?.text ?? '')?.[1];
  const start = /^\+(\d+)$/.exec(optionValue(options, 'n', 'lines')?.text ?? '')?.[1] ?? first;
  if (start === undefined) return [];
  const operands = first === undefined ? options.operands : options.operands.slice(1);
  return slicesOf(sourcesOf(step, operands), [{ from: Math.max(1, Number(start)), to: LAST_LINE }], operands.length);
}

function throughSed(step: StreamStep): readonly Stream[] {
  const call = parseSed(step.args);
  const ranges = rangesPrinted(call);
  return ranges === null || call.files.length > 1
    ? []
    : slicesOf(sourcesOf(step, call.files), ranges, call.files.length);
}

function throughNl(step: StreamStep): readonly Stream[] {
  const options = parseOptions(step.args, 'b w s v i');
  const all = optionValue(options, 'b')?.text === 'a';
  const plain = [...options.given.keys()].every((option) => option === 'b' || option === 'w');
  return all && plain && options.operands.length <= 1 ? sourcesOf(step, options.operands).map(numbered) : [];
}

function throughBat(step: StreamStep): readonly Stream[] {
  const options = parseOptions(step.args, 'r line-range l language style color paging theme');
  const known = /^(p|pp|plain|n|number|r|line-range|l|language|style|color|paging|theme|P|f)$/;
  if (![...options.given.keys()].every((option) => known.test(option)) || options.operands.length > 1) return [];
  if (optionValue(options, 'color')?.text === 'always' || hasOption(options, 'f')) return [];
  const range = optionValue(options, 'r', 'line-range');
  const style = optionValue(options, 'style')?.text;
  const counted = hasOption(options, 'n', 'number') || style === 'numbers';
  if (style !== undefined && style !== 'plain' && style !== 'numbers') return [];
  const parsed = range === null ? null : /^(\d+)?:(\d+)?$/.exec(range.text);
  if (range !== null && parsed === null) return [];
  const lines = parsed === null ? [] : [{ from: Number(parsed[1] ?? 1), to: Number(parsed[2] ?? LAST_LINE) }];
  const sources = sourcesOf(step, options.operands);
  const sliced = lines.length === 0 ? sources : slicesOf(sources, lines, options.operands.length);
  return counted ? sliced.map(numbered) : sliced;
}

function throughPager(step: StreamStep): readonly Stream[] {
  const options = parseOptions(step.args);
  return [...options.given.keys()].every((option) => /^[RFXSi]$/.test(option)) ? sourcesOf(step, options.operands) : [];
}

function throughAwk(step: StreamStep): readonly Stream[] {
  const [program, ...files] = step.args;
  const range = /^\s*NR\s*>=\s*(\d+)\s*&&\s*NR\s*<=\s*(\d+)\s*(\{\s*print(\s+\$0)?\s*;?\s*\})?\s*$/.exec(
    program?.text ?? '',
  );
  if (program?.certain !== true || range === null || files.length > 1) return [];
  return slicesOf(sourcesOf(step, files), [{ from: Number(range[1]), to: Number(range[2]) }], files.length);
}

/** No operand means standard input, and so does `-`. One operand that is not known makes all of it unknown. */
function sourcesOf(step: StreamStep, operands: readonly Argument[]): readonly Stream[] {
  if (operands.length === 0) return step.input;
  const streams = operands.map((operand) => (operand.text === '-' ? step.input : step.open(operand)));
  return streams.flatMap((stream) => stream ?? []);
}

/** Line numbers count over all that flows in, so a stream of several files cannot be cut by number. */
function slicesOf(sources: readonly Stream[], ranges: readonly LineRange[], operands: number): readonly Stream[] {
  if (operands === 0 && sources.length > 1) return [];
  return sources.flatMap((source) => ranges.flatMap((range) => slice(source, range)));
}

function slice(source: Stream, range: LineRange): readonly Stream[] {
  const base = source.lines ?? { from: 1, to: LAST_LINE };
  const from = base.from + range.from - 1;
  const to = range.to === LAST_LINE ? base.to : Math.min(base.to, base.from + range.to - 1);
  return from < 1 || from > to ? [] : [{ ...source, lines: { from, to } }];
}

function numbered(source: Stream): Stream {
  return { ...source, numbered: true };
}
