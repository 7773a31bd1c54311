import {
  type ChangeId,
  type Outcome,
  ok,
  type PlaceId,
  placeOf,
  type ReviewEntry,
  type Seq,
  type WorkspacePath,
} from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import { attributeChange } from './attributing.js';
import { type BlameLine, blame } from './blame.js';
import type { ReviewParts } from './desk.js';
import { FollowedFiles } from './lineage.js';
import { Resolving } from './resolving.js';
import { choose } from './selection.js';
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
  VerdictAnswer,
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

/** Where else changes are made than in the workspace's own folder. */
export type Elsewhere = {
  /** Null where there is no such place any more. */
  readonly at: (place: PlaceId) => Pick<ReviewParts, 'known' | 'writer'> | null;
  /** Lets flow what was decided; answers what was written in the workspace's own folder. */
  readonly flow: () => Promise<ReadonlyMap<WorkspacePath, 'there' | 'gone'>>;
};

const NOWHERE_ELSE: Elsewhere = { at: () => null, flow: async () => new Map() };

type Written = {
  readonly written: readonly WorkspacePath[];
  readonly deleted: readonly WorkspacePath[];
  readonly seq: number;
};

function joinVerdicts<T extends VerdictAnswer>(first: T, second: T): VerdictAnswer {
  const both = <Key extends 'paths' | 'cascaded' | 'conflicts' | 'already' | 'left' | 'written' | 'deleted'>(
    key: Key,
  ) => [...new Set<unknown>([...first[key], ...second[key]])] as unknown as VerdictAnswer[Key];
  return {
    ...{ paths: both('paths'), cascaded: both('cascaded'), conflicts: both('conflicts'), already: both('already') },
    ...{ left: both('left'), written: both('written'), deleted: both('deleted'), seq: second.seq },
  };
}

function joinAccepted(first: AcceptAnswer, second: AcceptAnswer): AcceptAnswer {
  return { ...joinVerdicts(first, second), accepted: [...first.accepted, ...second.accepted] };
}

function joinRejected(first: RejectAnswer, second: RejectAnswer): RejectAnswer {
  return { ...joinVerdicts(first, second), rejected: [...first.rejected, ...second.rejected] };
}

/** Every verb that writes passes the workspace's queue and looks first. */
export class Reviewer implements ReviewVerbs {
  readonly #parts: ReviewParts;
  readonly #elsewhere: Elsewhere;
  readonly #inTurn: InTurn;
  /** For each worktree, so that deciding hunk after hunk is as quick there. */
  readonly #followed = new Map<PlaceId, FollowedFiles>();
  /** The last decision that stood when a verdict was asked for that decided nothing. */
  #idleAfter: { readonly last: Seq | null } | null = null;

  constructor(from: Omit<ReviewParts, 'followed'>, inTurn: InTurn, elsewhere: Elsewhere = NOWHERE_ELSE) {
    this.#parts = { ...from, followed: new FollowedFiles() };
    this.#inTurn = inTurn;
    this.#elsewhere = elsewhere;
  }

  /** What a verdict works with where the change was made; one whose worktree is gone is decided on in the workspace. */
  partsAt(place: PlaceId | null): ReviewParts {
    const there = place === null ? null : this.#elsewhere.at(place);
    if (place === null || there === null) return this.#parts;
    const followed = this.#followed.get(place) ?? new FollowedFiles();
    this.#followed.set(place, followed);
    return { ...this.#parts, ...there, place, followed };
  }

  accept(selection: Selection, options: VerdictOptions = {}) {
    return this.#deciding(options, () =>
      this.#atEach(selection, (parts) => new Verdicts(parts).accept(selection, options), joinAccepted),
    );
  }

  reject(selection: Selection, options: RejectOptions = {}) {
    return this.#deciding(options, () =>
      this.#atEach(selection, (parts) => new Verdicts(parts).reject(selection, options), joinRejected),
    );
  }

  /** Each place that holds some of what is meant has a verdict of its own. */
  async #atEach<T>(
    selection: Selection,
    decide: (parts: ReviewParts) => Promise<Outcome<T, Refusal>>,
    join: (first: T, second: T) => T,
  ): Promise<Outcome<T, Refusal>> {
    const chosen = choose(selection, this.#parts);
    if (!chosen.ok) return chosen;
    const { entries } = this.#parts.live.views.review;
    const named = chosen.value.named.map(({ id }) => entries.get(id)!);
    const meant = [...named, ...chosen.value.found, ...chosen.value.perhaps];
    const places = new Set(meant.map(({ place }) => this.partsAt(place).place));
    let all: T | null = null;
    for (const place of places.size === 0 ? [null] : places) {
      const done = await decide(this.#choosing(place));
      if (!done.ok) return done;
      all = all === null ? done.value : join(all, done.value);
    }
    return ok(all!);
  }

  #choosing(place: PlaceId | null): ReviewParts {
    return { ...this.partsAt(place), isMeant: (entry) => this.partsAt(entry.place).place === place };
  }

  attribute(change: string, to: AttributeTo) {
    return this.#inTurn(async () => attributeChange(this.#parts.live, change, to));
  }

  conflicts(): readonly ReviewEntry[] {
    return [...this.#parts.live.views.review.entries.values()].filter(({ status }) => status === 'conflict');
  }

  resolve(change: string, how: ResolveWith, options: ResolveOptions = {}) {
    return this.#deciding(options, () => {
      const entry = this.#parts.live.views.review.entries.get(change as ChangeId);
      return new Resolving(this.partsAt(entry?.place ?? null)).resolve(change, how, options);
    });
  }

  undo(options: UndoOptions = {}) {
    return this.#takingBack('undoable', (undoing) => undoing.undo(options), options);
  }

  redo(options: UndoOptions = {}) {
    return this.#takingBack('redoable', (undoing) => undoing.redo(options), options);
  }

  #deciding<T extends Written>({ dryRun }: VerdictOptions, task: () => Promise<Outcome<T, Refusal>>) {
    return this.#inTurn(async () => {
      const last = this.#last;
      const done = await task();
      if (dryRun !== true) this.#idleAfter = this.#last === last ? { last } : null;
      return dryRun === true ? done : this.#flowed(done);
    });
  }

  /** What was decided in a worktree comes to the workspace, and the other way round. */
  async #flowed<T extends Written>(done: Outcome<T, Refusal>): Promise<Outcome<T, Refusal>> {
    const came = await this.#elsewhere.flow();
    if (!done.ok || came.size === 0) return done;
    const { written, deleted } = done.value;
    const gone = [...came].flatMap(([path, now]) => (now === 'gone' ? path : []));
    const more = { written: [...new Set([...written, ...came.keys()])], deleted: [...new Set([...deleted, ...gone])] };
    return ok({ ...done.value, ...more, seq: this.#parts.live.log.last });
  }

  /** That it is an older one is told once. */
  #takingBack(
    which: 'undoable' | 'redoable',
    task: (undoing: Undoing) => Promise<Outcome<Omit<UndoAnswer, 'afterNothing'>, Refusal>>,
    { dryRun }: UndoOptions,
  ) {
    return this.#inTurn(async () => {
      const afterNothing = this.#idleAfter?.last === this.#last;
      const { live } = this.#parts;
      const next = live.views.review[which].at(-1);
      const target = next === undefined ? null : live.log.get(next);
      const done = await task(new Undoing(this.partsAt(target === null ? null : placeOf(target))));
      if (done.ok) this.#idleAfter = null;
      const all = dryRun === true ? done : await this.#flowed(done);
      return all.ok ? ok({ ...all.value, afterNothing }) : all;
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
