import {
  type FileVersion,
  kindOfChange,
  type LineSpan,
  type Move,
  pairRenames,
  type WorkspacePath,
} from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import { measure } from '../store/measure.js';
import type { Leaf } from './folder-node.js';
import type { Scope } from './scope.js';
import type { LeafDifference } from './tree-reader.js';

/** One file that differs between two states. The bytes of either side are had by their content id. */
export type DiffEntry = {
  readonly path: WorkspacePath;
  readonly fromPath?: WorkspacePath;
  readonly kind: 'create' | 'modify' | 'delete' | 'rename';
  readonly before: FileVersion | null;
  readonly after: FileVersion | null;
  /** Measured only when the diff is asked for by path. */
  readonly binary?: boolean;
  readonly spans?: readonly LineSpan[];
};

export type CheckpointDiff = { readonly from: string; readonly to: string; readonly files: readonly DiffEntry[] };

/** Sorted by path. A file that vanished here and appeared there with the same bytes is one entry. */
export async function describeDifferences(
  differences: readonly LeafDifference[],
  content: ContentStore,
): Promise<readonly DiffEntry[]> {
  const leaves = differences.flatMap(({ before, after }) => [before, after]).filter((leaf) => leaf !== null);
  const sizes = await content.sizes([...new Set(leaves.map((leaf) => leaf.content))]);
  const versionOf = (leaf: Leaf | null): FileVersion | null =>
    leaf === null ? null : { ...leaf, size: sizes.get(leaf.content) ?? 0 };
  const moves: Move[] = differences.map(({ path, before, after }) => ({
    path,
    before: versionOf(before),
    after: versionOf(after),
  }));
  const renames = pairRenames(moves);
  const sources = new Set(renames.values());
  const versions = new Map(moves.map((move) => [move.path, move]));
  const entries = moves
    .filter(({ path }) => !sources.has(path))
    .map(({ path, before, after }): DiffEntry => {
      const fromPath = renames.get(path);
      const old = fromPath === undefined ? before : (versions.get(fromPath)?.before ?? null);
      const change = { path, before: old, after, ...(fromPath === undefined ? {} : { fromPath }) };
      return { ...change, kind: kindOfChange({ ...change, binary: false, reversible: true, spans: [] }) };
    });
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The entries that are meant, measured line by line. */
export async function measureAt(
  entries: readonly DiffEntry[],
  scope: Scope,
  content: ContentStore,
): Promise<readonly DiffEntry[]> {
  const wanted = entries.filter(({ path, fromPath }) => scope(path) || (fromPath !== undefined && scope(fromPath)));
  const measured: DiffEntry[] = [];
  for (const entry of wanted) {
    const { binary, spans } = await measure(content, entry.before, entry.after);
    measured.push({ ...entry, binary, spans });
  }
  return measured;
}
