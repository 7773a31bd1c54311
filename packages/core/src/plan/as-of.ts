import type { FileVersion } from '../file.js';
import { filesOf, type OperationBody } from '../operation.js';
import type { WorkspacePath } from '../path.js';

/**
 * How each file was that these operations changed, before the first of them. Null is no file. The operations must be all
 * that came after the moment in question, oldest first; a file that is not in the answer was then as it is now.
 */
export function versionsBefore(operations: Iterable<OperationBody>): ReadonlyMap<WorkspacePath, FileVersion | null> {
  const before = new Map<WorkspacePath, FileVersion | null>();
  for (const operation of operations) {
    for (const file of filesOf(operation)) {
      const { path, fromPath } = file;
      if (fromPath !== undefined && !before.has(fromPath)) before.set(fromPath, file.before);
      if (!before.has(path)) before.set(path, fromPath === undefined ? file.before : null);
    }
  }
  return before;
}
