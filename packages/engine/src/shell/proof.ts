import { LAST_LINE } from '@palimpsest/core';
import type { PredictedRead } from './prediction.js';

/**
 * Whether a command's output really holds the lines that it was to print. Agents cut long output and commands fail, so
 * only what can be found in the output, whole and in one piece, counts as shown.
 */
export function provenRead(read: PredictedRead, output: string, fileBytes: Uint8Array): boolean {
  const file = new TextDecoder('utf-8', { ignoreBOM: true }).decode(fileBytes).replaceAll('\r\n', '\n');
  if (file === '') return read.lines === undefined;
  const wanted = linesOf(file, read);
  if (wanted === null) return false;
  const shown = plain(output);
  return read.numbered === true ? holds(withoutNumbers(shown), wanted) : holds(shown, wanted);
}

type Wanted = { readonly text: string; readonly cutsLine: boolean };

/** `cutsLine`: the last line has no newline, so what is printed next follows on the same line. */
function linesOf(file: string, read: PredictedRead): Wanted | null {
  const ended = file.endsWith('\n');
  const lines = (ended ? file.slice(0, -1) : file).split('\n');
  const { from, to } = read.lines ?? { from: 1, to: LAST_LINE };
  const picked = lines.slice(from - 1, to === LAST_LINE ? undefined : to);
  if (picked.length === 0) return null;
  return { text: picked.join('\n'), cutsLine: !ended && from - 1 + picked.length === lines.length };
}

function holds(shown: string, wanted: Wanted): boolean {
  const text = `\n${wanted.text}`;
  const all = `\n${shown}\n`;
  if (all.includes(`${text}\n`) || (wanted.cutsLine && all.includes(text))) return true;
  // Agents trim the end of the output, and with it the spaces and empty lines that a file may end with.
  const trimmed = text.trimEnd();
  return trimmed !== '' && all.trimEnd().endsWith(trimmed);
}

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, 'g');

/** Colours, carriage returns, and the label that one agent puts before the first line. */
function plain(output: string): string {
  return output
    .replace(COLOURS, '')
    .replaceAll('\r\n', '\n')
    .replace(/(^|\n)Output: /g, '$1');
}

/** The texts of numbered lines; where the numbers do not follow on, a line that no file has keeps the pieces apart. */
function withoutNumbers(shown: string): string {
  const lines: string[] = [];
  let expected = Number.NaN;
  for (const line of shown.split('\n')) {
    const match = /^ *(\d+)[\t ](.*)$/s.exec(line) ?? /^ *(\d+)()$/.exec(line);
    const number = match === null ? Number.NaN : Number(match[1]);
    if (match === null || number !== expected) lines.push('\0');
    if (match !== null) lines.push(match[2] ?? '');
    expected = number + 1;
  }
  return lines.join('\n');
}
