import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { failed, type Outcome, ok, type WorkspacePath } from '@palimpsest/core';
import { SerialQueue } from './basis/queue.js';
import type { OpenRefusal } from './basis/refusal.js';
import { Remarks } from './basis/remarks.js';
import { DEFAULT_SETTINGS, type Settings } from './basis/settings.js';
import { Calls } from './call/calls.js';
import { Notes } from './call/notes.js';
import { Securing } from './call/securing.js';
import { SessionDesk } from './call/session-desk.js';
import { neededContents, openCheckpoints } from './checkpoint/compose.js';
import type { ConversationRestore } from './checkpoint/conversation-restore.js';
import { expectedFailure } from './checkpoint/expected-failure.js';
import { mendFromDisk } from './checkpoint/health.js';
import { OpenFilesDesk } from './context/open-files-desk.js';
import { PatchDesk } from './context/patch-desk.js';
import { openConversations } from './conversation/compose.js';
import { Exchange } from './exchange/exchange.js';
import { Forgetting } from './forget/forgetting.js';
import { findRepository, type UserRepository } from './git/user-repository.js';
import { LiveWorkspace } from './live-workspace.js';
import { type Log, LogError } from './log/log.js';
import { Adopted } from './look/adopted.js';
import type { PathResolver } from './look/call-plan.js';
import { Capture } from './look/capture.js';
import { Claims } from './look/claims.js';
import { HeadTracker } from './look/head.js';
import { Lingering } from './look/lingering.js';
import { loadKnown, type WhenOpened, whenOpened } from './look/load-known.js';
import { Observer } from './look/observer.js';
import { Opening } from './look/opening.js';
import { Recorder } from './look/recorder.js';
import { Rescan } from './look/rescan.js';
import { Stock } from './look/stock.js';
import { Tracker } from './look/tracker.js';
import { Changes } from './review/changes.js';
import { changesIn } from './review/committed.js';
import { KnownTree } from './store/known-tree.js';
import { LiveLog } from './store/live-log.js';
import { openStore, type Store } from './store/open-store.js';
import { Unstored } from './store/unstored.js';
import { Views } from './store/views.js';
import { isInside } from './tree/inside.js';
import { locatorFor } from './tree/locator.js';
import { isSystemFolder, ownFoldersIn, realPlace } from './tree/own-folders.js';
import { openDisk } from './tree/real-disk.js';
import { diskIgnoresCase } from './tree/resolve.js';
import { checkRoot, openScanner } from './tree/scan.js';
import { DEFAULT_SCRATCH } from './tree/scratch.js';
import { openWatch } from './watch/directory-watch.js';
import { quietWatch } from './watch/quiet-watch.js';
import type { Workspace } from './workspace.js';
import { Writer } from './write/writer.js';

export type OpenOptions = {
  /** The folder for this workspace's data; made if it is not there. */
  readonly data: string;
  readonly settings?: Partial<Settings>;
  /** What git may inherit; see `sealGit`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Every folder that holds data of ours, of whatever workspace; `data` is one of them. None is ever covered. */
  readonly own?: readonly string[];
  /** Folders that are never a workspace, such as the user's home. */
  readonly tooWide?: readonly string[];
  readonly now?: () => number;
  /** Takes a conversation back along with the files; without it there is none. */
  readonly conversation?: ConversationRestore;
  /** Text files of the caller's that may quote what it was told; what is forgotten is taken out of them too. */
  readonly diaries?: () => readonly string[];
  /** Shown in the status from the beginning. */
  readonly remarks?: readonly string[];
  /** Told about faults that have no caller to be returned to. They also show in the status. */
  readonly onFault?: (error: unknown) => void;
};

/** Where the data of a workspace is kept depends on this: stable, and safe as a file name. */
export function workspaceId(realRoot: string): string {
  return createHash('sha256').update(realRoot).digest('hex').slice(0, 16);
}

/**
 * Opens a workspace: watch first, then look. It is ready for calls when this resolves; going through the whole tree
 * happens behind it.
 */
export async function openWorkspace(root: string, options: OpenOptions): Promise<Outcome<Workspace, OpenRefusal>> {
  const checked = checkRoot(root, options.tooWide ?? []);
  if (!checked.ok) {
    const { code } = checked.error;
    return failed(code === 'no-folder' ? { code: 'not-a-folder', root } : { code: 'too-large', what: root, limit: 0 });
  }
  const why = isSystemFolder(checked.value)
    ? 'system'
    : ownOf(options).some((folder) => isInside(realPlace(folder), checked.value))
      ? 'own-data'
      : null;
  if (why !== null) return failed({ code: 'not-a-workspace', root, why });
  try {
    return await openIn(checked.value, options);
  } catch (error) {
    if (!(error instanceof LogError) || error.code !== 'damaged') throw error;
    // A log too large to be gone through beforehand showed its damage while it was read.
    return openIn(checked.value, options, 'log');
  }
}

async function openIn(root: string, options: OpenOptions, doubted?: 'log'): Promise<Outcome<Workspace, OpenRefusal>> {
  const store = await openStore(options.data, options.environment ?? {}, doubted);
  if (!store.ok) return store;
  const threads: Closer[] = [];
  try {
    return ok(await compose(root, store.value, options, threads));
  } catch (error) {
    for (const close of threads) await close().catch(() => undefined);
    await store.value.close();
    throw error;
  }
}

function ownOf({ data, own = [] }: OpenOptions): readonly string[] {
  return [data, ...own];
}

type Closer = () => Promise<void>;

async function compose(root: string, store: Store, options: OpenOptions, threads: Closer[]): Promise<Workspace> {
  const ground = await groundOf(root, store, options, threads);
  const { settings, now, remarks, known, scanner, rescan, repository, live, watch, opening, head } = ground;
  const { log, content } = store;
  const { disk, writer, tracker, unstored } = await trackingOn(ground);
  const adopted = new Adopted();
  const securing = new Securing({
    ...{ known, tracker, rescan, watch, adopted },
    loan: store.loan,
    last: () => log.last,
  });
  const locate = locatorFor(root, {
    ignoresCase: diskIgnoresCase(root),
    worktrees: () => worktreesOf(live),
  });
  const resolve: PathResolver = (cwd, written, lastLink) => {
    const located = locate(written, cwd, lastLink);
    return located.ok ? located.value : null;
  };
  const calls = new Calls({ root, live, tracker, securing, known, content, settings, resolve, now });
  await calls.restore(root);
  const changes = new Changes(live, content);
  const queue = new SerialQueue(expectedFailure);
  const needed = neededContents({ store, live, known, tracker });
  const stock = new Stock({
    ...{ store, live, known, rescan, tracker, unstored, queue, opening, head, remarks, needed },
    mend: async (ids, signal) => {
      const { lost } = await mendFromDisk({ objects: store.objects, content, known, disk, signal }, ids);
      return lost.map((state) => state.content);
    },
    // Nobody waits for what comes after the first trees.
    sooner: () => checkpoints.ready,
  });
  const sessions = new SessionDesk(live);
  const conversations = openConversations({ store, live, queue, sessions, remarks });
  const conversation = options.conversation ?? conversations.ownRestore;
  const checkpoints = openCheckpoints({
    ...{ root, settings, now, store, live, known, disk, watch, rescan, tracker, opening, writer },
    ...{ adopted, queue, locate, repository, remarks, stock, conversation },
  });
  const close = async () => {
    try {
      await conversations.close();
      await checkpoints.close();
      await watch.close();
      await scanner.close();
      live.views.store();
    } finally {
      await store.close();
    }
  };
  const notes = new Notes({ root, live, known, calls, content, securing, tracker, locate });
  const meant = { live, known, locate: (path: string) => locate(path, root) };
  const patches = new PatchDesk(changes, queue, meant);
  const openFiles = new OpenFilesDesk({ ...meant, queue, present: (path) => notes.presentContent(path) });
  return new LiveWorkspace(workspaceId(root), {
    ...{ root, settings, now, repository, locate, store, live, known, watch, rescan, opening, head },
    ...{ tracker, writer, calls, stock, queue, remarks, checkpoints, changes, close },
    ...{ notes, openFiles, patches },
    exchange: new Exchange({ root, live, changes, content, known }),
    forgetting: new Forgetting({
      ...{ root, live, content, objects: store.objects, disk, known, locate, repository },
      dropAsides: () => store.dropAsides(),
      withoutIndex: conversations.withoutIndex,
      diaries: options.diaries ?? (() => []),
    }),
    sessions,
    conversations: conversations.verbs,
  });
}

/**
 * What all the rest stands on: the log with its views, what is known of the files, and a watch over them. `threads` is told
 * how to end each thread that was started, for when something after it fails.
 */
async function groundOf(root: string, store: Store, options: OpenOptions, threads: Closer[]) {
  const settings: Settings = { ...DEFAULT_SETTINGS, ...options.settings };
  const now = options.now ?? Date.now;
  const when = whenOpened(store, Date.now());
  const remarks = remarksOf(store, options);
  const known = new KnownTree();
  const scanner = openScanner(options.tooWide);
  const ownFolders = ownFoldersIn(root, ownOf(options));
  const rescan = new Rescan({
    root,
    known,
    scanner,
    rules: { scratch: withNames(settings.scratch), ownFolders },
    onFault: (error) => remarks.add(`the tree could not be scanned: ${error.code}`),
  });
  // Watching begins while what is known is loaded; folders that only the known files speak for are added after it.
  const { watching, namesAtStart } = beginWatching(rescan, store, when);
  threads.push(
    () => scanner.close(),
    async () => (await watching).close(),
  );
  const repository = await repositoryOf(root, remarks);
  await loadKnown({ root, store, known, remarks, repository, ownFolders }, when);
  const live = new LiveLog(store.log, new Views(store.log), now, (error) => remarks.fault(error));
  const watch = quietWatch(await watching);
  await watch.addFolders([...known.folders()]);
  const opening = new Opening(root, when.firstAtMs, when.kind, namesAtStart());
  const head = new HeadTracker(repository, headIn(store.log));
  return {
    ...{ root, settings, now, store, remarks, known, scanner, rescan, repository },
    ...{ live, watch, opening, head },
  };
}

type Ground = Awaited<ReturnType<typeof groundOf>>;

/** What sees, records and writes; with what an earlier process left half written finished or taken back. */
async function trackingOn(ground: Ground) {
  const { root, settings, store, remarks, known, rescan, repository, live, watch, opening, head, now } = ground;
  const { content } = store;
  const disk = openDisk(root);
  const isAhead = (path: WorkspacePath) => capture.holds(path);
  const writer = new Writer({
    ...{ disk, content, known, live, isAhead },
    wrote: (path) => opening.sawNow(path),
    remark: (line) => remarks.add(line),
  });
  const recovered = await writer.recover();
  if (recovered !== null)
    remarks.add(`an interrupted write to the workspace was ${recovered === 'finished' ? 'finished' : 'taken back'}`);
  const unstored = new Unstored(known, isAhead);
  live.carry(unstored);
  const observer = new Observer({
    ...{ root, known, content, disk, unstored },
    coverage: () => rescan.coverage,
    cameUnwatched: (path) => opening.cameUnwatched(path),
  });
  const capture = new Capture({ watch, observer, claims: new Claims(content), known, rescan, opening });
  const tracker = new Tracker({
    ...{ capture, live, head, opening },
    recorder: new Recorder(content, known, settings.measuredFiles),
    lingering: new Lingering(live, settings.callLifetimeMs, now),
    changesIn: async (commit, previous) => {
      if (repository === null || !settings.commitAccepts) return [];
      const { review } = live.views;
      const onFault = (error: unknown) => remarks.fault(error);
      return changesIn({ git: store.git, repository, review, known, onFault }, commit, previous);
    },
  });
  return { disk, writer, tracker, unstored };
}

function remarksOf(store: Store, options: OpenOptions): Remarks {
  const remarks = new Remarks(options.onFault ?? (() => undefined));
  for (const line of options.remarks ?? []) remarks.add(line);
  if (store.setAside !== null)
    remarks.add(
      `the stored contents could not be read and were set aside as ${store.setAside}; everything starts anew`,
    );
  for (const aside of store.logsAside())
    remarks.add(
      `a damaged log was set aside as ${join(store.folder, aside)}, and what could be read of it was taken over; ` +
        'gc frees nothing while it is there: delete it if nothing is missing',
    );
  return remarks;
}

function withNames(names: readonly string[]): typeof DEFAULT_SCRATCH {
  return { segments: DEFAULT_SCRATCH.segments, names: [...DEFAULT_SCRATCH.names, ...names] };
}

/** Only a first open needs the names of the files that are there when watching begins; not every system tells them. */
function beginWatching(rescan: Rescan, { cookieFolder }: Store, { kind }: WhenOpened) {
  let names: readonly string[] | null = null;
  const onNames = (paths: readonly string[]) => {
    names = paths;
  };
  const watching = openWatch({ rules: rescan.rules(), cookieFolder, ...(kind === 'again' ? {} : { onNames }) });
  // Whoever waits for it is told; until then it must not count as a fault that nobody handles.
  watching.catch(() => undefined);
  return { watching, namesAtStart: () => names };
}

async function repositoryOf(root: string, remarks: Remarks): Promise<UserRepository | null> {
  const found = await findRepository(root);
  if (found.ok) return found.value;
  remarks.add(`the git repository here cannot be read: ${found.error.detail}`);
  return null;
}

/** The commit that HEAD was at when that was last recorded. */
function headIn(log: Log): string | null {
  const [last] = log.find({ kinds: ['committed', 'workspace-opened'], newestFirst: true, limit: 1 });
  return last?.kind === 'committed' || last?.kind === 'workspace-opened' ? last.head : null;
}

function worktreesOf(live: LiveLog): readonly string[] {
  return [...live.views.sessions.sessions.values()].flatMap(({ worktree }) =>
    worktree === null ? [] : [worktree.path],
  );
}
