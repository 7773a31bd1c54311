import { type ChangeId, FILE_KINDS, type PlaceId, type WorkspacePath } from '@palimpsest/core';
import type { Remarks } from './basis/remarks.js';
import type { Settings } from './basis/settings.js';
import { Securing } from './call/securing.js';
import type { UserRepository } from './git/user-repository.js';
import { Adopted } from './look/adopted.js';
import type { PathResolver } from './look/call-plan.js';
import { Capture } from './look/capture.js';
import { Claims } from './look/claims.js';
import { HeadTracker } from './look/head.js';
import { Lingering } from './look/lingering.js';
import type { WhenOpened } from './look/load-known.js';
import { Observer } from './look/observer.js';
import { Opening } from './look/opening.js';
import { Recorder } from './look/recorder.js';
import { Rescan } from './look/rescan.js';
import { Tracker } from './look/tracker.js';
import type { OpenPlace } from './place/place.js';
import { KnownTree } from './store/known-tree.js';
import type { LiveLog } from './store/live-log.js';
import type { Store } from './store/open-store.js';
import { Unstored } from './store/unstored.js';
import { locatorFor } from './tree/locator.js';
import { ownFoldersIn } from './tree/own-folders.js';
import { openDisk } from './tree/real-disk.js';
import { diskIgnoresCase } from './tree/resolve.js';
import { openScanner, type Scanner } from './tree/scan.js';
import { DEFAULT_SCRATCH } from './tree/scratch.js';
import { openWatch } from './watch/directory-watch.js';
import { quietWatch } from './watch/quiet-watch.js';
import { Writer } from './write/writer.js';

/** What all places of a workspace have in common. */
export type PlaceSurroundings = {
  readonly store: Store;
  readonly settings: Settings;
  readonly now: () => number;
  readonly remarks: Remarks;
  /** Every folder that holds data of ours. */
  readonly own: readonly string[];
  readonly tooWide: readonly string[];
  /** What programs of the user's may inherit. */
  readonly environment: Readonly<Record<string, string | undefined>>;
};

export type PlaceRequest = {
  readonly id: PlaceId | null;
  readonly root: string;
  readonly when: WhenOpened;
  /** Takes in what is known of the files, while watching begins. */
  readonly load: (known: KnownTree, ownFolders: readonly string[]) => Promise<Loaded>;
  /** For a worktree: the workspace's own folder. */
  readonly mainRoot?: string;
  /** Other folders whose files stand for those here. */
  readonly alsoMeans?: () => readonly string[];
  /** The open changes that a commit holds and the one before did not. */
  readonly changesIn?: (known: KnownTree, head: string, previous: string | null) => Promise<readonly ChangeId[]>;
};

type Loaded = { readonly live: LiveLog; readonly repository: UserRepository | null; readonly head: string | null };

export type Closer = () => Promise<void>;

/**
 * Watch first, then look. `threads` is told how to end each thread that was started, for when something after it fails.
 * What an earlier process left half written is finished or taken back.
 */
export async function openPlace(
  request: PlaceRequest,
  around: PlaceSurroundings,
  threads: Closer[],
): Promise<OpenPlace> {
  const { id, root, when } = request;
  const { store, settings, remarks } = around;
  const known = new KnownTree();
  const scanner = openScanner(around.tooWide);
  const ownFolders = ownFoldersIn(root, around.own);
  const rescan = new Rescan({
    ...{ root, known, scanner },
    rules: { scratch: withNames(settings.scratch), ownFolders },
    onFault: (error) => remarks.add(`the tree could not be scanned: ${error.code}`),
  });
  // Watching begins while what is known is loaded; folders that only the known files speak for are added after it.
  const { watching, namesAtStart } = beginWatching(rescan, store.cookieFolder, when);
  const close = async () => {
    await (await watching).close();
    await scanner.close();
  };
  threads.push(
    () => scanner.close(),
    async () => (await watching).close(),
  );
  const { live, repository, head } = await request.load(known, ownFolders);
  const watch = quietWatch(await watching);
  await watch.addFolders([...known.folders()]);
  const opening = new Opening(root, when.firstAtMs, when.kind, namesAtStart());
  const ground = { id, root, known, scanner, rescan, watch, opening, head: new HeadTracker(repository, head) };
  return { ...(await trackingOn(ground, live, request, around)), close };
}

type Ground = Pick<OpenPlace, 'id' | 'root' | 'known' | 'rescan' | 'watch' | 'opening' | 'head'> & {
  readonly scanner: Scanner;
};

async function trackingOn(
  ground: Ground,
  live: LiveLog,
  request: PlaceRequest,
  around: PlaceSurroundings,
): Promise<Omit<OpenPlace, 'close'>> {
  const { id, root, known, rescan, watch, opening, head } = ground;
  const { store, settings, remarks, now } = around;
  const { content } = store;
  const disk = openDisk(root);
  const isAhead = (path: WorkspacePath) => capture.holds(path);
  const writer = new Writer({
    ...{ place: id, disk, content, known, live, isAhead },
    wrote: (path) => opening.sawNow(path),
    remark: (line) => remarks.add(line),
  });
  const recovered = await writer.recover();
  if (recovered !== null)
    remarks.add(`an interrupted write to the workspace was ${recovered === 'finished' ? 'finished' : 'taken back'}`);
  const unstored = new Unstored(known, isAhead);
  live.carry(unstored, id);
  const observer = new Observer({
    ...{ root, known, content, disk, unstored },
    coverage: () => rescan.coverage,
    cameUnwatched: (path) => opening.cameUnwatched(path),
    isRecorded: (path) => live.log.find({ path, kinds: FILE_KINDS, limit: 1 }).length > 0,
  });
  const capture = new Capture({ watch, observer, claims: new Claims(content), known, rescan, opening });
  const tracker = new Tracker({
    ...{ capture, live, head, opening },
    recorder: new Recorder(content, known, settings.measuredFiles, id),
    lingering: new Lingering(live, settings.callLifetimeMs, now),
    changesIn: async (commit, previous) => (await request.changesIn?.(known, commit, previous)) ?? [],
  });
  const adopted = new Adopted();
  const securing = new Securing({
    ...{ known, tracker, rescan, watch, adopted },
    loan: store.loan,
    last: () => live.log.last,
  });
  const locate = locatorFor(root, {
    ignoresCase: diskIgnoresCase(root),
    ...(request.alsoMeans === undefined ? {} : { worktrees: request.alsoMeans }),
  });
  const resolve: PathResolver = (cwd, written, lastLink) => {
    const located = locate(written, cwd, lastLink);
    return located.ok ? located.value : null;
  };
  return {
    ...{ id, root, known, rescan, watch, opening, head, disk, writer, capture, tracker, unstored, adopted },
    ...{ securing, locate, resolve, strays: straysOf(request) },
  };
}

function straysOf({ mainRoot }: PlaceRequest): PathResolver | null {
  if (mainRoot === undefined) return null;
  const locate = locatorFor(mainRoot, { ignoresCase: diskIgnoresCase(mainRoot) });
  return (cwd, written, lastLink) => {
    const located = locate(written, cwd, lastLink);
    return located.ok ? located.value : null;
  };
}

function withNames(names: readonly string[]): typeof DEFAULT_SCRATCH {
  return { segments: DEFAULT_SCRATCH.segments, names: [...DEFAULT_SCRATCH.names, ...names] };
}

/** Only a first open needs the names of the files that are there when watching begins; not every system tells them. */
function beginWatching(rescan: Rescan, cookieFolder: string, { kind }: WhenOpened) {
  let names: readonly string[] | null = null;
  const onNames = (paths: readonly string[]) => {
    names = paths;
  };
  const watching = openWatch({ rules: rescan.rules(), cookieFolder, ...(kind === 'again' ? {} : { onNames }) });
  // Whoever waits for it is told; until then it must not count as a fault that nobody handles.
  watching.catch(() => undefined);
  return { watching, namesAtStart: () => names };
}
