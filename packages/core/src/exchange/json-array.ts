import { failed, type Outcome, ok } from '../outcome.js';
import type { FormatError } from './json.js';

/** A JSON text that holds a list, cut so that joining the parts gives the text again, byte for byte. */
export type JsonArrayText = {
  /** Everything up to the first item, the bracket included. */
  readonly before: string;
  readonly items: readonly string[];
  /** What stands between two items; one less than items. */
  readonly between: readonly string[];
  readonly after: string;
};

/** The list is the whole text, or the field of that name of the object that it is. */
export function splitJsonArray(text: string, field: string): Outcome<JsonArrayText, FormatError> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return failed({ code: 'not-json', reason: error instanceof Error ? error.message : String(error) });
  }
  const isWhole = Array.isArray(value);
  const list = isWhole ? value : (value as Readonly<Record<string, unknown>> | null)?.[field];
  if (!Array.isArray(list)) return failed({ code: 'bad-format', at: isWhole ? '' : field, expected: 'a list' });
  const open = isWhole ? text.indexOf('[') : fieldAt(text, field);
  return ok(cut(text, open));
}

export function joinJsonArray({ before, items, between, after }: JsonArrayText): string {
  return before + items.map((item, index) => item + (between[index] ?? '')).join('') + after;
}

/** The same list with other items: the new ones stand as the old ones do. */
export function withItems(array: JsonArrayText, items: readonly string[]): JsonArrayText {
  const usual = array.between[0] ?? ',';
  return { ...array, items, between: items.slice(1).map((_, index) => array.between[index] ?? usual) };
}

/** The text is JSON, so brackets and quotation marks are where they must be. */
function cut(text: string, open: number): JsonArrayText {
  const items: string[] = [];
  const between: string[] = [];
  let at = pastSpace(text, open + 1);
  const first = at;
  let last = at;
  while (text[at] !== ']') {
    if (items.length > 0) between.push(text.slice(last, at));
    last = endOfValue(text, at);
    items.push(text.slice(at, last));
    at = pastSpace(text, last);
    if (text[at] === ',') at = pastSpace(text, at + 1);
  }
  return { before: text.slice(0, first), items, between, after: text.slice(last) };
}

/** Where the value of the last field of this name begins, which is the one that counts. */
function fieldAt(text: string, field: string): number {
  let found = -1;
  let at = pastSpace(text, text.indexOf('{') + 1);
  while (text[at] === '"') {
    const end = endOfValue(text, at);
    const name = JSON.parse(text.slice(at, end)) as string;
    const value = pastSpace(text, pastSpace(text, end) + 1);
    if (name === field) found = value;
    at = pastSpace(text, endOfValue(text, value));
    if (text[at] === ',') at = pastSpace(text, at + 1);
  }
  return found;
}

function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      at = endOfString(text, at) - 1;
      if (depth === 0) return at + 1;
    } else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (char === ',' || isSpace(char))) return at;
  }
  return text.length;
}

function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function pastSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text[at])) at += 1;
  return at;
}

function isSpace(char: string | undefined): boolean {
  return char === ' ' || char === '\n' || char === '\r' || char === '\t';
}
