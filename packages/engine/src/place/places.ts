import { resolve } from 'node:path';
import type { PlaceId, SessionId } from '@palimpsest/core';
import type { LiveLog } from '../store/live-log.js';
import { isInside } from '../tree/inside.js';
import { realPlace } from '../tree/own-folders.js';
import type { OpenPlace } from './place.js';

/** The places of one workspace that are open: its own folder, and each worktree that is there. */
export class Places {
  readonly main: OpenPlace;
  readonly #live: LiveLog;
  readonly #worktrees = new Map<PlaceId, OpenPlace>();

  constructor(main: OpenPlace, live: LiveLog) {
    this.main = main;
    this.#live = live;
  }

  add(place: OpenPlace & { readonly id: PlaceId }): void {
    this.#worktrees.set(place.id, place);
  }

  remove(id: PlaceId): void {
    this.#worktrees.delete(id);
  }

  all(): readonly OpenPlace[] {
    return [this.main, ...this.#worktrees.values()];
  }

  at(id: PlaceId | null): OpenPlace | null {
    return id === null ? this.main : (this.#worktrees.get(id) ?? null);
  }

  /** Where a session works. One whose worktree is gone works in the workspace itself, if anywhere. */
  of(session: SessionId): OpenPlace {
    const place = this.#live.views.sessions.sessions.get(session)?.worktree?.place ?? null;
    return this.at(place) ?? this.main;
  }

  /** The place that a path is in, as a person wrote it; what is relative is meant from the workspace's root. */
  holding(path: string): OpenPlace {
    const absolute = realPlace(resolve(this.main.root, path));
    return [...this.#worktrees.values()].find(({ root }) => isInside(root, absolute)) ?? this.main;
  }

  async close(): Promise<void> {
    for (const place of this.#worktrees.values()) await place.close();
    await this.main.close();
  }
}
