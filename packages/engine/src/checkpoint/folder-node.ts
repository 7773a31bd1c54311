import type { ContentId, FileMode } from '@palimpsest/core';
import { hashObject, type ObjectId } from '../git/object-id.js';
import { encodeOrdered, type TreeEntry, treeOrder } from '../git/trees.js';

/** A file as a tree names it. */
export type Leaf = { readonly mode: FileMode; readonly content: ContentId };

/** A tree that was computed and may not be in the store yet, with the folders it names. */
export type MadeTree = { readonly id: ObjectId; readonly bytes: Buffer; readonly folders: readonly ObjectId[] };

/** One folder of the present state. `id` is that of its git tree, or null when something below it has changed since. */
export class FolderNode {
  readonly entries = new Map<string, Leaf | FolderNode>();
  id: ObjectId | null = null;
  /** The names in git's order; null when it must be found out again. */
  order: readonly string[] | null = null;

  put(name: string, entry: Leaf | FolderNode): void {
    const found = this.entries.get(name);
    if (found === undefined || found instanceof FolderNode !== entry instanceof FolderNode) this.order = null;
    this.entries.set(name, entry);
  }

  remove(name: string): void {
    if (this.entries.delete(name)) this.order = null;
  }
}

/**
 * Puts a leaf at a path, or takes it away; marks the folders on the way. Answers by how many the number of files changed.
 * Where a file and a folder claim one name, the folder has it.
 */
export function setLeaf(root: FolderNode, path: string, leaf: Leaf | null): number {
  const segments = path.split('/');
  const name = segments.pop() as string;
  const trail = [root];
  for (const segment of segments) {
    const folder = trail.at(-1) as FolderNode;
    const found = folder.entries.get(segment);
    if (found instanceof FolderNode) {
      trail.push(found);
      continue;
    }
    if (leaf === null) return 0;
    const made = new FolderNode();
    folder.put(segment, made);
    trail.push(made);
    if (found !== undefined) return putLeaf(trail, name, leaf) - 1;
  }
  return leaf === null ? removeLeaf(trail, segments, name) : putLeaf(trail, name, leaf);
}

/** Computes the trees of all folders that changed, innermost first. Yields after each, so that the caller may pause. */
export function* makeTrees(folder: FolderNode): Generator<MadeTree, ObjectId> {
  if (folder.id !== null) return folder.id;
  const folders: ObjectId[] = [];
  for (const entry of folder.entries.values())
    if (entry instanceof FolderNode) folders.push(entry.id ?? (yield* makeTrees(entry)));
  const bytes = encodeOrdered(orderedEntries(folder));
  const id = hashObject('tree', bytes);
  folder.id = id;
  yield { id, bytes, folders };
  return id;
}

function orderedEntries(folder: FolderNode): readonly TreeEntry[] {
  folder.order ??= treeOrder(Array.from(folder.entries, ([name, entry]) => entryOf(name, entry)));
  return folder.order.map((name) => entryOf(name, folder.entries.get(name) as Leaf | FolderNode));
}

/** The trees of folders inside must have been made. */
function entryOf(name: string, entry: Leaf | FolderNode): TreeEntry {
  return entry instanceof FolderNode
    ? { mode: '40000', name, id: entry.id as ObjectId }
    : { mode: entry.mode, name, id: entry.content };
}

export function* treeIdsIn(folder: FolderNode): Generator<ObjectId> {
  if (folder.id !== null) yield folder.id;
  for (const entry of folder.entries.values()) if (entry instanceof FolderNode) yield* treeIdsIn(entry);
}

function putLeaf(trail: readonly FolderNode[], name: string, leaf: Leaf): number {
  const folder = trail.at(-1) as FolderNode;
  const found = folder.entries.get(name);
  if (found instanceof FolderNode) return 0;
  if (found !== undefined && found.mode === leaf.mode && found.content === leaf.content) return 0;
  folder.put(name, leaf);
  for (const node of trail) node.id = null;
  return found === undefined ? 1 : 0;
}

function removeLeaf(trail: readonly FolderNode[], segments: readonly string[], name: string): number {
  const folder = trail.at(-1) as FolderNode;
  const found = folder.entries.get(name);
  if (found === undefined || found instanceof FolderNode) return 0;
  folder.remove(name);
  for (const node of trail) node.id = null;
  // Git has no empty folders.
  for (let depth = trail.length - 1; depth > 0 && trail[depth]?.entries.size === 0; depth--)
    trail[depth - 1]?.remove(segments[depth - 1] as string);
  return -1;
}
