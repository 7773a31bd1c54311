import type { ReviewEntry } from '@palimpsest/core';
import type { BlameLine } from './blame.js';

/** Lines, and how often each stands; a text may stand twice once a conflict was settled by taking both. */
export type Tokens = ReadonlyMap<string, number>;

/** Who wrote a line: a call of an agent, or a person. */
export type Writer = { readonly call: string | null; readonly change: string | null; readonly hunk: string | null };

/**
 * Knows of every line who wrote it, because no line is written twice, and nothing else: not where it stands, nor what
 * rests on what. So it holds whatever moves happen to files. It looks at the world before and after a decision.
 */
export class TokenOracle {
  readonly #writers = new Map<string, Writer>();
  /** Lines that a decision brought back; taking that decision back takes them away again. */
  readonly #broughtBack = new Set<string>();
  readonly #lent = new Set<string>();
  readonly #broughtByPeople = new Set<string>();

  wrote(tokens: Iterable<string>, writer: Writer): void {
    for (const token of tokens) this.#writers.set(token, writer);
  }

  /** Those of the lines of a file that a call has just written. */
  wroteIn(lines: readonly string[], written: ReadonlySet<string>, call: string, change: ReviewEntry | undefined): void {
    for (const [index, line] of lines.entries())
      if (written.has(line)) this.#writers.set(line, { call, change: change?.id ?? null, hunk: hunkAt(change, index) });
  }

  /** What an agent brought back of a person's, as git does, stands there by the agent's work and may go with it. */
  moved(before: Tokens, after: Tokens, by: 'person' | 'agent'): void {
    for (const token of after.keys()) {
      if (before.has(token)) continue;
      if (by === 'agent') this.#lent.add(token);
      else this.#lent.delete(token);
    }
  }

  /** What a person had git put there is there by their will, whoever wrote it: keeping what is theirs may keep it. */
  putByPerson(tokens: Iterable<string>): void {
    for (const token of tokens) this.#broughtByPeople.add(token);
  }

  /**
   * What is wrong with what a decision left; `rejected`: changes and hunks of which nothing may be left but hunks `accepted` before,
   * and the other of two equal lines where it stands in a file that is said to be in conflict: `unsettled`.
   */
  decided(
    before: Tokens,
    after: Tokens,
    rejected: readonly string[],
    how: 'forward' | 'back',
    accepted: ReadonlySet<string> = new Set(),
    unsettled: ReadonlySet<string> = new Set(),
  ): string | null {
    const lost = [...before.keys()].filter(
      (token) => !after.has(token) && this.isPersons(token) && !this.#lent.has(token),
    );
    const missed = how === 'forward' ? lost : lost.filter((token) => !this.#broughtBack.has(token));
    for (const [token, count] of after) if (count > (before.get(token) ?? 0)) this.#broughtBack.add(token);
    if (missed.length > 0) return `lines of people are gone: ${missed.join(' ')}`;
    const named = new Set(rejected);
    const left = [...after.keys()].filter((token) => {
      const { change, hunk } = this.#writers.get(token) ?? { change: null, hunk: null };
      const isOther = unsettled.has(token) && after.get(token)! < before.get(token)!;
      return (named.has(change ?? '') || named.has(hunk ?? '')) && !accepted.has(hunk ?? '') && !isOther;
    });
    return left.length > 0 ? `lines of rejected changes are left: ${left.join(' ')}` : null;
  }

  isPersons(token: string): boolean {
    return this.#writers.get(token)?.call === null;
  }

  /** Lines of agents that were written by a change made after `seq`, and that neither a decision nor a person brought since. */
  ofAgentsSince(seq: number, tokens: Iterable<string>): readonly string[] {
    return [...tokens].filter((token) => {
      const change = this.#writers.get(token)?.change ?? null;
      if (this.#broughtBack.has(token) || this.#broughtByPeople.has(token)) return false;
      return change !== null && Number(change.slice(1).split('.')[0]) > seq;
    });
  }

  misnamed(path: string, lines: readonly BlameLine[]): string | null {
    for (const { text, author } of lines) {
      const writer = this.#writers.get(text);
      if (writer === undefined) return `${path}: nobody wrote ${text}`;
      const said = author.kind === 'agent' ? author.callId : null;
      if (said !== writer.call)
        return `${path}: ${text} is said to be of ${said ?? author.kind}, and is of ${writer.call ?? 'a person'}`;
      if (writer.call === null && author.kind !== 'human') return `${path}: ${text} is a person's, and ${author.kind}`;
    }
    return null;
  }
}

/** Every line of every file. */
export function tokensIn(texts: ReadonlyMap<string, string>): Tokens {
  const tokens = new Map<string, number>();
  for (const line of [...texts.values()].flatMap((text) => text.split('\n')))
    if (line !== '') tokens.set(line, (tokens.get(line) ?? 0) + 1);
  return tokens;
}

/** Lines that stand in these files and nowhere else. */
export function tokensOnlyAt(paths: readonly string[], texts: ReadonlyMap<string, string>): ReadonlySet<string> {
  const all = tokensIn(texts);
  const inside = tokensIn(new Map([...texts].filter(([path]) => paths.includes(path))));
  return new Set([...inside].filter(([token, count]) => all.get(token) === count).map(([token]) => token));
}

/** The hunk of a change that wrote a line, counted from 0. */
function hunkAt(change: ReviewEntry | undefined, line: number): string | null {
  const spans = change?.file.spans ?? [];
  const index = spans.findIndex(({ newStart, newLines }) => line + 1 >= newStart && line + 1 < newStart + newLines);
  return change?.hunks[index]?.id ?? null;
}

/** What somebody said yes to stays, though the rest of its change is rejected. */
export function acceptedHunks(entries: readonly ReviewEntry[]): ReadonlySet<string> {
  const hunks = entries.flatMap((entry) => entry.hunks);
  return new Set(hunks.filter(({ status }) => status === 'accepted').map(({ id }) => id));
}
