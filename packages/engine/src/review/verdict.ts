import type { ChangeId, Decision, HunkId, ReviewEntry, WorkspacePath } from '@palimpsest/core';
import type { Told } from './told.js';

/**
 * What a verdict is about. Changes and hunks by id; or all that is open and of a call, session and path, where several
 * of these hold together; or all that is open.
 */
export type Selection = {
  readonly changes?: readonly string[] | undefined;
  readonly hunks?: readonly string[] | undefined;
  readonly call?: string | undefined;
  readonly path?: string | undefined;
  readonly session?: string | undefined;
  readonly all?: boolean | undefined;
};

export type VerdictOptions = {
  /** What the verdict was decided on; refused if a file concerned has changed since. */
  readonly at?: number | undefined;
  /** Answers what would be done, and does nothing. */
  readonly dryRun?: boolean | undefined;
};

export type RejectOptions = VerdictOptions & {
  /** What goes with it: later changes that rest on the text, or all later ones of the file. */
  readonly cascade?: 'dependents' | 'file' | undefined;
  /** Reaches the agents whose changes are rejected. */
  readonly comment?: string | undefined;
};

export type VerdictAnswer = {
  /** The files of what was decided, written or not. */
  readonly paths: readonly WorkspacePath[];
  readonly cascaded: readonly ChangeId[];
  readonly conflicts: readonly ChangeId[];
  /** Those of what is accepted, or rejected, that were so before. */
  readonly already: readonly (ChangeId | HunkId)[];
  /** What was asked for and is as it was, and why. */
  readonly left: readonly Left[];
  readonly written: readonly WorkspacePath[];
  /** Those of `written` that are no file afterwards. */
  readonly deleted: readonly WorkspacePath[];
  readonly seq: number;
};
export type AcceptAnswer = VerdictAnswer & { readonly accepted: readonly (ChangeId | HunkId)[] };
export type RejectAnswer = VerdictAnswer & { readonly rejected: readonly (ChangeId | HunkId)[] };

export type Left = { readonly id: ChangeId | HunkId; readonly why: LeftReason };
export type LeftReason =
  /** Another change of the same file cannot be merged, and a file is written as a whole or not at all. */
  | 'file-in-conflict'
  /** Its bytes were too large to keep, or are gone. */
  | 'not-reversible'
  /** A running call has written the file. */
  | 'call-running'
  /** The call or session that was named may have made it, and so may others: only its own was taken. */
  | 'perhaps-anothers'
  /** A person may have made it, so that it has to be named. */
  | 'perhaps-a-persons'
  /** A hunk of a change that was named, which had the other verdict: only its own name takes that back. */
  | 'accepted-before'
  | 'rejected-before';

export type AttributeTo = { readonly session: string; readonly call?: string | undefined };
export type AttributeAnswer = { readonly change: ReviewEntry; readonly seq: number };

/** `ours` leaves the file, `theirs` takes the change out with what rests on it, `agent` takes out what came on top of it. */
export type ResolveWith = { readonly take: 'ours' | 'theirs' | 'agent' } | { readonly bytes: Uint8Array };
export type ResolveOptions = Pick<VerdictOptions, 'dryRun'>;
export type ResolveAnswer = {
  readonly resolved: ChangeId;
  readonly path: WorkspacePath;
  readonly cascaded: readonly ChangeId[];
  readonly written: readonly WorkspacePath[];
  /** Those of `written` that are no file afterwards. */
  readonly deleted: readonly WorkspacePath[];
  readonly seq: number;
};

export type UndoAnswer = {
  /** The decision taken back. */
  readonly operation: number;
  readonly kind: Decision['kind'];
  readonly written: readonly WorkspacePath[];
  /** Those of `written` that are no file afterwards. */
  readonly deleted: readonly WorkspacePath[];
  /** Later decisions that cannot be taken back any more, because bytes that it takes are gone. */
  readonly passedOver: readonly number[];
  readonly decision: Told | null;
  /** The verdict that was asked for last decided nothing, so that this is an older one than whoever asks may think. */
  readonly afterNothing: boolean;
  readonly seq: number;
};

/** A change, or some hunks of it, that a verdict is about. `hunks` is null for the whole. */
export type Selected = { readonly id: ChangeId; readonly hunks: readonly HunkId[] | null };
