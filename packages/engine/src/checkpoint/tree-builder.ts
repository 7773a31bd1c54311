import { type FileVersion, isGitInternal, type WorkspacePath } from '@palimpsest/core';
import type { GiveWay } from '../basis/queue.js';
import type { ObjectId } from '../git/object-id.js';
import type { KnownTree } from '../store/known-tree.js';
import { FolderNode, type Leaf, type MadeTree, makeTrees, setLeaf, treeIdsIn } from './folder-node.js';

/** The git tree of a state and how many files it holds. */
export type BuiltTree = { readonly tree: ObjectId; readonly files: number };

/** How long the first building holds the thread at a time. */
const SLICE_MS = 5;

/**
 * The git trees of the present state, in memory. A change costs the folders above it; nothing is asked of the disk or
 * of git. Trees that were computed stay at hand until they are stored.
 */
export class TreeBuilder {
  readonly #known: KnownTree;
  readonly #root = new FolderNode();
  readonly #moved = new Set<WorkspacePath>();
  readonly #unkept = new Set<WorkspacePath>();
  readonly #made = new Map<ObjectId, MadeTree>();
  #files = 0;
  #ready = false;

  constructor(known: KnownTree) {
    this.#known = known;
    known.tell((path) => this.#moved.add(path));
  }

  get ready(): boolean {
    return this.#ready;
  }

  /** Files that are noticed but too large to keep. */
  get unkept(): ReadonlySet<WorkspacePath> {
    this.#catchUp();
    return this.#unkept;
  }

  /** A file that is noticed and not kept is in no tree: what is known of it all the same. */
  unkeptAt(path: WorkspacePath): Leaf | null {
    const state = this.unkept.has(path) ? this.#known.get(path) : null;
    return state === null ? null : { mode: state.mode, content: state.content };
  }

  /** Goes through all known files and computes their trees, a little at a time. */
  async build(signal: AbortSignal, giveWay: GiveWay): Promise<void> {
    const pause = pacer(signal, giveWay);
    for (const path of this.#known.paths()) {
      this.#place(path);
      if (await pause()) return;
    }
    for (const made of makeTrees(this.#root)) {
      this.#made.set(made.id, made);
      if (await pause()) return;
    }
    this.#ready = true;
  }

  now(): BuiltTree {
    this.#catchUp();
    return this.#built();
  }

  /** As now, but for these files. What is `null` is left out. */
  nowExcept(versions: ReadonlyMap<WorkspacePath, FileVersion | null>): BuiltTree {
    this.#catchUp();
    for (const [path, version] of versions) if (version === null) this.#put(path, null);
    for (const [path, version] of versions) if (version !== null) this.#put(path, version);
    const built = this.#built();
    for (const path of versions.keys()) this.#moved.add(path);
    return built;
  }

  /** Computed trees below this one that may not be stored yet, innermost last. */
  unstored(tree: ObjectId): readonly MadeTree[] {
    const found = new Map<ObjectId, MadeTree>();
    const visit = (id: ObjectId) => {
      const made = this.#made.get(id);
      if (made === undefined || found.has(id)) return;
      found.set(id, made);
      made.folders.forEach(visit);
    };
    visit(tree);
    return [...found.values()];
  }

  stored(trees: readonly MadeTree[]): void {
    for (const { id } of trees) this.#made.delete(id);
    // With the root stored all below it is, and what is left belongs to states that nobody saved.
    if (this.#root.id !== null && !this.#made.has(this.#root.id)) this.#made.clear();
  }

  made(tree: ObjectId): MadeTree | null {
    return this.#made.get(tree) ?? null;
  }

  /** Every tree that is taken to be stored when the next one is built. */
  treeIds(): Iterable<ObjectId> {
    return treeIdsIn(this.#root);
  }

  #catchUp(): void {
    if (!this.#ready) throw new Error('the trees are not built yet');
    // Removals first, so that a file can take the place of a folder.
    for (const path of this.#moved) if (this.#known.get(path) === null) this.#place(path);
    for (const path of this.#moved) this.#place(path);
    this.#moved.clear();
  }

  #built(): BuiltTree {
    const making = makeTrees(this.#root);
    for (;;) {
      const step = making.next();
      if (step.done === true) return { tree: step.value, files: this.#files };
      this.#made.set(step.value.id, step.value);
    }
  }

  #place(path: WorkspacePath): void {
    const state = this.#known.get(path);
    if (state !== null && !state.kept) this.#unkept.add(path);
    else this.#unkept.delete(path);
    this.#put(path, state?.kept === true ? state : null);
  }

  #put(path: WorkspacePath, version: Leaf | null): void {
    if (isGitInternal(path)) return;
    const leaf = version === null ? null : { mode: version.mode, content: version.content };
    this.#files += setLeaf(this.#root, path, leaf);
  }
}

/** Lets others have the thread every few milliseconds; answers true when it is time to stop. */
function pacer(signal: AbortSignal, giveWay: GiveWay): () => Promise<boolean> | boolean {
  let until = performance.now() + SLICE_MS;
  return () => {
    if (performance.now() < until) return false;
    return giveWay().then(() => {
      until = performance.now() + SLICE_MS;
      return signal.aborted;
    });
  };
}
