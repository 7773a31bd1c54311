import type { FileChange } from './file.js';
import { type BodyOf, FILE_KINDS, type OperationBody } from './operation.js';
import type { PlaceId } from './place.js';

const CHANGING: ReadonlySet<string> = new Set(FILE_KINDS);

/**
 * The files that an operation changed in the workspace's own folder, whatever its kind: chains of before and after run
 * through these alone. Those of each worktree run through `filesAt` its place.
 */
export function filesOf(operation: OperationBody): readonly FileChange[] {
  return filesAt(operation, null);
}

export function filesAt(operation: OperationBody, place: PlaceId | null): readonly FileChange[] {
  return placeOf(operation) === place ? filesAnywhere(operation) : [];
}

/** The same wherever it was: for what is kept, found and forgotten. */
export function filesAnywhere(operation: OperationBody): readonly FileChange[] {
  return CHANGING.has(operation.kind) ? (operation as BodyOf<(typeof FILE_KINDS)[number]>).files : [];
}

/** The place that an operation's files are in; null is the workspace's own folder. */
export function placeOf(operation: OperationBody): PlaceId | null {
  return 'place' in operation ? (operation.place ?? null) : null;
}
