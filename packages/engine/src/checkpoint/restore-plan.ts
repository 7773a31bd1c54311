import type { ChangeId, CheckpointId, WorkspacePath } from '@palimpsest/core';
import type { Uncovered, UncoveredReason } from '../tree/coverage.js';
import type { FileWrite } from '../write/writer.js';
import type { ConversationPlan } from './conversation-restore.js';
import type { Obstacle } from './obstacles.js';

export type RestoreMode = 'files' | 'conversation' | 'both';

export type RestoreRequest = {
  /** Files or folders; without it, the whole tree. */
  readonly paths?: readonly string[] | undefined;
  readonly mode?: RestoreMode | undefined;
  /** Only what agents did since is taken back, around what people did. */
  readonly keepMine?: boolean | undefined;
};

/** What a restore would do. Nothing has been touched yet. */
export type RestorePlan = {
  /** Stands for exactly this plan: with it, the restore is refused when the world has moved. */
  readonly token: string;
  readonly checkpoint: CheckpointId;
  readonly mode: RestoreMode;
  readonly writes: readonly WorkspacePath[];
  readonly deletes: readonly WorkspacePath[];
  /** Of the paths above, those that hold what people, or hands unknown, did since; the rescue checkpoint will have it. */
  readonly yours: readonly WorkspacePath[];
  /** What the restore will not touch, because it was never captured. */
  readonly uncovered: readonly Untouched[];
  /** Ignored files that are not as they were then, and that only people changed since: they stay as they are. */
  readonly left: readonly LeftAlone[];
  /** It is not known what all files held then; `uncovered` names those that are known to have been there as `unread`. */
  readonly incomplete: boolean;
  /** Paths that would have to change and cannot; nothing of them is written. */
  readonly conflicts: readonly RestoreConflict[];
  readonly conversation: ConversationPlan | null;
};

/**
 * `not-captured-then`: it is there now, and nothing proves that it was not there then. `not-kept`: it changed since, and
 * its bytes were too large to keep or were forgotten, so it can be neither removed nor brought back.
 */
export type Untouched = {
  readonly path: Uncovered['path'];
  readonly reason: UncoveredReason | 'not-captured-then' | 'not-kept';
};

export type LeftAlone = { readonly path: WorkspacePath; readonly reason: 'ignored' };

export type RestoreConflict = {
  readonly path: WorkspacePath;
  /**
   * `overlap`: people changed the same lines since. `too-large`: the present bytes are not kept, and would be lost.
   * `bytes-gone`: those of then were forgotten, or are damaged. `name-taken`: another file has its former name.
   */
  readonly reason: Obstacle | 'overlap' | 'name-taken' | 'too-large' | 'bytes-gone';
};

/** A plan with what it takes to carry it out. */
export type PreparedRestore = {
  readonly plan: RestorePlan;
  readonly files: readonly FileWrite[];
  /** Texts that the restore brings about and that were never on disk. */
  readonly texts: readonly Uint8Array[];
  readonly takenBack: readonly ChangeId[];
};
