import { decodeUtf8, encodeUtf8 } from './utf8.js';

/**
 * File names in patch headers. Names with control characters, quotes, backslashes or bytes beyond ASCII stand in double
 * quotes with C escapes, as git writes them by default; so a header is always one line of ASCII.
 */
export function quoteName(name: string): string {
  let quoted = '';
  let needed = false;
  for (const byte of encodeUtf8(name)) {
    const letter = ESCAPES.get(byte);
    if (letter !== undefined) quoted += `\\${letter}`;
    else if (byte < 0x20 || byte >= 0x7f) quoted += `\\${byte.toString(8).padStart(3, '0')}`;
    else quoted += String.fromCharCode(byte);
    needed ||= letter !== undefined || byte < 0x20 || byte >= 0x7f;
  }
  return needed ? `"${quoted}"` : quoted;
}

/** The name that a header line gives after its keyword: up to a tab, after which a date may stand; null if not readable. */
export function readHeaderName(text: Uint8Array): string | null {
  if (text[0] === QUOTE) return readQuoted(text)?.name ?? null;
  const tab = text.indexOf(TAB);
  return decodeUtf8(tab < 0 ? text : text.subarray(0, tab));
}

/**
 * The two names of a `diff --git` line, which matter when no other header names the file. Bare names may hold spaces, so the
 * line is cut where both halves name the same file; null where that cannot be told, as in a rename, which says more below.
 */
export function readGitNames(text: Uint8Array): { readonly oldName: string; readonly newName: string } | null {
  if (text[0] === QUOTE) {
    const first = readQuoted(text);
    if (first === null || text[first.length] !== SPACE) return null;
    const newName = readHeaderName(text.subarray(first.length + 1));
    return newName === null ? null : { oldName: first.name, newName };
  }
  for (let i = text.indexOf(SPACE); i >= 0; i = text.indexOf(SPACE, i + 1)) {
    const oldName = decodeUtf8(text.subarray(0, i));
    const newName = readHeaderName(text.subarray(i + 1));
    if (oldName === null || newName === null) continue;
    if (oldName.slice(oldName.indexOf('/')) === newName.slice(newName.indexOf('/'))) return { oldName, newName };
  }
  return null;
}

function readQuoted(text: Uint8Array): { readonly name: string; readonly length: number } | null {
  const bytes: number[] = [];
  let i = 1;
  while (i < text.length && text[i] !== QUOTE) {
    if (text[i] !== BACKSLASH) {
      bytes.push(text[i++]!);
      continue;
    }
    const digits = String.fromCharCode(...text.subarray(i + 1, i + 4));
    const octal = /^[0-3][0-7]{2}$/.test(digits);
    const byte = octal ? Number.parseInt(digits, 8) : UNESCAPES.get(text[i + 1] ?? -1);
    if (byte === undefined) return null;
    bytes.push(byte);
    i += octal ? 4 : 2;
  }
  if (i >= text.length) return null;
  const name = decodeUtf8(Uint8Array.from(bytes));
  return name === null ? null : { name, length: i + 1 };
}

const TAB = 0x09;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x07, 'a'],
  [0x08, 'b'],
  [0x09, 't'],
  [0x0a, 'n'],
  [0x0b, 'v'],
  [0x0c, 'f'],
  [0x0d, 'r'],
  [QUOTE, '"'],
  [BACKSLASH, '\\'],
]);

const UNESCAPES: ReadonlyMap<number, number> = new Map(
  [...ESCAPES].map(([byte, letter]) => [letter.charCodeAt(0), byte]),
);
