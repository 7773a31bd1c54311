import type { WorkspacePath } from '@palimpsest/core';
import type { FileWrite } from '../write/writer.js';
import type { FileWrites } from './file-plan.js';

/** What several files come to together. */
export type Combined = {
  readonly writes: readonly FileWrite[];
  /** Those that cannot have the place they are to go to, by their number; nothing of them is in `writes`. */
  readonly clashing: ReadonlySet<number>;
};

/**
 * Files that go back to former names may want a place where another one is. They can have it when that one moves on in
 * the same go, as when two files changed places; else what is there stays.
 */
export function combine(files: readonly FileWrites[], isThere: (path: WorkspacePath) => boolean): Combined {
  const clashing = new Set<number>();
  for (;;) {
    const left = files.map((file, index) => (clashing.has(index) ? [] : file.writes));
    const writers = new Map<WorkspacePath, number>();
    const movingOn = new Set(left.flat().flatMap(({ movedFrom }) => movedFrom ?? []));
    const found = left.findIndex((writes, index) =>
      writes.some((write) => {
        const arrives = write.expected === null && write.next !== null;
        // One that was removed and comes back has nowhere to be moved from: its place must be free as it is.
        if (arrives && isThere(write.path) && (write.movedFrom === undefined || !movingOn.has(write.path))) return true;
        if (write.next === null && movingOn.has(write.path)) return false;
        const other = writers.get(write.path);
        writers.set(write.path, index);
        return other !== undefined && other !== index;
      }),
    );
    if (found < 0) return { writes: joined(left.flat()), clashing };
    clashing.add(found);
  }
}

/** Where one file leaves and another arrives, that is one write. */
function joined(writes: readonly FileWrite[]): readonly FileWrite[] {
  const leaving = new Map(writes.filter(({ next }) => next === null).map((write) => [write.path, write]));
  const arriving = new Set(writes.filter(({ next }) => next !== null).map(({ path }) => path));
  return writes.flatMap((write): readonly FileWrite[] => {
    if (write.next === null) return arriving.has(write.path) ? [] : [write];
    const occupant = leaving.get(write.path);
    return [occupant === undefined ? write : { ...write, expected: occupant.expected }];
  });
}
