import {
  advance,
  type Checkpoints,
  type Comments,
  type Conversations,
  checkpointsView,
  commentsView,
  conversationsView,
  type Folded,
  type Freshness,
  freshnessView,
  isKnownKind,
  nothingFolded,
  type OpenFiles,
  type Operation,
  openFilesView,
  type Patches,
  patchesView,
  type Review,
  reviewView,
  type Sessions,
  sessionsView,
  type View,
  type Worktrees,
  worktreesView,
} from '@palimpsest/core';
import { type Log, LogError } from '../log/log.js';

/** How many operations are folded at a time while catching up, and after how many the views are stored again. */
const CATCH_UP_OPERATIONS = 5_000;
const STORE_EVERY_OPERATIONS = 20_000;

/** The views of one workspace, kept at the end of its log. What is stored of them is a cache. */
export class Views {
  /** Operations that no view folds, by kind. Only a newer version writes such, and not while this one has the lock. */
  readonly passedOver: ReadonlyMap<string, number>;
  readonly #log: Log;
  readonly #cells: readonly AnyCell[];
  readonly #sessions: Cell<Sessions>;
  readonly #freshness: Cell<Freshness>;
  readonly #review: Cell<Review>;
  readonly #checkpoints: Cell<Checkpoints>;
  readonly #conversations: Cell<Conversations>;
  readonly #openFiles: Cell<OpenFiles>;
  readonly #patches: Cell<Patches>;
  readonly #worktrees: Cell<Worktrees>;
  readonly #comments: Cell<Comments>;
  #sinceStored = 0;

  constructor(log: Log) {
    this.#log = log;
    this.#sessions = new Cell(sessionsView, log);
    this.#freshness = new Cell(freshnessView, log);
    this.#review = new Cell(reviewView, log);
    this.#checkpoints = new Cell(checkpointsView, log);
    this.#conversations = new Cell(conversationsView, log);
    this.#openFiles = new Cell(openFilesView, log);
    this.#patches = new Cell(patchesView, log);
    this.#worktrees = new Cell(worktreesView, log);
    this.#comments = new Cell(commentsView, log);
    this.#cells = [
      ...[this.#sessions, this.#freshness, this.#review, this.#checkpoints],
      ...[this.#conversations, this.#openFiles, this.#patches, this.#worktrees, this.#comments],
    ];
    for (const cell of this.#cells) cell.catchUp();
    this.passedOver = new Map([...log.countKinds()].filter(([kind]) => !isKnownKind(kind)));
  }

  get sessions(): Sessions {
    return this.#sessions.state;
  }

  get freshness(): Freshness {
    return this.#freshness.state;
  }

  get review(): Review {
    return this.#review.state;
  }

  get checkpoints(): Checkpoints {
    return this.#checkpoints.state;
  }

  get conversations(): Conversations {
    return this.#conversations.state;
  }

  get openFiles(): OpenFiles {
    return this.#openFiles.state;
  }

  get patches(): Patches {
    return this.#patches.state;
  }

  get worktrees(): Worktrees {
    return this.#worktrees.state;
  }

  get comments(): Comments {
    return this.#comments.state;
  }

  advance(operations: readonly Operation[]): void {
    for (const cell of this.#cells) for (const operation of operations) cell.advance(operation);
    this.#sinceStored += operations.length;
  }

  /** As if nothing had been folded yet. */
  foldAnew(): void {
    for (const cell of this.#cells) cell.foldAnew();
  }

  /** Whether so much was folded since that it is worth storing. */
  get storeIsDue(): boolean {
    return this.#sinceStored >= STORE_EVERY_OPERATIONS;
  }

  store(): void {
    // Counted anew also when it fails, so that a full disk is not tried again with every entry.
    this.#sinceStored = 0;
    for (const cell of this.#cells) cell.store(this.#log);
  }
}

/** What can be done with a view whatever it holds. */
type AnyCell = Pick<Cell<unknown>, 'advance' | 'catchUp' | 'foldAnew' | 'store'>;

/** One view and how far it is. */
class Cell<State> {
  readonly #view: View<State>;
  readonly #log: Log;
  #folded: Folded<State>;

  constructor(view: View<State>, log: Log) {
    this.#view = view;
    this.#log = log;
    this.#folded = storedFold(view, log) ?? nothingFolded(view);
  }

  get state(): State {
    return this.#folded.state;
  }

  advance(operation: Operation): void {
    this.#folded = advance(this.#view, this.#folded, operation);
  }

  catchUp(): void {
    for (;;) {
      const operations = this.#log.read(this.#folded.seq, CATCH_UP_OPERATIONS);
      for (const operation of operations) this.#advanceStored(operation);
      if (operations.length < CATCH_UP_OPERATIONS) return;
    }
  }

  foldAnew(): void {
    this.#folded = nothingFolded(this.#view);
    this.catchUp();
  }

  #advanceStored(operation: Operation): void {
    try {
      this.advance(operation);
    } catch (error) {
      throw new LogError('damaged', `operation ${operation.seq} cannot be understood`, error);
    }
  }

  store(log: Log): void {
    log.views.save(this.#view.name, this.#view.version, this.#folded.seq, this.#view.encode(this.#folded.state));
  }
}

/** What is stored is a cache: where it cannot be read, it is made again from the operations. */
function storedFold<State>(view: View<State>, log: Log): Folded<State> | null {
  try {
    const stored = log.views.load(view.name, view.version);
    return stored === null ? null : { seq: stored.seq, state: view.decode(stored.encoded) };
  } catch {
    return null;
  }
}

/** Says of one operation after the other whether the views can take it; one that they cannot counts as not there. */
export function foldsEach(): (operation: Operation) => boolean {
  const folds = [
    foldOf(sessionsView),
    foldOf(freshnessView),
    foldOf(reviewView),
    foldOf(checkpointsView),
    foldOf(conversationsView),
    foldOf(openFilesView),
    foldOf(patchesView),
    foldOf(worktreesView),
    foldOf(commentsView),
  ];
  return (operation) => {
    try {
      for (const fold of folds) fold(operation);
      return true;
    } catch {
      return false;
    }
  };
}

function foldOf<State>(view: View<State>): (operation: Operation) => void {
  let folded = nothingFolded(view);
  return (operation) => {
    folded = advance(view, folded, operation);
  };
}
