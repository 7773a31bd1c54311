import { lastMoveOfHead } from '../git/reflog.js';
import { type Head, UserHead } from '../git/user-head.js';
import type { UserRepository } from '../git/user-repository.js';

/**
 * A move of the user's HEAD: from and to which commit, and what git calls what was done, unless that was while nobody
 * watched; `to` is for `noted`.
 */
export type HeadMove = {
  readonly previous: string | null;
  readonly commit: string | null;
  readonly cause: string | undefined;
  readonly to: string;
};

/** Notices when the user's HEAD moves, so that a flood of changed files can be named for what it is. */
export class HeadTracker {
  readonly #repository: UserRepository | null;
  readonly #head: UserHead | null;
  #last: string | null;
  /** Where HEAD was when we last knew, if it is elsewhere since before we watched. */
  #left: string | null;

  /** `known`: the commit that the log last knew HEAD at. */
  constructor(repository: UserRepository | null, known: string | null = null) {
    this.#repository = repository;
    this.#head = repository === null ? null : new UserHead(repository);
    this.#last = this.#head === null ? null : nameOf(this.#head.read());
    this.#left = this.commit === known ? null : known;
  }

  /** The commit HEAD was at when last asked. */
  get commit(): string | null {
    return commitIn(this.#last);
  }

  /**
   * Null when HEAD is where it was. A move is told again until it is `noted`, so that one is not lost on the way. One that
   * happened while nobody watched is told once the files are known.
   */
  async moved(files: 'known' | 'being read'): Promise<HeadMove | null> {
    if (this.#repository === null || this.#head === null) return null;
    const now = nameOf(this.#head.read());
    const previous = this.#left ?? this.commit;
    if (now === this.#last) {
      if (this.#left === null || files !== 'known') return null;
      return { previous, commit: commitIn(now), cause: undefined, to: now };
    }
    const cause = await lastMoveOfHead(this.#repository);
    return { previous, commit: commitIn(now), cause: cause === null ? 'git' : `git ${cause}`, to: now };
  }

  noted(move: HeadMove): void {
    this.#last = move.to;
    this.#left = null;
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
