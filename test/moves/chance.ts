/** Numbers that are the same for the same seed on every machine; every step has its own, so that steps can be left out. */
export class Chance {
  #state: number;

  constructor(...seeds: readonly number[]) {
    this.#state = 0x9e3779b9;
    for (const seed of seeds) {
      this.#state = (Math.imul(this.#state, 0x85ebca6b) ^ Math.imul(seed + 1, 0xc2b2ae35)) >>> 0;
      this.#state = Math.floor(this.next() * 4_294_967_296);
    }
  }

  /** mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** Between both, included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** True in this share of all cases. */
  in(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[this.below(list.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }

  /** By weight. */
  weighed<T extends { readonly weight: number }>(list: readonly T[]): T {
    let left = this.next() * list.reduce((sum, { weight }) => sum + weight, 0);
    for (const item of list) {
      left -= item.weight;
      if (left < 0) return item;
    }
    return list.at(-1)!;
  }
}
