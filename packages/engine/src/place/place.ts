import type { PlaceId } from '@palimpsest/core';
import type { Securing } from '../call/securing.js';
import type { Adopted } from '../look/adopted.js';
import type { PathResolver } from '../look/call-plan.js';
import type { Capture } from '../look/capture.js';
import type { HeadTracker } from '../look/head.js';
import type { Opening } from '../look/opening.js';
import type { Rescan } from '../look/rescan.js';
import type { Tracker } from '../look/tracker.js';
import type { KnownTree } from '../store/known-tree.js';
import type { Unstored } from '../store/unstored.js';
import type { Disk } from '../tree/disk.js';
import type { Locator } from '../tree/locator.js';
import type { QuietWatch } from '../watch/quiet-watch.js';
import type { Writer } from '../write/writer.js';

/** A folder that holds the workspace's files, seen and written: the workspace's own, or a worktree. */
export type OpenPlace = {
  /** Null for the workspace's own folder. */
  readonly id: PlaceId | null;
  readonly root: string;
  readonly known: KnownTree;
  readonly rescan: Rescan;
  readonly watch: QuietWatch;
  readonly opening: Opening;
  readonly head: HeadTracker;
  readonly disk: Disk;
  readonly writer: Writer;
  readonly capture: Capture;
  readonly tracker: Tracker;
  readonly unstored: Unstored;
  readonly adopted: Adopted;
  readonly securing: Securing;
  /** From a path as somebody wrote it who works here. */
  readonly locate: Locator;
  readonly resolve: PathResolver;
  /** In a worktree: finds the paths of the workspace's own folder, where whoever works here has no business. */
  readonly strays: PathResolver | null;
  close(): Promise<void>;
};
