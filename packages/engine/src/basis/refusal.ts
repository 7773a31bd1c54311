import type { WorkspacePath } from '@palimpsest/core';

/**
 * What the engine answers when it will not or cannot do what was asked: a code and the facts. Sentences for people are
 * made by the faces.
 */
export type Refusal =
  | { readonly code: 'outside'; readonly path: string }
  | { readonly code: 'bad-path'; readonly path: string; readonly why: string }
  | { readonly code: 'bad-id'; readonly what: string; readonly input: string }
  | { readonly code: 'bad-input'; readonly why: string }
  | { readonly code: 'unknown-session'; readonly session: string }
  | { readonly code: 'unknown-change'; readonly change: string }
  | { readonly code: 'unknown-checkpoint'; readonly checkpoint: string }
  | { readonly code: 'unknown-content'; readonly content: string }
  /** Of the user's repository, by whatever name. */
  | { readonly code: 'unknown-commit'; readonly range: string }
  | { readonly code: 'no-such-file'; readonly path: WorkspacePath }
  /** The file is not among those that are open, or pinned, for whom it was asked. */
  | { readonly code: 'not-open'; readonly path: WorkspacePath; readonly act: 'close' | 'unpin' }
  /** What was written to choose by fits nothing; `like` is what it could have been. */
  | {
      readonly code: 'no-match';
      readonly what: 'change' | 'call' | 'path' | 'file' | 'patch';
      readonly name: string;
      readonly like: readonly string[];
    }
  /** The beginning of several ids. */
  | {
      readonly code: 'ambiguous';
      readonly what: 'session' | 'call';
      readonly name: string;
      readonly like: readonly string[];
    }
  | { readonly code: 'nothing-to-do'; readonly why: string }
  /** Nothing can be left out of what the model gets; it has so many tokens. */
  | { readonly code: 'cannot-reduce'; readonly tokens: number }
  | { readonly code: 'moved'; readonly paths: readonly WorkspacePath[]; readonly seq: number }
  /** Later edits are in the way of what was asked; nothing was written. */
  | { readonly code: 'conflict'; readonly paths: readonly WorkspacePath[]; readonly why: string }
  /** The bytes before the change were too large to keep, or are gone. */
  | { readonly code: 'not-reversible'; readonly change: string; readonly path: WorkspacePath }
  | { readonly code: 'not-written'; readonly path: WorkspacePath; readonly why: string }
  | { readonly code: 'no-space' }
  | { readonly code: 'damaged'; readonly what: string }
  | { readonly code: 'too-large'; readonly what: string; readonly limit: number }
  /** A worktree could not be made or removed; `why` is what stands in the way, and `facts` what is known of it. */
  | { readonly code: 'no-worktree'; readonly why: string; readonly facts: Readonly<Record<string, unknown>> }
  /** A worktree that is to go holds what is nowhere else yet, or is not decided. */
  | {
      readonly code: 'worktree-holds';
      readonly folder: string;
      readonly pending: readonly string[];
      readonly conflicts: readonly string[];
      readonly apart: readonly WorkspacePath[];
    }
  | { readonly code: 'closed' };

export type OpenRefusal =
  | { readonly code: 'not-a-folder'; readonly root: string }
  /** A folder of the system's, such as `/proc`, or one in which we keep our own data. */
  | { readonly code: 'not-a-workspace'; readonly root: string; readonly why: 'system' | 'own-data' }
  | { readonly code: 'held'; readonly pid: number | null }
  | { readonly code: 'git-missing' }
  | { readonly code: 'too-large'; readonly what: string; readonly limit: number }
  | { readonly code: 'newer-log'; readonly version: number; readonly known: number }
  | { readonly code: 'damaged'; readonly what: string }
  | { readonly code: 'no-space' }
  | { readonly code: 'io'; readonly why: string };
