import { type Outcome, ok, type ReviewEntry, type Seq, type WorkspacePath } from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import { attributeChange } from './attributing.js';
import { type BlameLine, blame } from './blame.js';
import type { ReviewParts } from './desk.js';
import { FollowedFiles } from './lineage.js';
import { Resolving } from './resolving.js';
import { Undoing, type UndoOptions } from './undoing.js';
import type {
  AcceptAnswer,
  AttributeAnswer,
  AttributeTo,
  RejectAnswer,
  RejectOptions,
  ResolveAnswer,
  ResolveOptions,
  ResolveWith,
  Selection,
  UndoAnswer,
  VerdictOptions,
} from './verdict.js';
import { Verdicts } from './verdicts.js';

/** What a person can do about what agents did. */
export interface ReviewVerbs {
  accept(selection: Selection, options?: VerdictOptions): Promise<Outcome<AcceptAnswer, Refusal>>;
  /** Takes text of agents out of the files again, around everybody else's. */
  reject(selection: Selection, options?: RejectOptions): Promise<Outcome<RejectAnswer, Refusal>>;
  /** Says whose a change was that nobody could be named for. */
  attribute(change: string, to: AttributeTo): Promise<Outcome<AttributeAnswer, Refusal>>;
  conflicts(): readonly ReviewEntry[];
  resolve(change: string, how: ResolveWith, options?: ResolveOptions): Promise<Outcome<ResolveAnswer, Refusal>>;
  /** Takes the last decision back that still stands. */
  undo(options?: UndoOptions): Promise<Outcome<UndoAnswer, Refusal>>;
  redo(options?: UndoOptions): Promise<Outcome<UndoAnswer, Refusal>>;
  /** Who wrote each line. */
  blame(path: string): Promise<Outcome<readonly BlameLine[], Refusal>>;
}

/** Runs `task` alone, after a look at the world, and at the `named` files whatever was heard of them. */
export type InTurn = <T>(
  task: () => Promise<Outcome<T, Refusal>>,
  named?: readonly WorkspacePath[],
) => Promise<Outcome<T, Refusal>>;

/** Every verb that writes passes the workspace's queue and looks first. */
export class Reviewer implements ReviewVerbs {
  readonly #parts: ReviewParts;
  readonly #inTurn: InTurn;
  readonly #verdicts: Verdicts;
  readonly #undoing: Undoing;
  readonly #resolving: Resolving;
  /** The last decision that stood when a verdict was asked for that decided nothing. */
  #idleAfter: { readonly last: Seq | null } | null = null;

  constructor(from: Omit<ReviewParts, 'followed'>, inTurn: InTurn) {
    const parts = { ...from, followed: new FollowedFiles() };
    this.#parts = parts;
    this.#inTurn = inTurn;
    this.#verdicts = new Verdicts(parts);
    this.#undoing = new Undoing(parts);
    this.#resolving = new Resolving(parts);
  }

  accept(selection: Selection, options: VerdictOptions = {}) {
    return this.#deciding(options, () => this.#verdicts.accept(selection, options));
  }

  reject(selection: Selection, options: RejectOptions = {}) {
    return this.#deciding(options, () => this.#verdicts.reject(selection, options));
  }

  attribute(change: string, to: AttributeTo) {
    return this.#inTurn(async () => attributeChange(this.#parts.live, change, to));
  }

  conflicts(): readonly ReviewEntry[] {
    return [...this.#parts.live.views.review.entries.values()].filter(({ status }) => status === 'conflict');
  }

  resolve(change: string, how: ResolveWith, options: ResolveOptions = {}) {
    return this.#deciding(options, () => this.#resolving.resolve(change, how, options));
  }

  undo(options: UndoOptions = {}) {
    return this.#takingBack(() => this.#undoing.undo(options));
  }

  redo(options: UndoOptions = {}) {
    return this.#takingBack(() => this.#undoing.redo(options));
  }

  #deciding<T>({ dryRun }: VerdictOptions, task: () => Promise<Outcome<T, Refusal>>) {
    return this.#inTurn(async () => {
      const last = this.#last;
      const done = await task();
      if (dryRun !== true) this.#idleAfter = this.#last === last ? { last } : null;
      return done;
    });
  }

  /** That it is an older one is told once. */
  #takingBack(task: () => Promise<Outcome<Omit<UndoAnswer, 'afterNothing'>, Refusal>>) {
    return this.#inTurn(async () => {
      const afterNothing = this.#idleAfter?.last === this.#last;
      const done = await task();
      if (done.ok) this.#idleAfter = null;
      return done.ok ? ok({ ...done.value, afterNothing }) : done;
    });
  }

  get #last(): Seq | null {
    return this.#parts.live.views.review.undoable.at(-1) ?? null;
  }

  blame(path: string) {
    const located = this.#parts.locate(path);
    // Right after an opening it may not have been read yet.
    return this.#inTurn(() => blame(this.#parts, path), located.ok ? [located.value] : []);
  }
}
