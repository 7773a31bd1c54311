import type { FileState } from './log/log.js';
import type { Observation } from './observer.js';

/** A file that went from one name to another: it has the number of the one that is gone. */
export type Moved = {
  readonly from: Observation & { readonly before: FileState };
  readonly to: Observation & { readonly after: FileState };
};

/** The moves among what was observed at once. */
export function movesAmong(observations: readonly Observation[]): readonly Moved[] {
  const gone = new Map<number, Observation & { readonly before: FileState }>();
  for (const { path, before, after } of observations)
    if (after === null && before !== null && before.ino !== 0) gone.set(before.ino, { path, before, after });
  return observations.flatMap(({ path, before, after }) => {
    if (before !== null || after === null) return [];
    const from = gone.get(after.ino);
    // A file has several new names when it was linked: it went to one of them.
    gone.delete(after.ino);
    return from === undefined ? [] : [{ from, to: { path, before, after } }];
  });
}

/** What became of the file before it went, under the name that it had: nothing, or it was written. */
export function writtenBefore({ from, to }: Moved): Observation & { readonly after: FileState } {
  return { path: from.path, before: from.before, after: { ...to.after, path: from.path } };
}
