import {
  type ChangeId,
  type ContentId,
  callOfOperation,
  changesAt,
  FILE_KINDS,
  failed,
  filesAt,
  handOf,
  isPerhapsAPersons,
  type Operation,
  type Outcome,
  ok,
  type PlaceId,
  type ReviewEntry,
  type Seq,
  seqOfChange,
  sessionOfOperation,
  type WorkspacePath,
} from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import type { ContentStore } from '../content/content.js';
import type { KnownTree } from '../store/known-tree.js';
import type { LiveLog } from '../store/live-log.js';
import { Besides, contentsAt } from '../write/beside.js';
import { type Guarded, linesAtRisk, type PastStep } from '../write/safeguard.js';
import { CALL_RUNNING, type FileWrite, type Writer } from '../write/writer.js';
import { combine } from './combining.js';
import { FilePlanner, type FileWrites } from './file-plan.js';
import { Halves } from './halves.js';
import { type FollowedFiles, type Lineage, Lineages, type Step } from './lineage.js';
import { isOpen } from './meant.js';
import { Texts } from './texts.js';

export type ReviewParts = {
  /** Those of the changes that are decided on here; without it, all. */
  readonly isMeant?: (entry: ReviewEntry) => boolean;
  /** Where the files are that this is about: a worktree, or null for the workspace's own folder. */
  readonly place: PlaceId | null;
  readonly live: LiveLog;
  readonly content: ContentStore;
  readonly known: KnownTree;
  readonly writer: Writer;
  readonly followed: FollowedFiles;
  readonly locate: (path: string) => Outcome<WorkspacePath, Refusal>;
};

/** Operations since a seq that are gone through in one pass to see which files moved. */
const PASS_LIMIT = 20_000;
const FILES_AT_ONCE = 16;
/** The last changes of a file are followed even if they are settled, since undoing may open them again. */
const NEAR_CHANGES = 500;

/** What is planned for one file, and how the file came to be what it is. */
export type PlannedFile = { readonly change: FileWrites; readonly past: () => Past };

/** All that is known of how a file came to be what it is. */
export type Past = Pick<Guarded, 'past' | 'earlier'>;

export type Settled = {
  readonly writes: readonly FileWrite[];
  /** Files that stay as they are, by their number, and why. */
  readonly refused: ReadonlyMap<number, string>;
};

/** Files of which one is decided as the other is; `stays` are those that nothing is planned for. */
export type Bound = {
  readonly pairs: readonly (readonly [number, number])[];
  readonly stays: ReadonlySet<number>;
  /** A last look at all but those that are refused: which of them would not do what they are to do, and why. */
  readonly failing?: (refused: ReadonlyMap<number, string>) => Promise<ReadonlyMap<number, string>>;
};

const NO_BOUND: Bound = { pairs: [], stays: new Set() };

/** Those that must stay as they are because their other half does. */
function bereaved({ pairs, stays }: Bound, refused: ReadonlyMap<number, string>): readonly number[] {
  const isOut = (index: number) => stays.has(index) || refused.has(index);
  const found = pairs.flatMap(([a, b]) => (isOut(a) === isOut(b) ? [] : isOut(a) ? b : a));
  if (found.length === 0) return [];
  const more = new Map([...refused, ...found.map((index) => [index, OTHER_HALF] as const)]);
  return [...found, ...bereaved({ pairs, stays }, more)];
}

const OTHER_HALF = 'it is one half of a move, and the other half is in conflict';
const NONE: ReadonlyMap<number, string> = new Map();
const NO_WRITES: FileWrites = { writes: [], bytes: null };
const PLACE_TAKEN = 'there is another file at its former name';
const LINES_AT_RISK = 'lines would go that it did not write, and that are in no other file';

/** What one command of the reviewer works with. */
export class Desk {
  readonly parts: ReviewParts;
  readonly lineages: Lineages;
  readonly texts: Texts;
  readonly planner: FilePlanner;
  readonly halves: Halves;
  readonly #besides = new Map<Seq, Besides>();

  constructor(parts: ReviewParts) {
    const { live, content, known } = parts;
    this.parts = parts;
    this.lineages = new Lineages(live.log, content, parts.followed, parts.place);
    this.texts = new Texts(content);
    this.halves = new Halves(live.log, live.views.review.entries);
    this.planner = new FilePlanner({
      content,
      known,
      lineages: this.lineages,
      texts: this.texts,
      isAhead: (path) => parts.writer.isAhead(path),
      foldersSince: (changes) => this.#beganAt(changes),
      oldestOf: (path) => this.#oldestOf(path),
    });
  }

  /**
   * Puts together what is planned for several files, and looks at it once more before anything is written: no two may
   * want one place, and no line may go that nobody may take out.
   */
  async settle(files: readonly PlannedFile[], bound: Bound = NO_BOUND): Promise<Settled> {
    const { known, content, writer } = this.parts;
    const refused = new Map<number, string>();
    for (const [index, { change }] of files.entries())
      if (change.writes.some(({ path }) => writer.isAhead(path))) refused.set(index, CALL_RUNNING);
    for (;;) {
      for (const index of bereaved(bound, refused)) refused.set(index, OTHER_HALF);
      const left = files.map((file, index) => (refused.has(index) ? NO_WRITES : file.change));
      const { writes, clashing } = combine(left, (path) => known.get(path) !== null);
      for (const index of clashing) refused.set(index, PLACE_TAKEN);
      if (clashing.size > 0) continue;
      const guarded = left.map(({ writes: own, bytes }, index) => ({
        writes: own,
        fresh: bytes === null ? [] : [bytes],
        ...files[index]!.past(),
      }));
      const risky = await linesAtRisk(guarded, content);
      for (const index of risky) refused.set(index, LINES_AT_RISK);
      if (risky.size > 0) continue;
      const failing = (await bound.failing?.(refused)) ?? NONE;
      if (failing.size === 0) return { writes, refused };
      for (const [index, why] of failing) refused.set(index, why);
    }
  }

  /** How a file came to be what it is; `asked` tells the steps that a person asked for, whoever made them. */
  pastOf(
    { steps }: Pick<Lineage, 'steps'>,
    asked: (step: Step) => boolean = () => false,
    taken: ReadonlySet<ChangeId> = new Set(),
  ): Past {
    const { entries } = this.parts.live.views.review;
    const past = steps.flatMap((step): readonly PastStep[] => {
      const { id, file, operation } = step;
      if (file === null) return [];
      const author = entries.get(id)?.author;
      const isAgents = author !== undefined && !isPerhapsAPersons(author);
      const hand = asked(step) ? 'asked' : isAgents ? 'agent' : handOf(operation, undefined);
      const content = { before: file.before?.content ?? null, after: file.after?.content ?? null };
      return [{ ...content, hand, isTaken: taken.has(id), ...this.#beside(operation).of(content) }];
    });
    return { past, earlier: () => this.#heldBefore(steps) };
  }

  /** What the names of a file held before the first of these steps. */
  #heldBefore(steps: readonly Step[]): readonly ContentId[] {
    const before = steps[0]?.operation.seq;
    if (before === undefined) return [];
    const names = steps.flatMap(({ file }) => (file === null ? [] : [file.path, file.fromPath ?? []].flat()));
    return contentsAt(this.parts.live.log, new Set(names), before, this.parts.place);
  }

  #beside(operation: Operation): Besides {
    const known = this.#besides.get(operation.seq) ?? new Besides(filesAt(operation, this.parts.place));
    this.#besides.set(operation.seq, known);
    return known;
  }

  /** Refuses if one of the files has changed since the verdict was decided on. */
  unmoved(paths: ReadonlySet<WorkspacePath>, at: number | undefined): Outcome<null, Refusal> {
    const { log } = this.parts.live;
    if (at === undefined || at === log.last) return ok(null);
    if (!Number.isSafeInteger(at) || at < 0 || at > log.last)
      return failed({ code: 'bad-input', why: `no such place in the log: ${at}` });
    const since = at as Seq | 0;
    const touched = new Set<WorkspacePath>();
    if (log.last - at <= PASS_LIMIT) {
      for (const operation of log.read(since, PASS_LIMIT)) {
        for (const { path, fromPath } of filesAt(operation, this.parts.place)) {
          touched.add(path);
          if (fromPath !== undefined) touched.add(fromPath);
        }
      }
    } else {
      for (const path of paths)
        if (log.find({ path, kinds: FILE_KINDS, since, limit: 1 }).length > 0) touched.add(path);
    }
    const moved = [...paths].filter((path) => touched.has(path));
    return moved.length === 0 ? ok(null) : failed({ code: 'moved', paths: moved, seq: log.last });
  }

  #oldestOf(path: WorkspacePath): Seq | null {
    const { review } = this.parts.live.views;
    const { entries } = review;
    const ids = changesAt(review, path, this.parts.place);
    const near = ids.length - NEAR_CHANGES;
    const oldest = ids.find((id, index) => index >= near || isOpen(entries.get(id)!));
    return oldest === undefined ? null : seqOfChange(oldest);
  }

  /** When the oldest of the calls began that made these changes; what is older than that was there before. */
  #beganAt(changes: readonly ChangeId[]): number {
    const { log } = this.parts.live;
    for (const id of changes) {
      const operation = log.get(seqOfChange(id));
      if (operation === null || operation.kind !== 'changed') continue;
      const [session, call] = [sessionOfOperation(operation), callOfOperation(operation)];
      if (session === null || call === null) continue;
      const [began] = log.find({ kinds: ['call-began'], session, call, limit: 1 });
      return began?.at ?? operation.at;
    }
    return Number.POSITIVE_INFINITY;
  }
}

/** Files are planned side by side, so that the store is asked for many contents at once. In the order given. */
export async function severalAtOnce<A, B>(list: readonly A[], plan: (one: A) => Promise<B>): Promise<readonly B[]> {
  const done: B[] = [];
  for (let at = 0; at < list.length; at += FILES_AT_ONCE) {
    done.push(...(await Promise.all(list.slice(at, at + FILES_AT_ONCE).map(plan))));
  }
  return done;
}

/** The paths that the log will name for these writes, and which of them will be no file any more. */
export function pathsWritten(writes: readonly FileWrite[]): {
  readonly written: readonly WorkspacePath[];
  readonly deleted: readonly WorkspacePath[];
} {
  const last = new Map(writes.map(({ path, next }) => [path, next]));
  const written = [...last.keys()];
  return { written, deleted: written.filter((path) => last.get(path) === null) };
}
