import { bytesToText } from './byte-text.js';

/** How often each line is in a text, whatever the order. Lines are their bytes, one character each, without the end. */
export type LineTally = { readonly counts: ReadonlyMap<string, number>; readonly length: number };

export function tallyLines(bytes: Uint8Array): LineTally {
  const counts = new Map<string, number>();
  let length = 0;
  for (const line of linesIn(bytes)) {
    counts.set(line, (counts.get(line) ?? 0) + 1);
    length += line.length;
  }
  return { counts, length };
}

/** A last line without an end is the same line: ends come and go with what is written behind it. */
function linesIn(bytes: Uint8Array): readonly string[] {
  const lines = bytesToText(bytes).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}
