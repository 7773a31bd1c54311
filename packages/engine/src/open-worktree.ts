import { FILE_KINDS, filesAt, type PlaceId, type Seq, type WorkspacePath, type WorktreeState } from '@palimpsest/core';
import type { SerialQueue } from './basis/queue.js';
import { TreeReader } from './checkpoint/tree-reader.js';
import type { FileState } from './log/log.js';
import { type Closer, openPlace, type PlaceSurroundings } from './open-place.js';
import type { OpenPlace } from './place/place.js';
import { type KnownTree, unproven } from './store/known-tree.js';
import type { LiveLog } from './store/live-log.js';
import { statIsProof } from './tree/stat.js';

type WorktreePlace = OpenPlace & { readonly id: PlaceId };

export type WorktreeOpening = {
  readonly around: PlaceSurroundings;
  readonly live: LiveLog;
  readonly queue: SerialQueue;
  readonly threads: Closer[];
  readonly mainRoot: string;
};

/** Opens the place of a worktree: one that was made just now, or one that was there before. */
export async function openWorktree(
  worktree: WorktreeState,
  how: 'anew' | 'again',
  { around, live, queue, threads, mainRoot }: WorktreeOpening,
): Promise<WorktreePlace> {
  const { place: id, path: root } = worktree;
  const isStored = live.log.marks.get(storedMark(id)) !== null;
  const place = await openPlace(
    {
      ...{ id, root, mainRoot, when: { kind: 'again', firstAtMs: Date.now() } },
      load: async (known) => {
        const states = isStored ? live.log.filesAt(id).all() : await recordedStates(worktree, live, around);
        for (const state of states) known.set(state);
        return { live, repository: null, head: null };
      },
    },
    around,
    threads,
  );
  if (how === 'anew') await takeAsMade(place);
  else await queue.run(() => lookAtAll(place));
  place.opening.finish();
  // In the background: until it is there, the next open knows from the first tree and the log.
  if (!isStored)
    void live.log
      .filesAt(id)
      .replace(place.tracker.recorded(), queue.giveWay)
      .then(() => live.log.marks.set(storedMark(id), 'yes'))
      .catch((error: unknown) => around.remarks.fault(error));
  return { ...place, id };
}

function storedMark(id: PlaceId): string {
  return `stock-taken:${id}`;
}

/** What the log says the worktree held: its first tree, and what happened since. */
async function recordedStates(
  { place, base, leftOut }: WorktreeState,
  live: LiveLog,
  { store }: PlaceSurroundings,
): Promise<Iterable<FileState>> {
  const states = new Map<WorkspacePath, FileState>();
  const checkpoint = live.views.checkpoints.saved.get(base);
  const tree = checkpoint === undefined ? null : checkpoint.tree;
  const left = new Set(leftOut);
  for (const { path, after } of await new TreeReader(store.objects, null).differences(null, tree))
    if (after !== null && !left.has(path)) states.set(path, unproven(path, { ...after, size: 0 }));
  const since = Number(place.slice(1)) as Seq;
  for (const operation of live.log.find({ kinds: FILE_KINDS, since }))
    for (const { path, fromPath, after } of filesAt(operation, place)) {
      if (fromPath !== undefined) states.delete(fromPath);
      if (after === null) states.delete(path);
      else states.set(path, unproven(path, after));
    }
  return states.values();
}

/** Nobody knew of the folder before: what is there is what was put there, and what came along besides is nobody's change. */
async function takeAsMade({ rescan, known, tracker }: OpenPlace): Promise<void> {
  const scanned = await rescan.scan();
  if (scanned === null) return;
  const besides = new Set<WorkspacePath>();
  for (const { path, stat } of scanned.files()) {
    const state = known.get(path);
    if (state === null || state.mode !== stat.mode) {
      besides.add(path);
      continue;
    }
    const mtimeMs = statIsProof(stat, scanned.takenAtMs) ? stat.mtimeMs : -1;
    known.set({ ...state, size: stat.size, mtimeMs, ctimeMs: stat.ctimeMs, ino: stat.ino });
  }
  forgetMissing(known, (path) => scanned.indexOf(path) >= 0);
  if (besides.size > 0) await tracker.lookAt(besides, besides);
}

function forgetMissing(known: KnownTree, isThere: (path: WorkspacePath) => boolean): void {
  for (const path of [...known.paths()]) if (!isThere(path)) known.delete(path);
}

async function lookAtAll(place: OpenPlace): Promise<void> {
  place.capture.oweScan();
  await place.tracker.look();
}
