import {
  type Checkpoint,
  type FileVersion,
  isWithin,
  type PathStep,
  parentOf,
  sameVersion,
  type WorkspacePath,
} from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import { type KnownTree, versionOf } from '../store/known-tree.js';
import { type CoverageList, isUncovered } from '../tree/coverage-list.js';
import type { FileWrite } from '../write/writer.js';
import type { Ignored } from './ignored-now.js';
import { birthOf, obstacleAt } from './obstacles.js';
import type { LeftAlone, RestoreConflict, Untouched } from './restore-plan.js';
import type { LeafDifference } from './tree-reader.js';

export type ExactQuestion = {
  readonly root: string;
  readonly checkpoint: Checkpoint;
  /** `before` is now, `after` is then. */
  readonly differences: readonly LeafDifference[];
  readonly history: ReadonlyMap<WorkspacePath, readonly PathStep[]>;
  /** What the checkpoint did not cover. */
  readonly coverage: CoverageList;
  /** Paths that were asked for by name; null when everything was. */
  readonly named: readonly WorkspacePath[] | null;
  /** Asked only when it matters: the answer costs a look into git's index. */
  readonly ignored: () => Promise<Ignored>;
};

type ExactPlan = {
  readonly files: readonly FileWrite[];
  readonly untouched: readonly Untouched[];
  readonly left: readonly LeftAlone[];
  readonly conflicts: readonly RestoreConflict[];
};

/**
 * What it takes to have exactly the files of a checkpoint again. A file is removed only when it is proven not to have
 * been there then: its making is in the log, and the checkpoint did not leave it out. Nothing is overwritten or removed
 * whose bytes we do not keep, and no ignored file that only people changed since.
 */
export async function planExact(question: ExactQuestion, known: KnownTree, content: ContentStore): Promise<ExactPlan> {
  const { root } = question;
  const { differences, left } = await apartFromPeoples(question);
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
  return { files, untouched, left, conflicts };
}

/**
 * An ignored file that is there, and that people changed since and no agent, is theirs: git does not know it, so nobody
 * who wants an earlier state of the work can mean it, unless its name was said. Whose hand was unknown counts as theirs.
 */
async function apartFromPeoples(
  question: ExactQuestion,
): Promise<{ readonly differences: readonly LeafDifference[]; readonly left: readonly LeftAlone[] }> {
  const { differences, history } = question;
  const candidates = differences.filter(({ path, before }) => before !== null && isPeoples(history.get(path)));
  if (candidates.length === 0) return { differences, left: [] };
  const ignored = await question.ignored();
  const isNamed = (path: WorkspacePath) =>
    question.named?.some((name) => name === path || (isWithin(path, name) && ignored.folder(name)));
  const left = candidates.filter(({ path }) => ignored.file(path) && !isNamed(path));
  const apart = new Set(left.map(({ path }) => path));
  return {
    differences: differences.filter(({ path }) => !apart.has(path)),
    left: [...apart].sort().map((path) => ({ path, reason: 'ignored' })),
  };
}

/** What we did ourselves is not theirs: a restore of the rescue checkpoint takes it back. */
function isPeoples(steps: readonly PathStep[] | undefined): boolean {
  if (steps === undefined) return true;
  return steps.some(({ by }) => by === 'person') && steps.every(({ by }) => by !== 'agent');
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
  if (first === undefined) return false;
  // It was known and is not in the tree: it had gone by then, which was recorded only when a running call had ended.
  const hadGone = first.before !== null && first.after === null;
  if (first.before !== null && !hadGone) return false;
  if (first.exact && !hadGone) return true;
  if (isUncovered(coverage, path)) return false;
  // The list of what was left out is cut; a file that is older than the checkpoint may have been beyond the cut.
  return coverage.beyond === 0 || birthOf(root, path) >= checkpoint.at;
}
