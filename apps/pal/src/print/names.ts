import { harmless } from './harmless.js';

/** More names than this are a wall; the rest is counted. */
const NAMED = 20;

/** Names for a person: harmless to a terminal, and no more than can be read. */
export function shortList(names: readonly string[]): readonly string[] {
  const named = names.slice(0, NAMED).map(harmless);
  return names.length > NAMED ? [...named, `… and ${names.length - NAMED} more`] : named;
}

/** Fewer than that where they are part of a sentence. */
const IN_A_SENTENCE = 3;

/** `a, b, c and 4 more` */
export function severalNames(names: readonly string[], between = ', '): string {
  const more = names.length - IN_A_SENTENCE;
  const first = names.slice(0, IN_A_SENTENCE).map(harmless).join(between);
  return more > 0 ? `${first} and ${more} more` : first;
}
