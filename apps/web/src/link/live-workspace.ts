import type { ChangeJson, Client, OperationJson, StatusAnswer } from '@palimpsest/protocol';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { answer, clientOf, Refused } from './page-client.js';

/** What the page knows of a workspace: a snapshot, and that it is told of everything that happens after it. */
export type Live = {
  readonly status: StatusAnswer | null;
  /** What waits for a verdict, oldest first. */
  readonly pending: readonly ChangeJson[];
  readonly conflicts: readonly ChangeJson[];
  /** The operations that came since the page is open, oldest first. */
  readonly recent: readonly OperationJson[];
  readonly link: 'connecting' | 'live' | 'lost' | 'shut-out';
  /** Why the last look came to nothing. */
  readonly trouble: string | null;
};

const NOTHING: Live = {
  ...{ status: null, pending: [], conflicts: [], recent: [], link: 'connecting', trouble: null },
};
const MOST_RECENT = 500;
/** News that come close together are one look. */
const PAUSE_MS = 50;

/** Keeps a snapshot of one workspace up to date while somebody looks at it. */
export class LiveWorkspace {
  readonly id: string;
  readonly client: Client;
  #live = NOTHING;
  readonly #listeners = new Set<() => void>();
  readonly #end = new AbortController();
  #looking: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(id: string) {
    this.id = id;
    this.client = clientOf(id);
  }

  get = (): Live => this.#live;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  start(): void {
    void this.#follow();
  }

  stop(): void {
    this.#end.abort();
  }

  /** Looks at everything anew. Whoever asks while that is under way waits for the look after it, which all of them share. */
  look(): Promise<void> {
    if (this.#looking === null) {
      this.#looking = this.#lookNow().finally(() => {
        this.#looking = null;
      });
      return this.#looking;
    }
    this.#next ??= this.#looking.then(async () => {
      await pause(PAUSE_MS);
      this.#next = null;
      return this.look();
    });
    return this.#next;
  }

  /** What a verdict on these changes and hunks is known to have done, shown before the daemon has told everything anew. */
  decided(ids: readonly string[], status: 'accepted' | 'rejected'): void {
    const gone = new Set(ids);
    const pending = this.#live.pending
      .filter(({ id }) => !gone.has(id))
      .map((change) => {
        if (!change.hunks.some(({ id }) => gone.has(id))) return change;
        return { ...change, hunks: change.hunks.map((hunk) => (gone.has(hunk.id) ? { ...hunk, status } : hunk)) };
      })
      .filter(({ hunks }) => hunks.length === 0 || hunks.some((hunk) => hunk.status === 'pending'));
    this.#set({ pending });
  }

  async #lookNow(): Promise<void> {
    const { signal } = this.#end;
    try {
      const [status, pending, conflicts] = await Promise.all([
        answer(this.client.status({ signal })),
        answer(this.client.listChanges({ signal })),
        answer(this.client.listConflicts({ signal })),
      ]);
      this.#set({ status, pending: pending.changes, conflicts: conflicts.changes, trouble: null });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Refused)) throw error;
      this.#set(error.isShutOut ? { link: 'shut-out' } : { trouble: error.message });
    }
  }

  async #follow(): Promise<void> {
    await this.look();
    const since = this.#live.status?.seq;
    const { signal } = this.#end;
    for await (const event of this.client.events({ signal, ...(since === undefined ? {} : { since }) })) {
      switch (event.kind) {
        case 'connected':
          this.#set({ link: 'live' });
          void this.look();
          break;
        case 'operation':
          this.#set({ recent: [...this.#live.recent, event.operation].slice(-MOST_RECENT) });
          void this.look();
          break;
        case 'reset':
          void this.look();
          break;
        case 'disconnected':
          this.#set({ link: 'lost' });
          break;
        case 'failed':
          this.#set({ link: event.failure.status === 401 ? 'shut-out' : 'lost', trouble: event.failure.error.message });
      }
    }
  }

  #set(part: Partial<Live>): void {
    this.#live = { ...this.#live, ...part };
    for (const listener of this.#listeners) listener();
  }
}

/** The workspace that is looked at, for as long as the component is there. */
export function useLive(id: string): readonly [LiveWorkspace, Live] {
  const workspace = useMemo(() => new LiveWorkspace(id), [id]);
  useEffect(() => {
    workspace.start();
    return () => workspace.stop();
  }, [workspace]);
  return [workspace, useSyncExternalStore(workspace.subscribe, workspace.get)];
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
