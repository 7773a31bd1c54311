/** A line of a text, told from every other line there ever was by its number. */
export type Token = number;

export const textOf = (token: Token): string => `t${token};`;

/**
 * What a sensible agent has in mind of a file, kept without any diff: every line that was ever in the file is a token of
 * its own, so that "was this line shown to this session" is a question to a set.
 */
export class Mind {
  /** Line by line what it believes to be in the file; null where it knows nothing. */
  belief: (Token | null)[] = [];
  /** Which line it was last shown under each number, moved along with what it wrote itself. */
  numbered: (Token | null)[] = [];
  /** Every line that was shown to it, or that it wrote. */
  readonly shown = new Set<Token>();
  /** Those since other hands last changed the file. */
  readonly shownSince = new Set<Token>();
  /** It was shown, since then, where the file ends. */
  endShown = false;
  /** Other hands changed the file after it had first seen some of it. */
  outsideChange = false;

  get started(): boolean {
    return this.shown.size > 0 || this.endShown;
  }

  /** Lines `from` to `to` are put in front of it; one that reaches the last shows where the end is. */
  look(file: readonly Token[], from: number, to: number, guess: 'replaced' | 'inserted'): void {
    const range = file.slice(from - 1, to);
    for (const token of range) this.#learn(token);
    const showsEnd = to >= file.length;
    this.#merge(range, from, guess);
    while (this.numbered.length < from - 1) this.numbered.push(null);
    this.numbered.splice(from - 1, range.length, ...range);
    if (showsEnd) {
      this.endShown = true;
      const length = from - 1 + range.length;
      this.belief.length = Math.min(this.belief.length, length);
      this.numbered.length = Math.min(this.numbered.length, length);
    }
    if (from === 1 && showsEnd) this.belief = [...file];
  }

  wrote(change: Rewrite, own: Iterable<Token>): void {
    this.belief = [...change(this.belief)];
    this.numbered = [...change(this.numbered)];
    for (const token of own) this.#learn(token);
  }

  changedByOthers(): void {
    if (this.started) this.outsideChange = true;
    this.shownSince.clear();
    this.endShown = false;
  }

  /** A command of its own changed the file, and printed nothing. */
  changedByCommand(): void {
    this.endShown = false;
  }

  knowsAllOf(file: readonly Token[]): boolean {
    return this.endShown && file.every((token) => this.shownSince.has(token));
  }

  #learn(token: Token): void {
    this.shown.add(token);
    this.shownSince.add(token);
  }

  /**
   * What is known by its text is found again by its text. What is new took the place of other lines if the numbers are
   * what they were; where they are not, it is guessed at.
   */
  #merge(range: readonly Token[], from: number, guess: 'replaced' | 'inserted'): void {
    const places = range.flatMap((token) => {
      const at = this.belief.indexOf(token);
      return at < 0 ? [] : [at];
    });
    if (places.length === 0) {
      while (this.belief.length < from - 1) this.belief.push(null);
      this.belief.splice(from - 1, range.length, ...range);
      return;
    }
    const [first, last] = [Math.min(...places), Math.max(...places)];
    const above = range.findIndex((token) => this.belief.includes(token));
    const below = range.length - 1 - range.findLastIndex((token) => this.belief.includes(token));
    const replaced = guess === 'replaced' || from + above === first + 1;
    const [head, tail] = replaced ? [above, below] : [0, 0];
    const start = from === 1 ? 0 : Math.max(0, first - head);
    this.belief.splice(start, last + tail + 1 - start, ...range);
  }
}

/** What a write does to a text as the session that makes it understands it. */
export type Rewrite = (lines: readonly (Token | null)[]) => readonly (Token | null)[];

export type Judgement = {
  /** Lines that would go and were never shown to the session in this form. */
  readonly lost: readonly Token[];
  /** Lines that others took away and that would be back. */
  readonly revived: readonly Token[];
};

export function judge(
  mind: Mind,
  file: readonly Token[],
  next: readonly Token[],
  fresh: ReadonlySet<Token>,
): Judgement {
  const [before, after] = [new Set(file), new Set(next)];
  return {
    lost: file.filter((token) => !after.has(token) && !mind.shown.has(token)),
    revived: next.filter((token) => !before.has(token) && !fresh.has(token)),
  };
}
