import type { WorkspacePath } from '@palimpsest/core';
import type { WorktreeSettings } from '../basis/settings.js';
import type { ObjectId } from '../git/object-id.js';
import type { ObjectStore } from '../git/objects.js';
import type { UserRepository } from '../git/user-repository.js';

/** `linked`: git knows it as a linked worktree. `copy`: the same files without a repository. */
export type WorktreeKind = 'linked' | 'copy';

/** A second tree of a workspace's files, for one session, in a folder of ours outside of the workspace. */
export type Worktree = {
  readonly name: string;
  readonly kind: WorktreeKind;
  /** The workspace that it was made of. */
  readonly root: string;
  /** What corresponds to that root. Absolute and free of links. */
  readonly path: string;
  /** The top of the linked repository; the same as `path` unless the workspace is a folder inside a repository. */
  readonly top: string;
  /** The commit that its HEAD was put at, detached; null for a copy. */
  readonly head: ObjectId | null;
  /** The first of some ports that servers in it may use; no other worktree of the workspace has the same. */
  readonly portBase: number;
};

export type MadeWorktree = Worktree & {
  /** Files of the tree that was asked for that are not in it: ignored, and not named in `.worktreeinclude`. */
  readonly leftOut: readonly WorkspacePath[];
  /** What is in it besides that tree. */
  readonly carried: readonly Carried[];
  readonly notCarried: readonly NotCarried[];
  /** How many more are not carried than that list has. */
  readonly notCarriedBeyond: number;
  /** What the setup command said, if there is one. */
  readonly setup: string | null;
};

/** A path of a folder ends in `/`. */
export type Carried = {
  readonly path: string;
  readonly what: 'dependencies' | 'named' | 'large' | 'outside';
  readonly by: 'reflink' | 'copy';
};

type NotCarriedReason =
  /** Ignored, and not named in `.worktreeinclude`. */
  | 'ignored'
  /** Dependencies that the settings leave out, or leave to the setup command. */
  | 'setting'
  /** A copy would be larger than the settings allow, and the disk cannot share it. */
  | 'too-large'
  /** Its files came along, its repository did not. */
  | 'nested-repository'
  /** A pipe, a socket or a device; a name that could pass for git's own there. */
  | 'special'
  | 'unreadable';
export type NotCarried = { readonly path: string; readonly reason: NotCarriedReason };

export type WorktreeRequest = {
  /** Absolute and free of links. */
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

/** After any of these nothing is left of what was begun. */
export type WorktreeRefusal =
  | { readonly code: 'bad-name'; readonly name: string }
  | { readonly code: 'taken'; readonly path: string }
  /** The folder for worktrees is inside of the workspace or its repository, which would hold itself. */
  | { readonly code: 'inside-workspace'; readonly path: string }
  | { readonly code: 'no-space' }
  | { readonly code: 'setup-failed'; readonly exitCode: number | null; readonly output: string }
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
