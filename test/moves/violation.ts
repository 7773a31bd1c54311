/** What must hold, whatever the order: the numbers are those of the list in the table of moves. */
export type Rule = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

export const RULES: Readonly<Record<Rule, string>> = {
  1: 'nothing that a human wrote is lost; every byte is on disk or in the store',
  2: 'each difference is recorded once, with its bytes and its author',
  3: 'accept, reject, restore, undo and dry runs do exactly what they say',
  4: 'nothing outside of the workspace is touched, and the user’s git is as it was',
  5: 'stale edits are refused, true ones are not',
  6: 'the store is sound, every content can be read, a restart changes no answer',
  7: 'every call is answered',
  8: 'what is not known is said',
};

export class Violation extends Error {
  readonly rule: Rule;

  constructor(rule: Rule, what: string) {
    super(`${what}\n  (${rule}: ${RULES[rule]})`);
    this.rule = rule;
  }
}

export function must(holds: boolean, rule: Rule, what: () => string): asserts holds {
  if (!holds) throw new Violation(rule, what());
}
