import type { FileVersion } from '../file.js';
import { pathStates } from '../identity.js';
import type { OperationBody } from '../operation.js';
import { filesOf } from '../operation-files.js';
import type { WorkspacePath } from '../path.js';

/**
 * How each file was that these operations changed, before the first of them. Null is no file. The operations must be all
 * that came after the moment in question, oldest first; a file that is not in the answer was then as it is now.
 */
export function versionsBefore(operations: Iterable<OperationBody>): ReadonlyMap<WorkspacePath, FileVersion | null> {
  const before = new Map<WorkspacePath, FileVersion | null>();
  for (const operation of operations) {
    for (const [path, state] of pathStates(filesOf(operation))) if (!before.has(path)) before.set(path, state.before);
  }
  return before;
}
