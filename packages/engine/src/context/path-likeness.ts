import { nameOf, normalized, type WorkspacePath } from '@palimpsest/core';

/** A path as it is compared with what a prompt names. */
export type ComparedPath = { readonly whole: string; readonly name: string; readonly stem: string };

export function comparedPath(path: WorkspacePath): ComparedPath {
  const whole = comparable(path);
  const name = comparable(nameOf(path));
  return { whole, name, stem: withoutEnding(name) };
}

/** Most text is ASCII, and the whole way costs ten times as much. */
export function comparable(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text.toLowerCase() : normalized(text);
}

/** How much of a path a term names: all of its name, its stem, or a part of it. `term` is comparable. */
export function likenessOfPath({ whole, name, stem }: ComparedPath, term: string): number {
  if (name === term || whole === term || (term.includes('/') && whole.endsWith(`/${term}`))) return 1;
  if (stem === term) return 0.7;
  return term.length > SHORTEST_PART && stem.includes(term) ? 0.3 : 0;
}

const SHORTEST_PART = 3;

function withoutEnding(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? name : name.slice(0, dot);
}
