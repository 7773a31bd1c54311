import { stripVTControlCharacters } from 'node:util';
import { widthOf } from './width.js';

/** A text of ours as the terminal can show it: a line that is too wide goes on below, a little further in. */
export function withinWidth(text: string, width: number | null): string {
  if (width === null) return text;
  return text
    .split('\n')
    .map((line) => (seenWidth(line) <= width ? line : broken(line, width, '  ')))
    .join('\n');
}

/** What goes on below where it began, behind its name. */
export function hanging(name: string, text: string, width: number | null): string {
  const line = name + text;
  if (width === null || seenWidth(line) <= width) return line;
  const indent = seenWidth(name);
  return name + broken(' '.repeat(indent) + text, width, '').slice(indent);
}

/**
 * Broken between words, whatever stands between them; a longer word stays whole. The rest stands below the beginning, and
 * that of a line of a diff below its text, so that nobody takes it for a line of its own.
 */
function broken(line: string, width: number, further: string): string {
  const [lead = ''] = /^[+-]? */.exec(stripVTControlCharacters(line)) ?? [];
  const indent = lead.length + further.length;
  const lines: string[] = [];
  let last = '';
  for (const [, gap = '', word = ''] of line.matchAll(/(\s*)(\S+)/g)) {
    if (last === '' || seenWidth(last + gap + word) <= width) last += gap + word;
    else {
      lines.push(last);
      // A long word stands further out, as far as it takes to be within the width.
      last = ' '.repeat(Math.max(0, Math.min(indent, width - seenWidth(word)))) + word;
    }
  }
  return [...lines, last].join('\n');
}

/** Colours take no columns. */
function seenWidth(text: string): number {
  return widthOf(stripVTControlCharacters(text));
}

/** A text that goes on below itself where the terminal ends; where there is none it stays in one line. */
export function fitting(text: string, indent: number, width: number | null): string {
  if (width === null) return text;
  return folded(text, width - indent).join(`\n${' '.repeat(indent)}`);
}

/** A text in lines of at most so many characters, broken between words; a longer word stays whole. */
export function folded(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const lines: string[] = [];
    for (const word of line.trim().split(/\s+/)) {
      const last = lines.at(-1);
      if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
      else lines.push(word);
    }
    return lines;
  });
}
