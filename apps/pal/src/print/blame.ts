import type { BlamedLineJson } from '@palimpsest/protocol';
import { candidatesText, handText } from './changes.js';
import { harmless } from './harmless.js';
import type { Style } from './style.js';
import { ago } from './time.js';
import { cut, padEnd, padStart, shorten } from './width.js';

const WHO_WIDTH = 22;
const WHEN_WIDTH = 11;
/** Between who, when, the number and the text. */
const GAPS = 4;

/** One line of the file per line; who wrote it stands before the first line of each stretch. */
export function blameText(lines: readonly BlamedLineJson[], style: Style): string {
  const digits = String(lines.length).length;
  return lines
    .map((line, index) => {
      const before = lines[index - 1];
      const same = before !== undefined && before.change === line.change && before.author.kind === line.author.kind;
      const who = same ? '' : whoText(line);
      const when = same || line.at === null ? '' : ago(line.at, style.now);
      const margin = `${padEnd(shorten(who, WHO_WIDTH), WHO_WIDTH)} ${padEnd(when, WHEN_WIDTH)}`;
      const text = harmless(line.text);
      const room = style.width === null ? null : style.width - WHO_WIDTH - WHEN_WIDTH - digits - GAPS;
      const paint = line.author.kind === 'agent' ? style.paint.careful : style.paint.quiet;
      return `${paint(margin)} ${style.paint.quiet(padStart(String(line.line), digits))}  ${room === null ? text : cut(text, room)}`.trimEnd();
    })
    .join('\n');
}

function whoText({ author, change }: BlamedLineJson): string {
  if (change === null) return 'before';
  if (author.candidates !== undefined) return `${candidatesText(author.candidates)} ${change}`;
  if (author.kind !== 'agent') return `${author.kind} ${change}`;
  return `${handText(author)} ${change}`;
}
