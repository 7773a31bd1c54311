import type { FileVersion } from './file.js';
import { nameOf, type WorkspacePath } from './path.js';

export type Move = {
  readonly path: WorkspacePath;
  readonly before: FileVersion | null;
  readonly after: FileVersion | null;
};

/**
 * Which of the files that appeared are files that vanished, by new path: the same content and mode, the same file name
 * preferred. An empty file is like any other empty file, so there the name must be the same too.
 */
export function pairRenames(moves: readonly Move[]): ReadonlyMap<WorkspacePath, WorkspacePath> {
  const gone = new Map<string, Move[]>();
  for (const move of moves) {
    if (move.after !== null || move.before === null) continue;
    const key = keyOf(move.before);
    gone.set(key, [...(gone.get(key) ?? []), move]);
  }
  const pairs = new Map<WorkspacePath, WorkspacePath>();
  if (gone.size === 0) return pairs;
  const created = moves.filter((move) => move.before === null && move.after !== null);
  for (const rule of [sameName, anyName]) {
    for (const move of created) {
      const candidates = gone.get(keyOf(move.after!));
      if (candidates === undefined || pairs.has(move.path)) continue;
      const at = candidates.findIndex((candidate) => rule(candidate, move));
      if (at >= 0) pairs.set(move.path, candidates.splice(at, 1)[0]!.path);
    }
  }
  return pairs;
}

const keyOf = (version: FileVersion) => `${version.mode} ${version.content}`;
const sameName = (from: Move, to: Move) => nameOf(from.path) === nameOf(to.path);
const anyName = (from: Move, to: Move) => (to.after?.size ?? 0) > 0 && from.path !== to.path;
