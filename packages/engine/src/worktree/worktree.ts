import type { WorktreeSettings } from '../basis/settings.js';
import type { ObjectId } from '../git/object-id.js';
import type { ObjectStore } from '../git/objects.js';
import type { UserRepository } from '../git/user-repository.js';

/*
 * A second tree of a workspace's files, for one session. It lies outside of the workspace, in a folder of ours:
 *
 *   HOME/NAME/mark.json      written first and removed last; what has no mark is not ours
 *   HOME/NAME/<folder>/      the tree, named like the workspace's own folder, because agents show that name
 */

/** `linked`: git knows it as a linked worktree. `copy`: the same files without a repository of their own. */
export type WorktreeKind = 'linked' | 'copy';

export type Worktree = {
  readonly name: string;
  readonly kind: WorktreeKind;
  /** What corresponds to the workspace's root. Absolute and free of links. */
  readonly path: string;
  /** The top of the linked repository; the same as `path` unless the workspace is a folder inside a repository. */
  readonly top: string;
  /** The commit that its HEAD was put at, detached; null for a copy. */
  readonly head: ObjectId | null;
};

export type MadeWorktree = Worktree & {
  /** What of the workspace's covered tree is in it: the tree that was asked for, without the ignored files. */
  readonly tree: ObjectId;
  /** Besides the tree: ignored files that were named, dependencies. */
  readonly carried: readonly Carried[];
  readonly notCarried: readonly NotCarried[];
  /** What the setup command said, if there is one. */
  readonly setup: string | null;
};

/** `by`: how it came along. A path of a folder ends in `/`. */
export type Carried = { readonly path: string; readonly by: 'reflink' | 'copy' };

export type NotCarriedReason =
  /** Ignored, and not named in `.worktreeinclude`. */
  | 'ignored'
  /** The settings say so. */
  | 'setting'
  /** A copy would be larger than the settings allow, and the disk cannot share it. */
  | 'too-large'
  /** Its files came along, its repository did not. */
  | 'nested-repository'
  /** Below the top of the repository, but not in the workspace. */
  | 'outside'
  /** A pipe, a socket or a device. */
  | 'special'
  | 'unreadable';
export type NotCarried = { readonly path: string; readonly reason: NotCarriedReason };

export type WorktreeRequest = {
  readonly root: string;
  readonly repository: UserRepository | null;
  readonly objects: ObjectStore;
  /** Where this workspace's worktrees lie; made if it is not there. */
  readonly home: string;
  /** Letters, digits, `-`, `_` and `.`; not taken yet. */
  readonly name: string;
  /** The tree of a checkpoint: what the workspace holds now. */
  readonly tree: ObjectId;
  readonly settings: WorktreeSettings;
  /** For the setup command alone. */
  readonly environment: Readonly<Record<string, string | undefined>>;
};

export type WorktreeRefusal =
  | { readonly code: 'bad-name'; readonly name: string }
  | { readonly code: 'taken'; readonly path: string }
  /** The folder for worktrees is inside of the workspace, which would hold itself. */
  | { readonly code: 'inside-workspace'; readonly path: string }
  | { readonly code: 'no-space' }
  | { readonly code: 'setup-failed'; readonly exitCode: number | null; readonly output: string }
  /** Nothing is left of it. */
  | { readonly code: 'not-made'; readonly why: string };

export type RemovalRefusal =
  /** No mark of ours says that we made it. */
  | { readonly code: 'not-ours'; readonly name: string }
  | { readonly code: 'busy'; readonly processes: readonly Occupant[] }
  /** Commits that no branch or tag has, and that would be lost. */
  | { readonly code: 'commits'; readonly head: ObjectId; readonly count: number }
  | { readonly code: 'not-removed'; readonly path: string; readonly why: string };

/** A process that works in a folder. */
export type Occupant = { readonly pid: number; readonly command: string; readonly cwd: string };
