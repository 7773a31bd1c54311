import { PATH_LENGTH_LIMIT } from './path.js';
import type { LineRange } from './ranges.js';

/** A file or folder that a prompt names with `@`. Whether it exists is for the reader of the disk to say. */
export type Mention = { readonly path: string; readonly lines?: LineRange; readonly folder?: true };

/** More mentions than a person writes; what goes beyond is pasted text. */
const MENTION_LIMIT = 500;

/** `@path`, `@/path`, `@"a b.ts"`, `@a\ b.ts`, `@path:10-40`, `@path#L10-40`, `@folder/`. E-mail addresses are not. */
export function findMentions(text: string): readonly Mention[] {
  const found = new Map<string, Mention>();
  for (let at = text.indexOf('@'); at >= 0 && found.size < MENTION_LIMIT; at = text.indexOf('@', at + 1)) {
    if (at > 0 && JOINS_BACKWARDS.test(text.charAt(at - 1))) continue;
    const mention = mentionAt(text, at + 1);
    if (mention !== null) found.set(JSON.stringify(mention), mention);
  }
  return [...found.values()];
}

/** A character before the `@` that makes it part of a word: an e-mail address, `pkg@1.2`, `node_modules/@scope`. */
const JOINS_BACKWARDS = /[\p{L}\p{N}_.+\-@/\\%]/u;

const TRAILING_PUNCTUATION = /[.,;:!?'"`*~…，。；：！？、）」』】]$/u;
const CLOSERS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{', '>': '<' };

function mentionAt(text: string, start: number): Mention | null {
  const quote = text.charAt(start);
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, start + 1);
    const inner = end < 0 ? '' : text.slice(start + 1, end);
    if (inner === '' || inner.includes('\n')) return null;
    const suffix = /^(?::\d+(?:-\d+)?|#L\d+(?:-L?\d+)?)/.exec(text.slice(end + 1, end + 40))?.[0] ?? '';
    return toMention(inner + suffix);
  }
  return toMention(stripTrailing(bareWord(text, start)));
}

function bareWord(text: string, start: number): string {
  let word = '';
  for (let at = start; at < text.length && word.length <= PATH_LENGTH_LIMIT; at += 1) {
    const character = text.charAt(at);
    const next = text.charAt(at + 1);
    if (character === '\\' && /[\s"'()[\]@]/.test(next)) {
      word += next;
      at += 1;
    } else if (/[\s"'`<>|]/.test(character)) break;
    else if (/[,;，；、。]/.test(character) && (next === '' || /[\s@]/.test(next))) break;
    else word += character;
  }
  return word;
}

/** Punctuation of the sentence around it, and a bracket that was opened before the mention. */
function stripTrailing(word: string): string {
  let rest = word;
  while (rest !== '' && !/^\.+$/.test(rest)) {
    const last = rest.charAt(rest.length - 1);
    const opener = CLOSERS[last];
    const unopened = opener !== undefined && count(rest, opener) < count(rest, last);
    if (!unopened && !TRAILING_PUNCTUATION.test(rest)) break;
    rest = rest.slice(0, -1);
  }
  return rest;
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

function toMention(word: string): Mention | null {
  if (word === '' || word.length > PATH_LENGTH_LIMIT || /^[a-z][a-z0-9+.-]*:\/\//i.test(word)) return null;
  const ranged = /^(.+?)(?::(\d+)(?:-(\d+)|:\d+)?|#L(\d+)(?:-L?(\d+))?)$/.exec(word);
  const from = ranged === null ? undefined : (ranged[2] ?? ranged[4]);
  if (ranged === null || from === undefined) return plain(word);
  const lines = rangeOf(Number(from), Number(ranged[3] ?? ranged[5] ?? from));
  return { path: ranged[1] ?? '', lines };
}

function rangeOf(a: number, b: number): LineRange {
  const from = Math.max(1, Math.min(a, b));
  return { from, to: Math.max(from, a, b) };
}

function plain(word: string): Mention {
  if (!word.endsWith('/')) return { path: word };
  const path = word.replace(/\/+$/, '');
  return { path: path === '' ? '/' : path, folder: true };
}
