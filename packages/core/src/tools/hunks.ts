import type { ByteText } from '../lines/byte-text.js';

/** One place of a patch. Lines carry their terminator, so that a missing last newline is part of what is compared. */
export type PatchHunk = {
  /** Lines to be found, in this order, above the place. */
  readonly contexts: readonly string[];
  readonly old: readonly string[];
  readonly new: readonly string[];
  /** 1-based line of the first old line; with no old lines, the line after which to insert. */
  readonly line?: number;
  /** The old lines are the last of the file. */
  readonly atEnd?: true;
};

/**
 * What a format says about the end of the file. `terminated`: the result always ends with a newline. `kept`: it ends as
 * the file did. `exact`: the hunks say it themselves.
 */
export type FinalNewline = 'terminated' | 'kept' | 'exact';

/** `loose` also forgives the differences that agents' own patch tools forgive: spaces at the ends and typography. */
export type Matching = 'strict' | 'loose';

/** Applies hunks in order, each one after the place of the one before; null where one does not match. */
export function applyHunks(
  before: ByteText,
  hunks: readonly PatchHunk[],
  ending: FinalNewline,
  matching: Matching,
): ByteText | null {
  const cut = ending !== 'exact' && before !== '' && !before.endsWith('\n');
  const lines = splitLines(cut ? `${before}\n` : before);
  const places = placeHunks(new Haystack(lines, matching), hunks);
  if (places === null) return null;
  const pieces: string[] = [];
  let done = 0;
  for (const place of [...places].sort((a, b) => a.start - b.start)) {
    if (place.start < done) return null;
    for (; done < place.start; done += 1) pieces.push(lines[done] ?? '');
    for (const line of place.text) pieces.push(line);
    done = place.start + place.length;
  }
  for (; done < lines.length; done += 1) pieces.push(lines[done] ?? '');
  const after = pieces.join('');
  return cut && ending === 'kept' && after.endsWith('\n') ? after.slice(0, -1) : after;
}

export function splitLines(text: ByteText): readonly ByteText[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

type Place = { readonly start: number; readonly length: number; readonly text: readonly string[] };

function placeHunks(haystack: Haystack, hunks: readonly PatchHunk[]): readonly Place[] | null {
  const places: Place[] = [];
  let cursor = 0;
  let drift = 0;
  for (const hunk of hunks) {
    for (const context of hunk.contexts) {
      const at = haystack.seek([context], cursor);
      if (at === null) return null;
      cursor = at + 1;
    }
    const place = placeHunk(haystack, hunk, cursor, drift);
    if (place === null) return null;
    places.push(place);
    if (hunk.line !== undefined) drift = place.start - lineIndexOf(hunk, hunk.line);
    if (hunk.old.length > 0 || hunk.line !== undefined) cursor = place.start + place.length;
  }
  return places;
}

function placeHunk(haystack: Haystack, hunk: PatchHunk, cursor: number, drift: number): Place | null {
  if (hunk.line !== undefined) return placeByLine(haystack, hunk, hunk.line, cursor, drift);
  if (hunk.old.length === 0) return { start: haystack.lines.length, length: 0, text: hunk.new };
  const from = hunk.atEnd === true ? Math.max(0, haystack.lines.length - hunk.old.length) : cursor;
  const at = haystack.seek(hunk.old, from);
  if (at !== null) return { start: at, length: hunk.old.length, text: hunk.new };
  // Some models end a hunk with an empty line that stands for the end of the file.
  if (hunk.old.length < 2 || hunk.old.at(-1) !== '\n') return null;
  const shorter = {
    ...hunk,
    old: hunk.old.slice(0, -1),
    new: hunk.new.at(-1) === '\n' ? hunk.new.slice(0, -1) : hunk.new,
  };
  const again = haystack.seek(shorter.old, from);
  return again === null ? null : { start: again, length: shorter.old.length, text: shorter.new };
}

/** The stated line first, moved as the hunks before were moved; elsewhere only where there is no doubt. */
function placeByLine(haystack: Haystack, hunk: PatchHunk, line: number, cursor: number, drift: number): Place | null {
  const stated = lineIndexOf(hunk, line) + drift;
  const place = (start: number): Place => ({ start, length: hunk.old.length, text: hunk.new });
  if (stated >= cursor && haystack.matchesAt(hunk.old, stated)) return place(stated);
  if (hunk.old.length === 0) return null;
  const first = haystack.seek(hunk.old, cursor);
  if (first === null || haystack.seek(hunk.old, first + 1) !== null) return null;
  return place(first);
}

function lineIndexOf(hunk: PatchHunk, line: number): number {
  return hunk.old.length === 0 ? line : line - 1;
}

/** The ways in which two lines may count as equal, from exact to forgiving. */
const LOOSENINGS: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => plainTypography(line.trim()),
];

class Haystack {
  readonly lines: readonly string[];
  readonly #loosenings: readonly ((line: string) => string)[];
  readonly #loosened = new Map<number, readonly string[]>();

  constructor(lines: readonly string[], matching: Matching) {
    this.lines = lines;
    this.#loosenings = matching === 'strict' ? LOOSENINGS.slice(0, 1) : LOOSENINGS;
  }

  seek(wanted: readonly string[], from: number): number | null {
    for (const [level, loosen] of this.#loosenings.entries()) {
      const lines = this.#linesAt(level, loosen);
      const loosened = wanted.map(loosen);
      for (let at = from; at + wanted.length <= lines.length; at += 1) {
        if (loosened.every((line, index) => lines[at + index] === line)) return at;
      }
    }
    return null;
  }

  matchesAt(wanted: readonly string[], at: number): boolean {
    if (at < 0 || at + wanted.length > this.lines.length) return false;
    return this.#loosenings.some((loosen) =>
      wanted.every((line, index) => loosen(this.lines[at + index] ?? '') === loosen(line)),
    );
  }

  #linesAt(level: number, loosen: (line: string) => string): readonly string[] {
    if (level === 0) return this.lines;
    const known = this.#loosened.get(level);
    if (known !== undefined) return known;
    const lines = this.lines.map(loosen);
    this.#loosened.set(level, lines);
    return lines;
  }
}

/** Dashes, quotes and spaces that models write for the plain ones, as the bytes of their UTF-8. */
function plainTypography(line: ByteText): ByteText {
  return line
    .replace(/\xe2\x80[\x90-\x95]|\xe2\x88\x92/g, '-')
    .replace(/\xe2\x80[\x98-\x9b]/g, "'")
    .replace(/\xe2\x80[\x9c-\x9f]/g, '"')
    .replace(/\xc2\xa0|\xe2\x80[\x80-\x8a\xaf]|\xe2\x81\x9f|\xe3\x80\x80/g, ' ');
}
