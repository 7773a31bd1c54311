import { join } from 'node:path';
import type { SerialQueue } from '../basis/queue.js';
import type { Remarks } from '../basis/remarks.js';
import type { SessionDesk } from '../call/session-desk.js';
import type { LiveLog } from '../store/live-log.js';
import type { Store } from '../store/open-store.js';
import type { AgentForks } from './agent-forks.js';
import { AgentRestore } from './agent-restore.js';
import { Conversations } from './conversations.js';
import { Messages } from './messages.js';
import { ModelHistories } from './model-history.js';
import { OwnRestore } from './own-restore.js';
import { Search } from './search.js';
import { Transcripts } from './transcripts.js';

type ConversationsParts = {
  readonly root: string;
  readonly forks: AgentForks | null;
  readonly store: Store;
  readonly live: LiveLog;
  readonly queue: SerialQueue;
  readonly sessions: SessionDesk;
  readonly remarks: Remarks;
};

const SEARCH_INDEX = 'search.sqlite';

/** The part of a workspace that keeps what was said, put together. */
export function openConversations({ root, store, live, queue, sessions, remarks, forks }: ConversationsParts) {
  const transcripts = new Transcripts({ live, content: store.content, queue, sessions });
  const messages = new Messages(live, store.content);
  const search = new Search({
    ...{ live, content: store.content, file: join(store.folder, SEARCH_INDEX) },
    onFault: (error) => remarks.fault(error),
  });
  const histories = new ModelHistories({ live, queue, messages });
  return {
    messages,
    verbs: new Conversations({ live, messages, queue, sessions, search, histories }),
    restore: new AgentRestore({ root, live, messages, transcripts, forks, own: new OwnRestore(live, messages) }),
    transcripts,
    withoutIndex: <T>(work: () => Promise<T>) => search.without(work),
    close: () => search.close(),
  };
}
