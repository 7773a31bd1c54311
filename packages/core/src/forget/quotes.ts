/**
 * What could be quoted from a file elsewhere: its lines, and those of its words that look as if somebody made them up, such
 * as keys and passwords.
 */
type Quotes = { readonly lines: Set<string>; readonly words: Set<string> };

/** Shorter lines say nothing about where they come from. */
const LINE_FROM = 8;
/** A word with letters and digits is telling sooner than one of letters alone. */
const MIXED_WORD_FROM = 6;
const WORD_FROM = 16;
const KEY_FROM = 10;
const BETWEEN_WORDS = /[\s"'`=:,;\\(){}[\]<>]+/;

export function quotesOf(texts: Iterable<string>): Quotes {
  const quotes: Quotes = { lines: new Set(), words: new Set() };
  for (const text of texts) {
    for (const line of linesOf(text)) if (line.length >= LINE_FROM) quotes.lines.add(line);
    for (const word of wordsOf(text)) if (isTelling(word)) quotes.words.add(word);
  }
  return quotes;
}

/** What of the quotes stands in another text too, and so says nothing about where it comes from. */
export function commonQuotes(quotes: Quotes, text: string): Quotes {
  const common: Quotes = { lines: new Set(), words: new Set() };
  if (quotes.lines.size > 0) for (const line of linesOf(text)) if (quotes.lines.has(line)) common.lines.add(line);
  if (quotes.words.size > 0) for (const word of wordsOf(text)) if (quotes.words.has(word)) common.words.add(word);
  return common;
}

/** Whether a word can hardly be anything but a key: then whoever else has it has the key. */
export function looksLikeKey(word: string): boolean {
  return word.length >= KEY_FROM && /\d/.test(word) && /\p{L}/u.test(word);
}

function* linesOf(text: string): Generator<string> {
  for (const line of text.split(/\r?\n/)) yield line.trim();
}

function* wordsOf(text: string): Generator<string> {
  yield* text.split(BETWEEN_WORDS);
}

function isTelling(word: string): boolean {
  if (word.length >= WORD_FROM) return true;
  return word.length >= MIXED_WORD_FROM && /\d/.test(word) && /\p{L}/u.test(word);
}
