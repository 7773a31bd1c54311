import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { failed, type Outcome, ok, type SessionId } from '@palimpsest/core';
import { SerialQueue } from './basis/queue.js';
import type { OpenRefusal } from './basis/refusal.js';
import { Remarks } from './basis/remarks.js';
import { DEFAULT_SETTINGS, type Settings } from './basis/settings.js';
import { Calls } from './call/calls.js';
import { Notes } from './call/notes.js';
import { SessionDesk } from './call/session-desk.js';
import { neededContents, openCheckpoints } from './checkpoint/compose.js';
import type { ConversationRestore } from './checkpoint/conversation-restore.js';
import { expectedFailure } from './checkpoint/expected-failure.js';
import { mendFromDisk } from './checkpoint/health.js';
import { openContext } from './context/compose.js';
import type { AgentForks } from './conversation/agent-forks.js';
import { openConversations } from './conversation/compose.js';
import { openExchange } from './exchange/exchange-desk.js';
import { Forgetting } from './forget/forgetting.js';
import { findRepository, type UserRepository } from './git/user-repository.js';
import { LiveWorkspace } from './live-workspace.js';
import { type Log, LogError } from './log/log.js';
import { loadKnown, whenOpened } from './look/load-known.js';
import { Stock } from './look/stock.js';
import { openFlows } from './open-flows.js';
import { type Closer, openPlace, type PlaceSurroundings } from './open-place.js';
import { Places } from './place/places.js';
import { Changes } from './review/changes.js';
import { changesIn } from './review/committed.js';
import { LiveLog } from './store/live-log.js';
import { openStore, type Store } from './store/open-store.js';
import { Views } from './store/views.js';
import { isInside } from './tree/inside.js';
import { isSystemFolder, realPlace } from './tree/own-folders.js';
import { checkRoot } from './tree/scan.js';
import type { Workspace } from './workspace.js';

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
  /** Forks the conversations that agents keep themselves. */
  readonly forks?: AgentForks;
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

async function compose(root: string, store: Store, options: OpenOptions, threads: Closer[]): Promise<Workspace> {
  const around = surroundingsOf(store, options);
  const { settings, now, remarks } = around;
  const { main, live, repository } = await openMain(root, around, threads);
  const { known, rescan, watch, opening, head, disk, writer, tracker, unstored, adopted, locate } = main;
  const { content } = store;
  const places = new Places(main, live);
  const placeOf = (session: SessionId) => places.of(session);
  const calls = new Calls({ live, content, settings, now, placeOf, places: () => places.all() });
  const changes = new Changes(live, content);
  const queue = new SerialQueue(expectedFailure);
  const flowing = openFlows({ root, around, live, places, queue, repository, threads });
  await flowing.worktrees.reopen();
  await calls.restore();
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
  const conversations = openConversations({
    ...{ root, store, live, queue, sessions, remarks },
    forks: options.forks ?? null,
  });
  const conversation = options.conversation ?? conversations.restore;
  const checkpoints = openCheckpoints({
    ...{ root, settings, now, store, live, known, disk, watch, rescan, tracker, opening, writer },
    ...{ adopted, queue, locate, repository, remarks, stock, conversation },
  });
  const close = async () => {
    try {
      flowing.rounds.close();
      await conversations.close();
      await checkpoints.close();
      await places.close();
      live.views.store();
    } finally {
      await store.close();
    }
  };
  const notes = new Notes({ live, calls, content, placeOf, placeAt: (path) => places.holding(path) });
  const inContext = openContext({
    ...{ root, live, known, content, queue, changes, rescan, repository, head, remarks, tracker, locate, settings },
    git: store.git,
    knownOf: (session) => places.of(session).known,
    present: (path) => notes.presentContent(main, path),
  });
  return new LiveWorkspace(workspaceId(root), {
    ...{ root, settings, now, repository, locate, store, live, known, watch, rescan, opening, head },
    ...{ tracker, writer, places, calls, stock, queue, remarks, checkpoints, changes, close },
    ...{ notes, ...inContext, ...flowing },
    exchange: openExchange({ root, live, changes, content, known, messages: conversations.messages, queue, sessions }),
    forgetting: new Forgetting({
      ...{ root, live, content, objects: store.objects, disk, known, locate, repository },
      dropAsides: () => store.dropAsides(),
      withoutIndex: conversations.withoutIndex,
      diaries: options.diaries ?? (() => []),
    }),
    sessions,
    conversations: conversations.verbs,
    transcripts: conversations.transcripts,
  });
}

function surroundingsOf(store: Store, options: OpenOptions): PlaceSurroundings {
  return {
    store,
    settings: { ...DEFAULT_SETTINGS, ...options.settings },
    now: options.now ?? Date.now,
    remarks: remarksOf(store, options),
    own: ownOf(options),
    tooWide: options.tooWide ?? [],
    environment: options.environment ?? {},
  };
}

/** The workspace's own folder, with the log and its views, which all places share. */
async function openMain(root: string, around: PlaceSurroundings, threads: Closer[]) {
  const { store, settings, remarks, now } = around;
  const when = whenOpened(store, Date.now());
  let opened: { readonly live: LiveLog; readonly repository: UserRepository | null } | null = null;
  const main = await openPlace(
    {
      ...{ id: null, root, when },
      load: async (known, ownFolders) => {
        const repository = await repositoryOf(root, remarks);
        await loadKnown({ root, store, known, remarks, repository, ownFolders }, when);
        const live = new LiveLog(store.log, new Views(store.log), now, (error) => remarks.fault(error));
        opened = { live, repository };
        return { live, repository, head: headIn(store.log) };
      },
      alsoMeans: () => worktreesOf(opened!.live),
      changesIn: async (known, commit, previous) => {
        const { live, repository } = opened!;
        if (repository === null || !settings.commitAccepts) return [];
        const { review } = live.views;
        const onFault = (error: unknown) => remarks.fault(error);
        return changesIn({ git: store.git, repository, review, known, onFault }, commit, previous);
      },
    },
    around,
    threads,
  );
  return { main, ...opened! };
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
  const { sessions, worktrees } = live.views;
  const told = [...sessions.sessions.values()].flatMap(({ worktree }) => (worktree === null ? [] : [worktree.path]));
  const ours = [...worktrees.live.values()].map(({ path }) => path);
  return [...new Set([...told, ...ours, ...worktrees.gone.values()])];
}
