/**
 * Text from outside (names, ids, diffs, commands) may hold characters that a terminal obeys instead of showing: escape
 * sequences that recolour, retitle or overwrite, and marks that turn the reading direction around. Each is replaced by
 * something visible, so that what is there can be seen and does nothing.
 */
export function harmless(text: string): string {
  return text.replace(UNSAFE, visible);
}

/** The same for text of several lines: line feeds and tabs stay. A carriage return is shown, as it may be the change. */
export function harmlessLines(text: string): string {
  return text.replace(UNSAFE, (character) =>
    character === '\n' || character === '\t' ? character : visible(character),
  );
}

/** JSON escapes what is below the space by itself; the rest has to be escaped too, as the document may meet a terminal. */
export function harmlessJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(UNSAFE_IN_JSON, escaped);
}

export function harmlessJsonLine(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE_IN_JSON, escaped);
}

/** C0, DEL, C1, line and paragraph separators, direction marks, and halves of surrogate pairs. */
const UNSAFE = /[\p{Cc}\u200e\u200f\u061c\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|\p{Cs}/gu;
const UNSAFE_IN_JSON = /[\u007f-\u009f\u200e\u200f\u061c\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Unicode has a picture for each control character below the space, and for DEL. */
const PICTURES_FROM = 0x2400;
const PICTURE_OF_DELETE = '\u2421';

function visible(character: string): string {
  const code = character.codePointAt(0)!;
  if (code < 0x20) return String.fromCodePoint(PICTURES_FROM + code);
  if (code === 0x7f) return PICTURE_OF_DELETE;
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
