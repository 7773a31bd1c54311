import { isUtf8 } from 'node:buffer';

/*
 * Git names are bytes; ours are strings. A byte that is not part of valid UTF-8 becomes the lone surrogate U+DC80 +
 * (byte - 0x80), which no valid text contains, so that every name comes back byte for byte.
 */

const ESCAPE = 0xdc00;
const escaped = /[\udc80-\udcff]/;
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function decodeName(bytes: Uint8Array): string {
  return isUtf8(bytes) ? strict.decode(bytes) : decodeBroken(bytes);
}

export function encodeName(name: string): Buffer {
  if (!escaped.test(name)) return Buffer.from(name, 'utf8');
  const parts: Buffer[] = [];
  for (const character of name) {
    const code = character.codePointAt(0) ?? 0;
    // A surrogate that belongs to a pair arrives here as one code point above U+FFFF.
    const isEscape = code >= ESCAPE + 0x80 && code <= ESCAPE + 0xff;
    parts.push(isEscape ? Buffer.from([code - ESCAPE]) : Buffer.from(character, 'utf8'));
  }
  return Buffer.concat(parts);
}

/** Writes the bytes of a name, for which there must be room; answers how many they are. */
export function writeName(into: Buffer, name: string, at: number): number {
  return escaped.test(name) ? encodeName(name).copy(into, at) : into.write(name, at, 'utf8');
}

function decodeBroken(bytes: Uint8Array): string {
  let text = '';
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    text +=
      length === 0 ? String.fromCharCode(ESCAPE + (bytes[at] ?? 0)) : strict.decode(bytes.subarray(at, at + length));
    at += length === 0 ? 1 : length;
  }
  return text;
}

/** Length of the valid UTF-8 sequence at `at`, or 0. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const length = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  return isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}
