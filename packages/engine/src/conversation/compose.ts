import { join } from 'node:path';
import type { SerialQueue } from '../basis/queue.js';
import type { Remarks } from '../basis/remarks.js';
import type { SessionDesk } from '../call/session-desk.js';
import type { LiveLog } from '../store/live-log.js';
import type { Store } from '../store/open-store.js';
import { Conversations } from './conversations.js';
import { Messages } from './messages.js';
import { ModelHistories } from './model-history.js';
import { OwnRestore } from './own-restore.js';
import { Search } from './search.js';

type ConversationsParts = {
  readonly store: Store;
  readonly live: LiveLog;
  readonly queue: SerialQueue;
  readonly sessions: SessionDesk;
  readonly remarks: Remarks;
};

const SEARCH_INDEX = 'search.sqlite';

/** The part of a workspace that keeps what was said, put together. */
export function openConversations({ store, live, queue, sessions, remarks }: ConversationsParts) {
  const messages = new Messages(live, store.content);
  const search = new Search({
    ...{ live, content: store.content, file: join(store.folder, SEARCH_INDEX) },
    onFault: (error) => remarks.fault(error),
  });
  const histories = new ModelHistories({ live, queue, messages });
  return {
    messages,
    verbs: new Conversations({ live, messages, queue, sessions, search, histories }),
    ownRestore: new OwnRestore(live, messages),
    withoutIndex: <T>(work: () => Promise<T>) => search.without(work),
    close: () => search.close(),
  };
}
