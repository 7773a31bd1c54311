/**
 * Faults that are known and not mended yet, each with the check that it weakens, so that the moves go on past them. The
 * list has to be empty: a check that is weakened proves nothing.
 */
export const KNOWN_FAULTS = {
  A3: 'a file that a person replaces before it was ever read is recorded as new',
} as const satisfies Readonly<Record<string, string>>;

/** With PAL_MOVES_STRICT nothing is known, to see what is still there: all of it, or the faults that it names. */
export function isKnown(fault: string): boolean {
  const strict = process.env.PAL_MOVES_STRICT ?? '';
  return Object.hasOwn(KNOWN_FAULTS, fault) && strict !== 'all' && !strict.split(',').includes(fault);
}
