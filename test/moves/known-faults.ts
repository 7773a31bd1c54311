/**
 * Faults that are known and not mended yet, each with the check that it weakens, so that the moves go on past them. The
 * list has to be empty: a check that is weakened proves nothing.
 */
export const KNOWN_FAULTS = {
  A1: 'rejecting or restoring away a folder with several files fails with ENOENT',
  A2: 'a partial read makes the whole file fresh',
  A12: 'a file that is seen half written by a call is taken for a person’s edit',
} as const satisfies Readonly<Record<string, string>>;

export function isKnown(fault: string): boolean {
  return Object.hasOwn(KNOWN_FAULTS, fault);
}
