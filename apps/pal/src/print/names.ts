import { harmless } from './harmless.js';

/** More names than this are a wall; the rest is counted. */
const NAMED = 20;

/** Names for a person: harmless to a terminal, and no more than can be read. */
export function shortList(names: readonly string[]): readonly string[] {
  const named = names.slice(0, NAMED).map(harmless);
  return names.length > NAMED ? [...named, `… and ${names.length - NAMED} more`] : named;
}
