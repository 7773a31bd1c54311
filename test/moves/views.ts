import { tokensIn, writerOf } from './token.js';

/**
 * Which lines each session was shown, by their tokens: because no token is written twice, a line that was changed is
 * another one, and has not been shown.
 */
export class Views {
  readonly #shown = new Map<string, Set<string>>();
  /** By session and path, which line was last shown under each number. */
  readonly #numbered = new Map<string, Map<number, string>>();
  /** By session and path, the content that was last shown or written as a whole. */
  readonly #blurred = new Set<string>();
  readonly #whole = new Map<string, string>();

  show(session: string, path: string, tokens: readonly string[]): void {
    const key = keyOf(session, path);
    const shown = this.#shown.get(key) ?? new Set<string>();
    for (const token of tokens) shown.add(token);
    this.#shown.set(key, shown);
  }

  /** Lines of `content` with their numbers, from `first` on. What was shown of another text before is older news. */
  showLines(session: string, path: string, content: string, first: number, lines: readonly string[]): void {
    if (!this.isWhole(session, path, content)) this.#whole.delete(keyOf(session, path));
    this.show(session, path, lines.flatMap(tokensIn));
    const numbered = this.#numbered.get(keyOf(session, path)) ?? new Map<number, string>();
    for (const [index, line] of lines.entries()) numbered.set(first + index, line);
    this.#numbered.set(keyOf(session, path), numbered);
  }

  /** Whether a line on either side of the place after line `after` was shown under the number that it has. */
  hasNumber(session: string, path: string, after: number, lines: readonly string[]): boolean {
    const numbered = this.#numbered.get(keyOf(session, path));
    return [after, after + 1].some((number) => number >= 1 && numbered?.get(number) === lines[number - 1]);
  }

  /** A command of its own changed the file, and showed nothing of it. */
  commanded(session: string, path: string, fromPath: string | null): void {
    const [to, from] = [keyOf(session, path), keyOf(session, fromPath ?? path)];
    this.#whole.delete(to);
    if (from === to) return;
    for (const known of [this.#shown, this.#numbered, this.#whole]) move(known, from, to);
    if (this.#blurred.delete(from)) this.#blurred.add(to);
  }

  /** It moved while it was being read: which of the two was shown is anybody's guess. */
  blur(session: string, path: string): void {
    this.#whole.delete(keyOf(session, path));
    this.#blurred.add(keyOf(session, path));
  }

  isBlurred(session: string, path: string): boolean {
    return this.#blurred.has(keyOf(session, path));
  }

  showWhole(session: string, path: string, content: string, lines: readonly string[]): void {
    this.#blurred.delete(keyOf(session, path));
    this.#whole.set(keyOf(session, path), content);
    this.showLines(session, path, content, 1, lines);
  }

  /** It may be that nothing is known of it any more: then no edit of it is called right or wrong. */
  isWhole(session: string, path: string, content: string): boolean {
    return this.#whole.get(keyOf(session, path)) === content;
  }

  /** Whether anything of it was ever shown. */
  hasSeen(session: string, path: string): boolean {
    return this.#shown.has(keyOf(session, path));
  }

  /** Lines that the session was never shown, and that it did not write itself. */
  unseen(session: string, path: string, tokens: readonly string[]): readonly string[] {
    const shown = this.#shown.get(keyOf(session, path));
    return tokens.filter((token) => !shown?.has(token) && !writerOf(token).startsWith(`${session}.`));
  }
}

function move(known: Map<string, unknown>, from: string, to: string): void {
  const value = known.get(from);
  known.delete(from);
  if (value === undefined) known.delete(to);
  else known.set(to, value);
}

function keyOf(session: string, path: string): string {
  return `${session}\0${path}`;
}
