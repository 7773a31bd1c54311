/**
 * How much a diff may try. The search for the shortest edit costs (lines × differences); past these bounds it takes the most
 * promising point found so far and goes on from there. The result may then be longer than needed, and is always correct.
 * The values are git's, since merges must give up at the same places to agree with it.
 */
export interface Effort {
  /** A search may spend this many differences even in a small text. */
  readonly leastCost: number;
  /** From this many differences on, a long matching run far along is good enough to split at. */
  readonly shortcutCost: number;
  /** How many equal lines make such a run. */
  readonly shortcutRun: number;
}

export const DEFAULT_EFFORT: Effort = { leastCost: 256, shortcutCost: 256, shortcutRun: 20 };

/** A power of two near the square root (at most twice it, never below it): the scale on which git sets its bounds. */
export function roughRoot(n: number): number {
  let root = 1;
  for (let rest = n; rest > 0; rest = Math.floor(rest / 4)) root *= 2;
  return root;
}
