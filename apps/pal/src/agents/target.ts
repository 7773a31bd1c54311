import type { HookAddress } from '../link/hook-address.js';

/** One file that wiring an agent up touches, and how. */
export type Target =
  | { readonly kind: 'hooks'; readonly path: string; readonly groups: readonly HookGroup[]; readonly secret: boolean }
  | { readonly kind: 'plugin-list'; readonly path: string; readonly url: string }
  /** Wholly ours. */
  | { readonly kind: 'own-file'; readonly path: string; readonly text: string };

/** One entry of a hooks file: which tools it is for, and what runs. */
export type HookGroup = { readonly event: string; readonly group: Readonly<Record<string, unknown>> };

/** `user`: in the user's own configuration, for every workspace. `shared`: in the workspace, for everybody in it. */
export type Scope = 'user' | 'shared';

/** `strict`: Claude Code keeps an edit from running when we cannot be asked. */
export type Strictness = 'lenient' | 'strict';

/** What an agent that asks who makes its worktrees is told: we do, and what is changed in them flows like that. */
export type Worktrees = 'auto' | 'review';

/** What an agent is told to say where its files are. */
export type Wiring = {
  readonly scope: Scope;
  /** The agent's own folder in that scope. */
  readonly folder: string;
  readonly data: string;
  readonly strictness: Strictness;
  /** Where Claude Code asks about its tools; null when it runs a program for that, as it does at all other events. */
  readonly address: HookAddress | null;
  /** The words that run `pal`. */
  readonly pal: readonly string[];
  /** The command line that takes an event. */
  readonly command: (event: string, ...options: readonly string[]) => string;
  /** The same for an event that is not quick: always the whole program. */
  readonly program: (event: string, ...options: readonly string[]) => string;
  readonly worktrees?: Worktrees | undefined;
};
