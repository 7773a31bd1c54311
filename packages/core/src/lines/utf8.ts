/** UTF-8 for the few words that we put beside the bytes of a text: paths and labels. The texts themselves are never decoded. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), tail(code, 0));
    else if (code >= 0xd800 && code < 0xe000) bytes.push(...REPLACEMENT);
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), tail(code, 6), tail(code, 0));
    else bytes.push(0xf0 | (code >> 18), tail(code, 12), tail(code, 6), tail(code, 0));
  }
  return Uint8Array.from(bytes);
}

/** The text, or null if the bytes are not UTF-8: a name must not silently become another name. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  let text = '';
  for (let i = 0; i < bytes.length; ) {
    const first = bytes[i]!;
    const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (length === 0 || i + length > bytes.length) return null;
    let code = length === 1 ? first : first & (0x7f >> length);
    for (let k = 1; k < length; k++) {
      const next = bytes[i + k]!;
      if ((next & 0xc0) !== 0x80) return null;
      code = (code << 6) | (next & 0x3f);
    }
    if (code < LEAST_CODE[length]! || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return null;
    text += String.fromCodePoint(code);
    i += length;
  }
  return text;
}

/** U+FFFD, which stands in for a lone surrogate, as everywhere on the web. */
const REPLACEMENT = [0xef, 0xbf, 0xbd];
/** By length in bytes, the least code that needs it: longer forms of smaller codes are not UTF-8. */
const LEAST_CODE = [0, 0, 0x80, 0x800, 0x10000];

function tail(code: number, shift: number): number {
  return 0x80 | ((code >> shift) & 0x3f);
}
