import type { ContentId, GitFact, SessionId, WorkspacePath } from '@palimpsest/core';
import type { SerialQueue } from '../basis/queue.js';
import type { Remarks } from '../basis/remarks.js';
import type { Settings } from '../basis/settings.js';
import { ignoredNow } from '../checkpoint/ignored-now.js';
import type { ContentStore } from '../content/content.js';
import type { Git } from '../git/run.js';
import type { UserRepository } from '../git/user-repository.js';
import type { HeadTracker } from '../look/head.js';
import type { Rescan } from '../look/rescan.js';
import type { Tracker } from '../look/tracker.js';
import type { Changes } from '../review/changes.js';
import type { KnownTree } from '../store/known-tree.js';
import type { LiveLog } from '../store/live-log.js';
import type { Locator } from '../tree/locator.js';
import { ContextDesk } from './context-desk.js';
import { gitDifference } from './git-difference.js';
import { OpenFilesDesk } from './open-files-desk.js';
import { PatchDesk } from './patch-desk.js';
import { WordRetrieval } from './word-retrieval.js';

type Parts = {
  readonly root: string;
  readonly live: LiveLog;
  readonly known: KnownTree;
  readonly content: ContentStore;
  readonly queue: SerialQueue;
  readonly changes: Changes;
  readonly tracker: Tracker;
  readonly locate: Locator;
  readonly git: Git;
  readonly repository: UserRepository | null;
  readonly head: HeadTracker;
  readonly rescan: Rescan;
  readonly remarks: Remarks;
  readonly settings: Settings;
  readonly knownOf: (session: SessionId) => KnownTree;
  readonly present: (path: WorkspacePath) => Promise<ContentId | null>;
};

/** Open files, the patch ledger, and the context that is made of them. */
export function openContext(parts: Parts) {
  const { root, live, known, content, queue, changes, tracker, settings, present } = parts;
  const locate = (path: string) => parts.locate(path, root);
  const patches = new PatchDesk(changes, queue, { live, known, locate });
  const context = new ContextDesk({
    ...{ live, known, content, queue, patches },
    knownOf: parts.knownOf,
    settings: settings.context,
    resolve: (written) => {
      const located = locate(written);
      return located.ok ? located.value : null;
    },
    look: () => queue.run(async () => void (await tracker.look())),
    retrieval: new WordRetrieval(known, content),
    gitDifference: () => differenceIn(parts),
  });
  return { patches, context, openFiles: new OpenFilesDesk({ live, known, queue, locate, present }) };
}

async function differenceIn({
  git,
  repository,
  head,
  known,
  content,
  rescan,
  remarks,
}: Parts): Promise<GitFact | null> {
  if (repository === null) return null;
  const ignored = () => ignoredNow(rescan.rules(), repository);
  const found = await gitDifference({ git, repository, head: head.commit, known, content, ignored });
  if (!found.ok) remarks.add(`git could not tell what is staged: ${found.error.code}`);
  return found.ok ? found.value : null;
}
