import type { FileVersion } from '../file.js';
import type { LineTally } from '../lines/tally.js';
import { addTo } from '../lists.js';
import { nameOf, type WorkspacePath } from '../path.js';

/** What happened at one path. `inodes` says which file it was on the disk before and after; 0 is not known. */
export type Move = {
  readonly path: WorkspacePath;
  readonly before: FileVersion | null;
  readonly after: FileVersion | null;
  readonly inodes?: Inodes;
};
export type Inodes = { readonly before: number; readonly after: number };

/** By new path, the old one. */
export type Renames = ReadonlyMap<WorkspacePath, WorkspacePath>;

/** A file that vanished and one that appeared which are worth comparing, and how alike they must be. */
type RenameCandidate = { readonly from: Move; readonly to: Move; readonly least: number };

/** Alike as git means it: half of the larger file is the same. */
const ALIKE = 0.5;
/** A number of the disk is given out again once its file is gone, so that alone it proves nothing. */
const ALIKE_WITH_SAME_INODE = 0.2;
/** Reading two files costs more than what a far-fetched pair is worth. */
const COMPARISONS_LIMIT = 200;
const COMPARED_BYTES = 8 * 1024 * 1024;
/** The index of git keeps this many bits of a file's number. */
const INODE_BITS = 2 ** 32;

/**
 * Which of the files that appeared are files that vanished: the same content. Among equal ones the same file of the
 * disk decides, then the same mode, then the same file name. An empty file is like any other empty file, so there the
 * file of the disk or the name must be the same.
 */
export function pairRenames(moves: readonly Move[]): Renames {
  const gone = new Map<string, Move[]>();
  for (const move of moves) {
    if (move.after !== null || move.before === null) continue;
    addTo(gone, keyOf(move.before), move);
  }
  const pairs = new Map<WorkspacePath, WorkspacePath>();
  if (gone.size === 0) return pairs;
  const created = moves.filter((move) => move.before === null && move.after !== null);
  for (const rule of RULES) {
    for (const move of created) {
      const candidates = gone.get(keyOf(move.after!));
      if (candidates === undefined || pairs.has(move.path)) continue;
      const at = candidates.findIndex((candidate) => rule(candidate, move));
      if (at >= 0) pairs.set(move.path, candidates.splice(at, 1)[0]!.path);
    }
  }
  return pairs;
}

/** What may be a rename with an edit: the same file of the disk first, then the same name, then a like size. */
export function renameCandidates(moves: readonly Move[], pairs: Renames): readonly RenameCandidate[] {
  const taken = new Set(pairs.values());
  const gone = moves.filter(({ path, before, after }) => after === null && isText(before) && !taken.has(path));
  if (gone.length === 0) return [];
  const created = moves.filter(({ path, before, after }) => before === null && isText(after) && !pairs.has(path));
  const found: RenameCandidate[] = [];
  const ranked = [sameInode, sameName, likeSize];
  const seen = new Set<string>();
  let bytes = 0;
  for (const rule of ranked) {
    for (const to of created) {
      for (const from of gone) {
        if (found.length >= COMPARISONS_LIMIT) return found;
        const key = `${from.path}\0${to.path}`;
        if (seen.has(key) || !rule(from, to)) continue;
        seen.add(key);
        bytes += from.before!.size + to.after!.size;
        if (bytes > COMPARED_BYTES) return found;
        found.push({ from, to, least: rule === sameInode ? ALIKE_WITH_SAME_INODE : ALIKE });
      }
    }
  }
  return found;
}

/** The pairs with those added that were found to be alike enough, the most alike first. */
export function withSimilar(
  pairs: Renames,
  compared: readonly { readonly candidate: RenameCandidate; readonly likeness: number }[],
): Renames {
  const all = new Map(pairs);
  const taken = new Set(pairs.values());
  const enough = compared.filter(({ candidate, likeness }) => likeness >= candidate.least);
  const rank = ({ candidate, likeness }: (typeof enough)[number]) =>
    likeness + (candidate.least === ALIKE_WITH_SAME_INODE ? 1 : 0);
  for (const { candidate } of enough.sort((a, b) => rank(b) - rank(a))) {
    const { from, to } = candidate;
    if (all.has(to.path) || taken.has(from.path)) continue;
    all.set(to.path, from.path);
    taken.add(from.path);
  }
  return all;
}

/** How much of the larger of two texts is in the other as well, from 0 to 1, line by line in any order. */
export function likeness(a: LineTally, b: LineTally): number {
  let common = 0;
  for (const [line, count] of a.counts) common += Math.min(count, b.counts.get(line) ?? 0) * line.length;
  const larger = Math.max(a.length, b.length);
  return larger === 0 ? 0 : common / larger;
}

/** Whether a file that went and one that came under the number of the first are one: the disk gives numbers out again. */
export function isSameFile(gone: LineTally, came: LineTally): boolean {
  return likeness(gone, came) >= ALIKE_WITH_SAME_INODE;
}

const keyOf = (version: FileVersion) => `${version.mode === '120000' ? 'link' : 'file'} ${version.content}`;
const isText = (version: FileVersion | null) => version !== null && version.mode !== '120000' && version.size > 0;

const sameInode = (from: Move, to: Move) => {
  const [before, after] = [from.inodes?.before ?? 0, to.inodes?.after ?? 0];
  return before !== 0 && before % INODE_BITS === after % INODE_BITS;
};
const sameMode = (from: Move, to: Move) => from.before?.mode === to.after?.mode;
const sameName = (from: Move, to: Move) => nameOf(from.path) === nameOf(to.path);
const anyName = (from: Move, to: Move) => (to.after?.size ?? 0) > 0 && from.path !== to.path;
const likeSize = (from: Move, to: Move) => {
  const [old, next] = [from.before!.size, to.after!.size];
  return Math.min(old, next) >= ALIKE * Math.max(old, next);
};

const RULES = [
  sameInode,
  (from: Move, to: Move) => sameMode(from, to) && sameName(from, to),
  sameName,
  (from: Move, to: Move) => sameMode(from, to) && anyName(from, to),
  anyName,
];
