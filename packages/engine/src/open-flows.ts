import type { Checkpoint, PlaceId, WorkspacePath, WorktreeState } from '@palimpsest/core';
import type { SerialQueue } from './basis/queue.js';
import { Saver } from './checkpoint/saver.js';
import { TreeBuilder } from './checkpoint/tree-builder.js';
import { Flows } from './flow/flows.js';
import { Rounds } from './flow/rounds.js';
import { WorktreeDesk } from './flow/worktree-desk.js';
import type { UserRepository } from './git/user-repository.js';
import { trackedPaths } from './look/baseline.js';
import type { Closer, PlaceSurroundings } from './open-place.js';
import { openWorktree } from './open-worktree.js';
import type { OpenPlace } from './place/place.js';
import type { Places } from './place/places.js';
import { Desk } from './review/desk.js';
import { FollowedFiles } from './review/lineage.js';
import type { LiveLog } from './store/live-log.js';
import { CheckpointRefs } from './store/refs.js';
import { Coverage } from './tree/coverage.js';

export type FlowingParts = {
  readonly root: string;
  readonly around: PlaceSurroundings;
  readonly live: LiveLog;
  readonly places: Places;
  readonly queue: SerialQueue;
  readonly repository: UserRepository | null;
  readonly threads: Closer[];
};

/** What looks at all places and lets flow what is found, and the worktrees of sessions. */
export type Flowing = { readonly flows: Flows; readonly rounds: Rounds; readonly worktrees: WorktreeDesk };

export function openFlows(parts: FlowingParts): Flowing {
  const { root, around, live, places, queue, repository, threads } = parts;
  const { store, settings, remarks, environment } = around;
  const { content } = store;
  const isIgnored = ignoring(places.main, repository);
  const followed = new Map<PlaceId, FollowedFiles>();
  const flows = new Flows({
    ...{ live, content, places, isIgnored },
    deskAt: (place) => {
      const { known, writer, locate } = places.at(place)!;
      const files = followed.get(place) ?? new FollowedFiles();
      followed.set(place, files);
      return new Desk({
        ...{ place, live, content, known, writer, followed: files },
        locate: (path) => locate(path, root),
      });
    },
    remark: (line) => remarks.add(line),
  });
  const rounds = new Rounds({ places, flows, queue, remarks, lookAfterMs: settings.lookAfterMs });
  const worktrees = new WorktreeDesk({
    ...{ root, store, live, places, flows, rounds, repository, remarks, environment, isIgnored },
    settings: settings.worktree,
    open: (worktree, how) => openWorktree(worktree, how, { around, live, queue, threads, mainRoot: root }),
    save: (place, worktree) => saveTree(place, worktree, parts),
  });
  return { flows, rounds, worktrees };
}

/** What git ignores is nobody else's, and stays where it is; unless git tracks it all the same. */
function ignoring({ rescan }: OpenPlace, repository: UserRepository | null) {
  return async (path: WorkspacePath): Promise<boolean> => {
    const judged = new Coverage(rescan.bareRules()).file(path, 0);
    if (judged.covered && !judged.ignored) return false;
    return repository === null || !(await trackedPaths(repository)).has(path);
  };
}

async function saveTree(
  place: OpenPlace,
  { session, path }: WorktreeState,
  { around, live, queue }: FlowingParts,
): Promise<Checkpoint> {
  const { store, now, remarks } = around;
  const { known, rescan, opening, adopted, tracker } = place;
  const builder = new TreeBuilder(known);
  await builder.build(new AbortController().signal, queue.giveWay);
  const saver = new Saver({
    ...{ builder, objects: store.objects, live, rescan, known, opening, adopted, now },
    refs: new CheckpointRefs(store.objects.gitDir, (error) => remarks.fault(error)),
    held: () => tracker.heldVersions(),
  });
  const message = `the worktree ${path}, before it was removed`;
  const [saved] = await saver.save([{ asOf: 'now', reason: 'manual', session, message }]);
  return saved!;
}
