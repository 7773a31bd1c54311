import type { WorkspacePath } from '@palimpsest/core';

/**
 * Tells which paths may have changed. Hints are never proof: whoever gets one looks at the disk. They are complete,
 * though: what is not hinted has not changed, except through a memory map, which no system reports.
 */
export interface Watch {
  /** `scanning`: there are no events, every settle asks for a scan. May turn from `events` to `scanning` at any time. */
  readonly mode: WatchMode;
  /** Why it is scanning, for the user to see. */
  readonly note: string | null;
  /** All hints since the last settle, complete up to the moment of the call. A second caller gets what came after. */
  settle(): Promise<Settled>;
  /** Tells, in bundles, that hints or a need to scan arrived. The hints themselves come with the next settle. */
  onHint(listener: () => void): () => void;
  /** Also watches folders that coverage leaves out, because of a file in them that is known or was named by a tool. */
  addFolders(folders: readonly WorkspacePath[]): Promise<void>;
  close(): Promise<void>;
}

export type WatchMode = 'events' | 'scanning';

/** A hinted path may be a file or a folder, there or gone; for a folder all known paths below it are meant too. */
export type Settled = { readonly hints: ReadonlySet<WorkspacePath> | 'rescan' };
