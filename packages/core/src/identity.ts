import type { FileChange, FileVersion } from './file.js';
import { addTo } from './lists.js';
import type { OperationBody } from './operation.js';
import { filesAt } from './operation-files.js';
import type { WorkspacePath } from './path.js';
import type { PlaceId } from './place.js';

/**
 * What an operation did to each file, told by which file it is rather than by what stood at each path. Files that only
 * changed places among themselves are renames, though every line at each path is another. And so is one that a person
 * moved over another: that other is gone. What an agent moved over another stays two changes, so that both come back.
 * A decision that switched parts of files says itself which of them it moved: two that get each other's text back by it
 * stay where they are.
 *
 * Each stays at its place in the list, which is its id; null is what another of them tells already.
 */
export function followMoves(operation: OperationBody, place: PlaceId | null = null): readonly (FileChange | null)[] {
  const files = filesAt(operation, place);
  if (files.length < 2 || ('switched' in operation && operation.switched !== undefined)) return files;
  const sources = rotations(files);
  if (operation.kind === 'changed' && operation.author.kind === 'human') addOvers(sources, files);
  if (sources.size === 0) return files;
  const byPath = new Map(files.map((file) => [file.path, file]));
  const told = new Set(sources.values());
  return files.map((file) => {
    const from = sources.get(file.path);
    if (from === undefined) return told.has(file.path) && file.after === null ? null : file;
    return { ...file, fromPath: from, before: byPath.get(from)!.before, spans: [] };
  });
}

/**
 * Which changes are two halves of one: what one of them is now stood at the path of the other before, and is there no
 * more. To take back one of them alone would leave that text twice, or nowhere.
 */
export function halvesOf(files: readonly FileChange[]): readonly (readonly [number, number])[] {
  if (files.length < 2) return [];
  const lost = new Map<string, number>();
  for (const [index, { before, after, fromPath }] of files.entries())
    if (before !== null && before.size > 0 && fromPath === undefined && before.content !== after?.content)
      lost.set(before.content, index);
  return files.flatMap(({ after, fromPath }, index) => {
    const from = after === null || fromPath !== undefined ? undefined : lost.get(after.content);
    return from === undefined || from === index ? [] : [[from, index] as const];
  });
}

function addOvers(sources: Map<WorkspacePath, WorkspacePath>, files: readonly FileChange[]): void {
  const used = new Set(sources.values());
  for (const [gone, over] of halvesOf(files)) {
    const [from, to] = [files[gone]!.path, files[over]!.path];
    if (files[gone]!.after !== null || files[over]!.before === null || used.has(from) || sources.has(to)) continue;
    sources.set(to, from);
    used.add(from);
  }
}

/** What was at each path before and after; a file that moved is a change at both of its paths. */
export function pathStates(
  files: readonly FileChange[],
): ReadonlyMap<WorkspacePath, { readonly before: FileVersion | null; readonly after: FileVersion | null }> {
  const states = new Map<WorkspacePath, { before: FileVersion | null; after: FileVersion | null }>();
  for (const { path, fromPath, before } of files) states.set(fromPath ?? path, { before, after: null });
  for (const { path, after } of files) states.set(path, { before: states.get(path)?.before ?? null, after });
  return states;
}

/** By path, where its content stood before; only for closed rounds, in which nothing came and nothing went. */
function rotations(files: readonly FileChange[]): Map<WorkspacePath, WorkspacePath> {
  const exchanged = files.filter(isExchanged);
  if (exchanged.length < 2) return new Map();
  const holders = new Map<string, FileChange[]>();
  for (const file of exchanged) addTo(holders, file.before!.content, file);
  const sources = new Map<WorkspacePath, WorkspacePath>();
  for (const file of exchanged) {
    const source = holders.get(file.after!.content)?.shift();
    if (source !== undefined) sources.set(file.path, source.path);
  }
  return closed(sources);
}

function closed(sources: Map<WorkspacePath, WorkspacePath>): Map<WorkspacePath, WorkspacePath> {
  for (;;) {
    const given = new Set(sources.values());
    const open = [...sources].filter(([to, from]) => !given.has(to) || !sources.has(from));
    if (open.length === 0) return sources;
    for (const [to] of open) sources.delete(to);
  }
}

function isExchanged({ before, after, fromPath }: FileChange): boolean {
  if (before === null || after === null || fromPath !== undefined) return false;
  return before.content !== after.content && before.size > 0 && after.size > 0;
}
