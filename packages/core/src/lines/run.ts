/*
 * How far two numbered texts are equal. The loops are unrolled to four lines per iteration: the JavaScript engine checks the
 * bounds of each array anew in every iteration, which costs more than the comparison.
 */

/** How many lines from `a[i]` and `b[j]` on are equal, of at most `limit`. */
export function runAfter(a: Int32Array, i: number, b: Int32Array, j: number, limit: number): number {
  let run = 0;
  while (
    run + 4 <= limit &&
    a[i + run] === b[j + run] &&
    a[i + run + 1] === b[j + run + 1] &&
    a[i + run + 2] === b[j + run + 2] &&
    a[i + run + 3] === b[j + run + 3]
  ) {
    run += 4;
  }
  while (run < limit && a[i + run] === b[j + run]) run++;
  return run;
}

/** How many lines before `a[i]` and `b[j]` are equal, of at most `limit`. */
export function runBefore(a: Int32Array, i: number, b: Int32Array, j: number, limit: number): number {
  let run = 0;
  while (
    run + 4 <= limit &&
    a[i - run - 1] === b[j - run - 1] &&
    a[i - run - 2] === b[j - run - 2] &&
    a[i - run - 3] === b[j - run - 3] &&
    a[i - run - 4] === b[j - run - 4]
  ) {
    run += 4;
  }
  while (run < limit && a[i - run - 1] === b[j - run - 1]) run++;
  return run;
}
