import {
  type Checkpoint,
  type FileVersion,
  type PathStep,
  parentOf,
  sameVersion,
  type WorkspacePath,
} from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import { type KnownTree, versionOf } from '../known-tree.js';
import type { FileWrite } from '../writer.js';
import { type CoverageList, isUncovered } from './coverage-list.js';
import { birthOf, obstacleAt } from './obstacles.js';
import type { RestoreConflict, Untouched } from './restore-plan.js';
import type { LeafDifference } from './tree-reader.js';

export type ExactQuestion = {
  readonly root: string;
  readonly checkpoint: Checkpoint;
  /** `before` is now, `after` is then. */
  readonly differences: readonly LeafDifference[];
  readonly history: ReadonlyMap<WorkspacePath, readonly PathStep[]>;
  /** What the checkpoint did not cover. */
  readonly coverage: CoverageList;
};

export type FileDecisions = {
  readonly files: readonly FileWrite[];
  readonly untouched: readonly Untouched[];
  readonly conflicts: readonly RestoreConflict[];
};

/**
 * What it takes to have exactly the files of a checkpoint again. A file is removed only when it is proven not to have
 * been there then: its making is in the log, and the checkpoint did not leave it out. Nothing is overwritten or removed
 * whose bytes we do not keep.
 */
export async function planExact(
  question: ExactQuestion,
  known: KnownTree,
  content: ContentStore,
): Promise<FileDecisions> {
  const { root, differences } = question;
  const files: FileWrite[] = [];
  const untouched: Untouched[] = [];
  const conflicts: RestoreConflict[] = [];
  const removed = new Set<WorkspacePath>();
  const wantedPaths = new Set(differences.filter(({ after }) => after !== null).map(({ path }) => path));
  for (const { path, before, after } of differences) {
    if (after !== null || before === null) continue;
    if (!wasMadeSince(question, path)) untouched.push({ path, reason: 'not-captured-then' });
    else {
      removed.add(path);
      files.push({
        path,
        expected: versionOf(known.get(path)),
        next: null,
        ...foldersToo(path, wantedPaths, question),
      });
    }
  }
  const wanted = differences.filter(({ after }) => after !== null);
  const sizes = await content.sizes([...new Set(wanted.map(({ after }) => after!.content))]);
  for (const { path, after } of wanted) {
    const size = sizes.get(after!.content);
    const state = known.get(path);
    if (size === undefined) {
      conflicts.push({ path, reason: 'bytes-gone' });
      continue;
    }
    const next: FileVersion = { ...after!, size };
    if (sameVersion(versionOf(state), next)) continue;
    const reason =
      state === null
        ? obstacleAt(root, path, removed)
        : state.kept
          ? null
          : ('too-large' satisfies RestoreConflict['reason']);
    if (reason === null) files.push({ path, expected: versionOf(state), next });
    else conflicts.push({ path, reason });
  }
  return { files, untouched, conflicts };
}

/** Folders that were there then stay, also when nothing is left in them, unless a file takes their place. */
function foldersToo(
  path: WorkspacePath,
  wanted: ReadonlySet<WorkspacePath>,
  { checkpoint }: ExactQuestion,
): Pick<FileWrite, 'foldersSinceMs'> {
  for (let above = parentOf(path); above !== null; above = parentOf(above)) if (wanted.has(above)) return {};
  return { foldersSinceMs: checkpoint.at };
}

function wasMadeSince({ root, checkpoint, history, coverage }: ExactQuestion, path: WorkspacePath): boolean {
  const first = history.get(path)?.[0];
  if (first === undefined || first.before !== null) return false;
  if (first.exact) return true;
  if (isUncovered(coverage, path)) return false;
  // The list of what was left out is cut; a file that is older than the checkpoint may have been beyond the cut.
  return coverage.beyond === 0 || birthOf(root, path) >= checkpoint.at;
}
