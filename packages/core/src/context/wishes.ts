import { PHRASES, type Wish } from './phrases.js';

/** Whoever pastes a log speaks at its beginning and at its end. */
const SPOKEN_CHARS = 4_000;

export function wishesOf(prompt: string): ReadonlySet<Wish> {
  const text = normalized(spoken(prompt));
  const wishes = new Set<Wish>();
  for (const [wish, patterns] of PATTERNS) if (patterns.some((pattern) => pattern.test(text))) wishes.add(wish);
  if (ABOUT_GIT.test(text)) wishes.delete('diffs');
  else if (GIT_DIFF.test(text)) wishes.add('git');
  if (wishes.has('git')) wishes.add('changes');
  return wishes;
}

const GIT_DIFF = /(?<![\p{L}\p{N}_])git[ -]?(?:diff|status|changes)(?![\p{L}\p{N}_])/u;
/** A question about git itself, and not about what it would say here. */
const ABOUT_GIT =
  /how (?:does|do|can|to|is) (?:\w+ )?git diff|what does git diff (?:do|mean)|git diff (?:works?|command|option|flag)/;

/** Lower case, without accents, one space at a time; apostrophes of all kinds are one. */
export function normalized(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc`´]/g, "'")
    .replaceAll('ß', 'ss')
    .replace(/[^\S\n]+/g, ' ');
}

/** What stands between fences, or is quoted with `>`, somebody else said. */
function spoken(prompt: string): string {
  const ends =
    prompt.length <= 2 * SPOKEN_CHARS ? prompt : `${prompt.slice(0, SPOKEN_CHARS)}\n${prompt.slice(-SPOKEN_CHARS)}`;
  return ends.replace(/^(```|~~~)[\s\S]*?(?:^\1|$(?![\s\S]))/gm, '\n').replace(/^>.*$/gm, '');
}

const PATTERNS: readonly (readonly [Wish, readonly RegExp[]])[] = compiled();

function compiled(): readonly (readonly [Wish, readonly RegExp[]])[] {
  const byWish = new Map<Wish, RegExp[]>();
  for (const phrases of PHRASES) {
    for (const [wish, sources] of Object.entries(phrases) as [Wish, readonly string[]][]) {
      const patterns = byWish.get(wish) ?? [];
      byWish.set(wish, [...patterns, ...sources.map(patternOf)]);
    }
  }
  return [...byWish];
}

/** `<` where a word begins and `>` where one ends; those of groups and lookbehinds stay. */
function patternOf(source: string): RegExp {
  const begins = source.replace(/(?<!\(\?|\\)<(?![=!])/g, '(?<![\\p{L}\\p{N}_])');
  return new RegExp(begins.replace(/(?<!\\)>/g, '(?![\\p{L}\\p{N}_])'), 'u');
}
