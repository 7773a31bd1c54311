import type { Workspace } from '@palimpsest/engine';
import { EventFeed } from './event-feed.js';

/** An open workspace, with what the daemon knows about its use. */
export class HostedWorkspace {
  readonly workspace: Workspace;
  readonly feed: EventFeed;
  readonly #now: () => number;
  #users = 0;
  #usedAt: number;
  #workedAt: number | null = null;

  constructor(workspace: Workspace, now: () => number) {
    this.workspace = workspace;
    this.feed = new EventFeed(workspace);
    this.#now = now;
    this.#usedAt = now();
  }

  /** How many requests and listeners are with it at the moment. */
  get users(): number {
    return this.#users;
  }

  /** When it was last asked for anything. */
  get usedAt(): number {
    return this.#usedAt;
  }

  /** When a session last did anything in it; null when none has since it was opened. */
  get workedAt(): number | null {
    return this.#workedAt;
  }

  /** Keeps it open until the answer is called. */
  enter(): () => void {
    this.#users += 1;
    this.#usedAt = this.#now();
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      this.#users -= 1;
      this.#usedAt = this.#now();
    };
  }

  markWork(): void {
    this.#workedAt = this.#now();
  }

  async close(): Promise<void> {
    this.feed.close();
    await this.workspace.close();
  }
}
