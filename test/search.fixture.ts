/*
 * How far random tests search. `npm test` goes through a few fixed cases; `npm run test:all` sets PAL_SEARCH to 1 and
 * takes the long amounts, and a larger number multiplies them: `PAL_SEARCH=20 npx vitest run PATH`. What is random starts
 * from PAL_SEED, which every failure names.
 */

const FACTOR = Number(process.env.PAL_SEARCH ?? 0);

export const SEED = Number(process.env.PAL_SEED ?? 1);

/** How many cases to try. */
export function cases(amount: { readonly brief: number; readonly long: number }): number {
  return FACTOR === 0 ? amount.brief : Math.ceil(amount.long * FACTOR);
}

/** The seeds that told something once, and in a long search as many more as that takes. */
export function seeds(known: { readonly brief: readonly number[]; readonly long: readonly number[] }): number[] {
  if (FACTOR === 0) return [...known.brief];
  const more = Array.from({ length: Math.ceil(FACTOR) }, (_, index) => SEED + index);
  return [...new Set([...known.brief, ...known.long, ...more])];
}

/** All of them in a long search; otherwise the first, and every so many after it. */
export function some<T>(all: readonly T[], every: number): readonly T[] {
  return FACTOR > 0 ? all : all.filter((_, index) => index % every === 0);
}

/** Numbers that are the same for the same seed on every machine (mulberry32). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** From 0 to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}
