import { writerOf } from './token.js';

/**
 * Which lines each session was shown, by their tokens: because no token is written twice, a line that was changed is
 * another one, and has not been shown.
 */
export class Views {
  readonly #shown = new Map<string, Set<string>>();
  /** By session and path, the content that was last shown or written as a whole. */
  readonly #blurred = new Set<string>();
  readonly #whole = new Map<string, string>();

  show(session: string, path: string, tokens: readonly string[]): void {
    const key = keyOf(session, path);
    const shown = this.#shown.get(key) ?? new Set<string>();
    for (const token of tokens) shown.add(token);
    this.#shown.set(key, shown);
  }

  /** It moved while it was being read: which of the two was shown is anybody's guess. */
  blur(session: string, path: string): void {
    this.#whole.delete(keyOf(session, path));
    this.#blurred.add(keyOf(session, path));
  }

  isBlurred(session: string, path: string): boolean {
    return this.#blurred.has(keyOf(session, path));
  }

  showWhole(session: string, path: string, content: string, tokens: readonly string[]): void {
    this.#blurred.delete(keyOf(session, path));
    this.#whole.set(keyOf(session, path), content);
    this.show(session, path, tokens);
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

function keyOf(session: string, path: string): string {
  return `${session}\0${path}`;
}
