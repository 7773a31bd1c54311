import { lastMoveOfHead } from '../git/reflog.js';
import { type Head, UserHead } from '../git/user-head.js';
import type { UserRepository } from '../git/user-repository.js';

/** A move of the user's HEAD: which commit it is at now, and what git calls what was done; `to` is for `noted`. */
export type HeadMove = { readonly commit: string | null; readonly cause: string; readonly to: string };

/** Notices when the user's HEAD moves, so that a flood of changed files can be named for what it is. */
export class HeadTracker {
  readonly #repository: UserRepository | null;
  readonly #head: UserHead | null;
  #last: string | null;

  constructor(repository: UserRepository | null) {
    this.#repository = repository;
    this.#head = repository === null ? null : new UserHead(repository);
    this.#last = this.#head === null ? null : nameOf(this.#head.read());
  }

  /** The commit HEAD was at when last asked. */
  get commit(): string | null {
    return commitIn(this.#last);
  }

  /** Null when HEAD is where it was. A move is told again until it is `noted`, so that one is not lost on the way. */
  async moved(): Promise<HeadMove | null> {
    if (this.#repository === null || this.#head === null) return null;
    const now = nameOf(this.#head.read());
    if (now === this.#last) return null;
    const cause = await lastMoveOfHead(this.#repository);
    return { commit: commitIn(now), cause: cause === null ? 'git' : `git ${cause}`, to: now };
  }

  noted(move: HeadMove): void {
    this.#last = move.to;
  }
}

function commitIn(name: string | null): string | null {
  return name?.split(' ')[1] || null;
}

function nameOf(head: Head): string {
  switch (head.kind) {
    case 'branch':
      return `${head.branch} ${head.commit ?? ''}`;
    case 'detached':
      return `HEAD ${head.commit}`;
    case 'unreadable':
      return 'unreadable ';
  }
}
