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
export function linesIn(bytes: Uint8Array): readonly string[] {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  const lines = parts.join('').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

/** As many arguments as a call can surely take. */
const CHUNK = 8_192;
