/** Whether `ours` should take the place of `theirs`. What is not a version is older than what is. */
export function isNewer(ours: string, theirs: string): boolean {
  const a = numbersOf(ours);
  const b = numbersOf(theirs);
  for (let at = 0; at < 3; at++) {
    if (a.numbers[at] !== b.numbers[at]) return a.numbers[at]! > b.numbers[at]!;
  }
  // A release comes after what led up to it.
  if (a.rest === b.rest) return false;
  if (a.rest === '' || b.rest === '') return a.rest === '';
  return a.rest > b.rest;
}

function numbersOf(version: string): { readonly numbers: readonly number[]; readonly rest: string } {
  const match = /^(\d+)\.(\d+)\.(\d+)(?:-([^+]*))?/.exec(version);
  if (match === null) return { numbers: [-1, -1, -1], rest: '' };
  return { numbers: [Number(match[1]), Number(match[2]), Number(match[3])], rest: match[4] ?? '' };
}
