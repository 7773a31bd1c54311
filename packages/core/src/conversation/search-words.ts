/** Scripts that write words without spaces between them: each of their characters is a word of its own. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
const WORD = /[\p{L}\p{N}\p{M}]/u;
/** `"several words"` are looked for as they stand. */
const TERM = /"([^"]*)"|(\S+)/g;
/** Nobody means more than this. */
const TERMS_LIMIT = 32;

/** The text as it is indexed, so that words can be found in it whatever the script. */
export function spacedWords(text: string): string {
  return text.replace(UNSPACED, ' $& ');
}

/** What somebody looks for: every term must be there, the last characters of each may be missing. Empty for no word at all. */
export function searchTerms(text: string): readonly string[] {
  const terms = [...text.matchAll(TERM)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  return terms.filter((term) => WORD.test(term)).slice(0, TERMS_LIMIT);
}

/** A part of a text, on one line, around the first place where one of the terms stands. */
export function excerptOf(text: string, terms: readonly string[], length: number): string {
  const places = terms.map((term) => placeOf(text, term)).filter((at) => at >= 0);
  const found = places.length === 0 ? 0 : Math.min(...places);
  const from = Math.max(0, found - Math.floor(length / 4));
  const part = text
    .slice(from, from + length * 2)
    .replace(/\s+/g, ' ')
    .trim();
  const cut = Array.from(part).slice(0, length).join('');
  return `${from > 0 ? '…' : ''}${cut}${from + length * 2 < text.length || cut.length < part.length ? '…' : ''}`;
}

/** Without regard to case; -1 where the term stands in another spelling, such as without its accents. */
function placeOf(text: string, term: string): number {
  return text.toLowerCase().indexOf(term.toLowerCase());
}
