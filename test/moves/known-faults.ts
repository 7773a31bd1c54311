/**
 * Faults that are known and not mended yet, each with the check that it weakens, so that the moves go on past them. The
 * list has to be empty: a check that is weakened proves nothing.
 */
export const KNOWN_FAULTS = {
  A4: 'what a call wrote around a kill is given to another hand',
  A6: 'the halves of a rename are treated apart',
  B14: 'what an agent wrote after its call ended is taken for a person’s',
  B15: 'a change with agents as candidates cannot be decided',
  B16: 'git erases authorship',
  NEW3: 'late news of a call is given changes of others in the files that it names',
  NEW5: 'an edit tool whose text is not in the file is given what a person saved meanwhile',
  NEW7: 'undo of what was forgotten is a dead end, and its dry run does not say so',
  NEW8: 'what an open call wrote into a file that a person renames is taken for the person’s',
  A12: 'a file that is seen half written by a call is taken for a person’s edit',
} as const satisfies Readonly<Record<string, string>>;

/** With PAL_MOVES_STRICT nothing is known, to see what is still there: all of it, or the faults that it names. */
export function isKnown(fault: string): boolean {
  const strict = process.env.PAL_MOVES_STRICT ?? '';
  return Object.hasOwn(KNOWN_FAULTS, fault) && strict !== 'all' && !strict.split(',').includes(fault);
}
