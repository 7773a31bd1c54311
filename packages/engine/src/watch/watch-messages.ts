import type { PackedRules } from '../tree/coverage-rules.js';

export type WatchStart = {
  readonly rules: PackedRules;
  /** A folder of ours, outside the workspace, in which cookies are put. */
  readonly cookieFolder: string;
  /** Begins the name of every cookie that is meant for this watch. */
  readonly cookiePrefix: string;
  readonly style: WatchStyle;
  /** Whether the names of the files that are met at the start are to be told. */
  readonly names: boolean;
};

/** `folders`: a watcher for each folder. `recursive`: one for all, where the system has such a thing. */
export type WatchStyle = 'folders' | 'recursive';

export type ToWatchWorker = { readonly kind: 'add'; readonly id: number; readonly folders: readonly string[] };

export type FromWatchWorker =
  /** `names`: of all files met, joined; null when nobody asked, or none were met on the way. */
  | { readonly kind: 'ready'; readonly names: string | null }
  | { readonly kind: 'hints'; readonly paths: string }
  | { readonly kind: 'rescan' }
  | { readonly kind: 'settled'; readonly cookie: number }
  | { readonly kind: 'added'; readonly id: number }
  | { readonly kind: 'failed'; readonly note: string };
