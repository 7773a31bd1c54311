import { asContentId, type ContentId, type FileMode, trustPath, type WorkspacePath } from '@palimpsest/core';
import type { ObjectId } from '../git/object-id.js';
import { typesOf } from '../git/object-types.js';
import type { ObjectStore } from '../git/objects.js';
import { ownedIds } from '../git/owned.js';
import { GitFailure } from '../git/run.js';
import { parseTree, type TreeEntry } from '../git/trees.js';
import type { Leaf } from './folder-node.js';
import type { TreeBuilder } from './tree-builder.js';

/** A path at which two trees differ. */
export type LeafDifference = {
  readonly path: WorkspacePath;
  readonly before: Leaf | null;
  readonly after: Leaf | null;
};

/** An object that a checkpoint needs is not there, or is not what was written. */
export class DamagedCheckpoint extends Error {
  override readonly name = 'DamagedCheckpoint';
  readonly object: ObjectId;

  constructor(object: ObjectId, detail: string) {
    super(`object ${object} of a checkpoint cannot be read: ${detail}`);
    this.object = object;
  }
}

/** Reads trees, from memory where they have not been stored, and compares them. Equal folders are not entered. */
export class TreeReader {
  readonly #objects: ObjectStore;
  readonly #builder: TreeBuilder | null;

  constructor(objects: ObjectStore, builder: TreeBuilder | null) {
    this.#objects = objects;
    this.#builder = builder;
  }

  async entries(tree: ObjectId): Promise<readonly TreeEntry[]> {
    const bytes = this.#builder?.made(tree)?.bytes ?? (await this.#bytes(tree));
    const parsed = parseTree(bytes);
    if (!parsed.ok) throw new DamagedCheckpoint(tree, parsed.error.detail);
    return parsed.value;
  }

  /** The content of the file at a path; null where there is none. */
  async leafAt(tree: ObjectId, path: WorkspacePath): Promise<ContentId | null> {
    let folder: ObjectId | null = tree;
    const names = path.split('/');
    for (const [depth, name] of names.entries()) {
      const entry: TreeEntry | undefined = (await this.#byName(folder)).get(name);
      if (depth === names.length - 1) return leafOf(entry)?.content ?? null;
      folder = folderOf(entry);
      if (folder === null) return null;
    }
    return null;
  }

  /** In no promised order. Null stands for an empty tree. */
  async differences(before: ObjectId | null, after: ObjectId | null): Promise<readonly LeafDifference[]> {
    const found: LeafDifference[] = [];
    await this.#compare('', before, after, found);
    return found;
  }

  async #compare(
    prefix: string,
    before: ObjectId | null,
    after: ObjectId | null,
    found: LeafDifference[],
  ): Promise<void> {
    if (before === after) return;
    const [old, next] = await Promise.all([this.#byName(before), this.#byName(after)]);
    for (const name of new Set([...old.keys(), ...next.keys()])) {
      const [a, b] = [old.get(name), next.get(name)];
      if (a?.id === b?.id && a?.mode === b?.mode) continue;
      const path = prefix === '' ? name : `${prefix}/${name}`;
      const [leafA, leafB] = [leafOf(a), leafOf(b)];
      if (leafA !== null || leafB !== null) found.push({ path: trustPath(path), before: leafA, after: leafB });
      await this.#compare(path, folderOf(a), folderOf(b), found);
    }
  }

  async #byName(tree: ObjectId | null): Promise<ReadonlyMap<string, TreeEntry>> {
    const entries = tree === null ? [] : await this.entries(tree);
    return new Map(entries.map((entry) => [entry.name, entry]));
  }

  async #bytes(id: ObjectId): Promise<Buffer> {
    const read = await this.#objects.read(id);
    if (!read.ok) {
      if (read.error.code === 'damaged') throw new DamagedCheckpoint(id, read.error.detail);
      throw new GitFailure(read.error);
    }
    if (read.value?.type !== 'tree') throw new DamagedCheckpoint(id, 'there is no such tree');
    return read.value.bytes;
  }
}

/** Every content that a tree in our own files names, whether anything needs that tree or not. */
export async function namedByOwnTrees(objects: ObjectStore): Promise<ReadonlySet<ObjectId>> {
  const named = new Set<ObjectId>();
  const types = await typesOf(objects.git, objects.gitDir, [...(await ownedIds(objects.gitDir))]);
  if (!types.ok) throw new GitFailure(types.error);
  for (const [id, type] of types.value) {
    const read = type === 'tree' ? await objects.read(id) : null;
    const parsed = read?.ok === true && read.value !== null ? parseTree(read.value.bytes) : null;
    // One that cannot be read names nothing that anybody could ask for.
    if (parsed?.ok !== true) continue;
    for (const entry of parsed.value) if (entry.mode !== '40000' && entry.mode !== '160000') named.add(entry.id);
  }
  return named;
}

function leafOf(entry: TreeEntry | undefined): Leaf | null {
  if (entry === undefined || entry.mode === '40000' || entry.mode === '160000') return null;
  return { mode: entry.mode satisfies FileMode, content: asContentId(entry.id) satisfies ContentId };
}

function folderOf(entry: TreeEntry | undefined): ObjectId | null {
  return entry?.mode === '40000' ? entry.id : null;
}
