import { bytes } from './amount.js';
import { harmless, harmlessLines } from './harmless.js';
import type { Paint } from './paint.js';

/** A unified diff for a terminal or a pager: nothing is reflowed, so that uncoloured it is still a patch. */
export function diffText(patch: string, paint: Paint): string {
  return harmlessLines(patch)
    .split('\n')
    .map((line) => paintOfLine(line, paint)(line))
    .join('\n');
}

type BinaryChange = {
  readonly path: string;
  readonly before: { readonly size: number } | null;
  readonly after: { readonly size: number } | null;
};

/** What can be said of bytes that are no text. */
export function binaryText({ path, before, after }: BinaryChange): string {
  const sizes = [before === null ? 'new' : bytes(before.size), after === null ? 'gone' : bytes(after.size)];
  return `Binary file ${harmless(path)}: ${sizes.join(' → ')}\n`;
}

const plain = (text: string) => text;

function paintOfLine(line: string, paint: Paint): (text: string) => string {
  if (line === '') return plain;
  if (/^(diff |index |--- |\+\+\+ |(old|new|deleted file|new file) mode |similarity |rename |Binary )/.test(line))
    return paint.strong;
  if (line.startsWith('@@')) return paint.name;
  if (line.startsWith('+')) return paint.added;
  if (line.startsWith('-')) return paint.removed;
  return line.startsWith('\\') ? paint.quiet : plain;
}
