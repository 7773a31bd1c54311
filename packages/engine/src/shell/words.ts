import type { Word, WordPart } from 'unbash';

/**
 * What a word of a command becomes. `certain` is false where the letters do not tell; `text` is then what they tell of its
 * beginning. One word may become several arguments.
 */
export type Argument = { readonly text: string; readonly certain: boolean };

/** Words that one brace expression may make; a longer list is not worth following. */
const BRACE_LIMIT = 64;

export function expandWord(word: Word, vars: ReadonlyMap<string, string>): readonly Argument[] {
  if (word.text.startsWith('~')) return [{ text: '', certain: false }];
  if (word.parts === undefined) return [{ text: word.value, certain: true }];
  let results: readonly string[] = [''];
  for (const [index, part] of word.parts.entries()) {
    const pieces = isModified(part, word.parts[index + 1]) ? null : expandPart(part, vars, 'bare');
    if (pieces === null || results.length * pieces.length > BRACE_LIMIT) {
      return results.length === 1 ? [{ text: results[0] ?? '', certain: false }] : [{ text: '', certain: false }];
    }
    results = results.flatMap((result) => pieces.map((piece) => result + piece));
  }
  return results.map((text) => ({ text, certain: true }));
}

/** The value of a word that is not split: an assignment, the target of a redirection, a here-string. */
export function expandWhole(word: Word, vars: ReadonlyMap<string, string>): Argument {
  const all = expandWord(word, vars);
  const only = all[0];
  return all.length === 1 && only !== undefined ? only : { text: '', certain: false };
}

type Quoting = 'bare' | 'quoted';

/** The texts that a part may stand for, or null where that is not known. */
function expandPart(part: WordPart, vars: ReadonlyMap<string, string>, quoting: Quoting): readonly string[] | null {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [part.value];
    case 'DoubleQuoted':
    case 'LocaleString':
      return expandQuoted(part.parts, vars);
    case 'SimpleExpansion':
      return expandVariable(part.text.slice(1), vars, quoting);
    case 'ParameterExpansion': {
      const plain = part.prefix === undefined && part.index === undefined && part.operation === undefined;
      return plain ? expandVariable(part.parameter, vars, quoting) : null;
    }
    case 'ProcessSubstitution':
      return ['/dev/fd/63'];
    case 'BraceExpansion':
      return expandBraces(part.text);
    default:
      return null;
  }
}

function expandQuoted(parts: readonly WordPart[], vars: ReadonlyMap<string, string>): readonly string[] | null {
  let text = '';
  for (const [index, part] of parts.entries()) {
    const pieces = isModified(part, parts[index + 1]) ? null : expandPart(part, vars, 'quoted');
    if (pieces?.length !== 1) return null;
    text += pieces[0];
  }
  return [text];
}

/** zsh takes `$name:h` and `$name[1]` for something else than bash does. */
function isModified(part: WordPart, next: WordPart | undefined): boolean {
  return part.type === 'SimpleExpansion' && next !== undefined && /^[:[]/.test(next.text);
}

/** Without quotes a value is split and its patterns are expanded; only a value without either is sure to stay itself. */
function expandVariable(name: string, vars: ReadonlyMap<string, string>, quoting: Quoting): readonly string[] | null {
  const value = vars.get(name);
  if (value === undefined) return null;
  return quoting === 'bare' && !/^[\w@%+=:,./-]+$/.test(value) ? null : [value];
}

function expandBraces(text: string): readonly string[] | null {
  const list = /^\{([\w@%+=:./-]*(?:,[\w@%+=:./-]*)+)\}$/.exec(text);
  if (list !== null) return (list[1] ?? '').split(',');
  const range = /^\{(0|[1-9]\d{0,5})\.\.(0|[1-9]\d{0,5})\}$/.exec(text);
  if (range === null) return null;
  const [from, to] = [Number(range[1]), Number(range[2])];
  const length = Math.abs(to - from) + 1;
  if (length > BRACE_LIMIT) return null;
  return Array.from({ length }, (_, index) => String(from < to ? from + index : from - index));
}
