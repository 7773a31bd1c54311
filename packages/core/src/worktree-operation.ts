import type { ApartFile, Located } from './apart-file.js';
import type { FileChange, FileVersion } from './file.js';
import type { CheckpointId, FlowConflictId, SessionId } from './ids.js';
import type { WorkspacePath } from './path.js';
import type { PlaceId } from './place.js';

/** Where an operation's files are: in the worktree of this place, and without it in the workspace's own folder. */
export type AtPlace = { readonly place?: PlaceId };

/** `auto`: what is changed in the worktree flows into the workspace at once; `review`: when it is accepted. */
export type WorktreeMode = 'auto' | 'review';

/** A folder stands for the workspace from here on: it holds what the checkpoint holds. Its place is named after this operation. */
export type WorktreeMade = {
  readonly kind: 'worktree-made';
  readonly session: SessionId;
  readonly path: string;
  readonly mode: WorktreeMode;
  readonly base: CheckpointId;
  /** The name of its folder among the workspace's worktrees. */
  readonly name: string;
  /** The first of the ports that are for what runs in it. */
  readonly portBase: number;
  /** Files of the checkpoint that are not in it, because they are ignored: they never flow. */
  readonly leftOut?: readonly WorkspacePath[];
  /** What changed in the workspace while it was made. */
  readonly apart?: readonly ApartFile[];
};
/** `checkpoint`: its last tree. Without one the folder was found gone. */
export type WorktreeRemoved = {
  readonly kind: 'worktree-removed';
  readonly worktree: PlaceId;
  readonly checkpoint?: CheckpointId;
};
/** A person says that what was found changed in the worktree, with nobody there to see it, may flow too. */
export type WorktreeSynced = { readonly kind: 'worktree-synced'; readonly worktree: PlaceId };

/** One file that two places hold, by its path in each; null where it is not. */
export type FlowPair = { readonly here: WorkspacePath | null; readonly there: WorkspacePath | null };
/** What both sides of a file rest on from here on: what the workspace holds, or what is said. */
export type Agreement = FlowPair & { readonly base?: Located | null };
/** What could not be merged: nothing of the file was written on either side. */
export type FlowConflict = FlowPair & {
  readonly base: FileVersion | null;
  /** In the workspace. */
  readonly ours: FileVersion | null;
  /** In the worktree. */
  readonly theirs: FileVersion | null;
  readonly reason: string;
};
/**
 * What was changed in one place came to another: the files follow from changes that are recorded there, and are nobody's
 * edit. `place` is where they were written.
 */
export type Flowed = AtPlace & {
  readonly kind: 'flowed';
  readonly worktree: PlaceId;
  readonly files: readonly FileChange[];
  readonly agreed?: readonly Agreement[];
  readonly conflicts?: readonly FlowConflict[];
  /** A person settled the conflict of this name with these files. */
  readonly resolves?: FlowConflictId;
};
