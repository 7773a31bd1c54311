import {
  changeId,
  changeNamed,
  type Decision,
  type FileChange,
  type FileVersion,
  failed,
  filesAnywhere,
  isDecision,
  type Operation,
  type Outcome,
  ok,
  type PartKey,
  type Review,
  type Seq,
  type Switched,
  sameVersion,
  seqOfChange,
  type Undone,
  type Weave,
  type WorkspacePath,
} from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import { versionOf } from '../store/known-tree.js';
import { CALL_RUNNING, type FileWrite } from '../write/writer.js';
import { Desk, type Past, type PlannedFile, pathsWritten, type ReviewParts, severalAtOnce } from './desk.js';
import type { Step } from './lineage.js';
import { switchedOf } from './parts-of.js';
import { toldOf } from './told.js';
import type { UndoAnswer } from './verdict.js';

const GONE = 'bytes of it are gone';

export type UndoOptions = { readonly dryRun?: boolean | undefined };

type TakenBack = Omit<UndoAnswer, 'afterNothing'>;

/** Taking decisions back, and that too. Runs inside the workspace's queue, after a look at the world. */
export class Undoing {
  readonly #parts: ReviewParts;

  constructor(parts: ReviewParts) {
    this.#parts = parts;
  }

  undo(options: UndoOptions): Promise<Outcome<TakenBack, Refusal>> {
    return this.#takeBack(this.#review.undoable, 'there is nothing to undo', options);
  }

  redo(options: UndoOptions): Promise<Outcome<TakenBack, Refusal>> {
    return this.#takeBack(this.#review.redoable, 'there is nothing to redo', options);
  }

  /** The newest of them. One whose bytes are gone can never be taken back: it is passed over, or it would be in the way for good. */
  async #takeBack(
    standing: readonly Seq[],
    nothing: string,
    options: UndoOptions,
  ): Promise<Outcome<TakenBack, Refusal>> {
    const passedOver: Seq[] = [];
    for (const seq of standing.toReversed()) {
      const target = this.#parts.live.log.get(seq);
      if (target === null || !isDecision(target)) break;
      const desk = new Desk(this.#parts);
      const planned = await this.#plan(desk, target);
      if (planned !== 'gone') return planned.ok ? this.#carryOut(target, planned.value, passedOver, options) : planned;
      passedOver.push(seq);
    }
    const why = passedOver.length === 0 ? nothing : `${nothing} for which all bytes are still there`;
    return failed({ code: 'nothing-to-do', why });
  }

  async #carryOut(
    target: Operation & Decision,
    { writes, bytes, places, unchanged }: Planned,
    passedOver: readonly Seq[],
    { dryRun }: UndoOptions,
  ): Promise<Outcome<TakenBack, Refusal>> {
    const { log } = this.#parts.live;
    const decision = toldOf(target, log, this.#review);
    const facts = { operation: target.seq, kind: target.kind, decision, passedOver };
    const answer = { ...facts, ...pathsWritten(writes), seq: log.last };
    if (dryRun === true) return ok(answer);
    const back = inverse(target);
    const switched = back === null ? {} : switchedOf(back.to, [{ ...back, places, unchanged }]);
    const body: Undone = { kind: 'undone', target: target.seq, files: [], ...switched };
    const written = await this.#parts.writer.apply(this.#withFolders(writes, target), body, bytes);
    return written.ok ? ok({ ...answer, seq: written.value.seq }) : written;
  }

  /** Folders that the decision had to make go along with the files that it brought; those that it found there stay. */
  #withFolders(writes: readonly FileWrite[], target: Operation): readonly FileWrite[] {
    const before = this.#parts.live.log.get((target.seq - 1) as Seq);
    const decidedAfterMs = before?.at ?? target.at;
    return writes.map((write) => {
      if (write.next !== null) return write;
      return { ...write, foldersSinceMs: Math.min(write.foldersSinceMs ?? decidedAfterMs, decidedAfterMs) };
    });
  }

  async #plan(desk: Desk, target: Operation): Promise<Outcome<Planned, Refusal> | 'gone'> {
    const back = inverse(target);
    const files = filesConcerned(target);
    const moved = this.#movedSince(back);
    const all: Planned = { writes: [], bytes: [], places: [], unchanged: [] };
    desk.lineages.prepare(files.length, sinceOf(back, target.seq));
    const blocked: WorkspacePath[] = [];
    let why = '';
    const plans = await severalAtOnce(files, (file) => {
      const path = moved.get(file.path) ?? file.path;
      return this.#planFile(desk, file, { path, decidedAt: target.seq, back });
    });
    if (plans.includes(GONE)) return 'gone';
    const guarded: { readonly path: WorkspacePath; readonly planned: PlannedUndo }[] = [];
    for (const [index, file] of files.entries()) {
      const planned = plans[index]!;
      if (typeof planned === 'string') {
        blocked.push(file.path);
        why ||= planned;
        continue;
      }
      guarded.push({ path: file.path, planned });
      all.bytes.push(planned.change.bytes);
      all.places.push(...planned.places);
      all.unchanged.push(...planned.unchanged);
    }
    const { writes, refused } = await desk.settle(guarded.map(({ planned }) => planned));
    for (const [index, reason] of refused) {
      blocked.push(guarded[index]!.path);
      why ||= reason;
    }
    all.writes.push(...writes);
    if (blocked.length > 0) return failed({ code: 'conflict', paths: blocked, why });
    return (await this.#parts.writer.missingFor(writes, all.bytes)) === null ? ok(all) : 'gone';
  }

  /** A file that nobody has touched since goes back to exactly what it was; else the history tells, or nothing is done. */
  async #planFile(desk: Desk, file: FileChange, { path, decidedAt, back }: Taking): Promise<PlannedUndo | string> {
    const present = versionOf(this.#parts.known.get(path));
    const named = new Set<string>([...(back?.whole ?? []), ...(back?.parts ?? []).map(changeNamed)]);
    const isAsked = ({ id, operation }: Step) => operation.seq === decidedAt || named.has(id);
    const plan = await desk.planner.plan({
      ...{
        path,
        since: sinceOf(back, decidedAt),
        to: back?.to ?? 'off',
        cascade: 'none',
        openKeys: () => [],
        decidedAt,
      },
      keys: (weave) => keysIn(weave, back),
    });
    if (plan.kind === 'clean') {
      const { change, lineage } = plan;
      const unchanged = change.writes.length === 0 ? [path] : [];
      return { change, places: plan.plan.places, unchanged, past: () => desk.pastOf(lineage, isAsked) };
    }
    const wrote = file.before !== null || file.after !== null;
    if (wrote && path === file.path && sameVersion(present, file.after)) {
      const { steps } = await desk.lineages.of(path, sinceOf(back, decidedAt));
      const last = steps.findLast((step) => step.file !== null);
      if (last?.operation.seq === decidedAt) return exactly(file, present, desk.pastOf({ steps }, isAsked));
    }
    switch (plan.kind) {
      case 'blocked':
        return plan.why;
      case 'unrecorded':
        return CALL_RUNNING;
      case 'missing':
        return GONE;
      case 'untold':
        return 'it was changed since in a way that is not on record';
    }
  }

  /** Later renames took files along: where those are now that the changes in question were about. */
  #movedSince(back: Back | null): ReadonlyMap<WorkspacePath, WorkspacePath> {
    const moved = new Map<WorkspacePath, WorkspacePath>();
    for (const id of back?.whole ?? []) {
      const entry = this.#review.entries.get(id);
      if (entry === undefined) continue;
      moved.set(entry.file.path, entry.path);
      if (entry.file.fromPath !== undefined) moved.set(entry.file.fromPath, entry.path);
    }
    return moved;
  }

  get #review(): Review {
    return this.#parts.live.views.review;
  }
}

type Planned = {
  readonly writes: FileWrite[];
  readonly bytes: (Uint8Array | null)[];
  readonly places: NonNullable<Switched['places']>[number][];
  readonly unchanged: WorkspacePath[];
};

type PlannedUndo = PlannedFile & {
  readonly places: NonNullable<Switched['places']>;
  readonly unchanged: readonly WorkspacePath[];
};

/** The parts of the history to switch, and which way. */
type Back = Pick<Switched, 'to' | 'whole' | 'parts'>;

type Taking = { readonly path: WorkspacePath; readonly decidedAt: Seq; readonly back: Back | null };

/** A decision that switched is switched back; what it wrote in another way is an edit of its own, and goes. */
function inverse(target: Operation): Back | null {
  const switched = 'switched' in target ? target.switched : undefined;
  if (switched !== undefined) return { ...switched, to: switched.to === 'on' ? 'off' : 'on' };
  const files = filesAnywhere(target);
  if (files.length === 0) return null;
  return { to: 'off', whole: files.map((_, index) => changeId(target.seq, index)), parts: [] };
}

/** Files that the decision left as they were are asked about too: by now it may make a difference there. */
function filesConcerned(target: Operation): readonly FileChange[] {
  const unchanged = 'switched' in target ? (target.switched?.unchanged ?? []) : [];
  const nothing = { before: null, after: null, binary: false, reversible: true, spans: [] };
  return [...filesAnywhere(target), ...unchanged.map((path) => ({ path, ...nothing }))];
}

function keysIn(weave: Weave, back: Back | null): readonly PartKey[] | null {
  if (back === null) return null;
  const parts = weave.partsNamed(back);
  return parts.length === 0 ? null : parts.map((part) => weave.parts[part]!.key);
}

function exactly(file: FileChange, present: FileVersion | null, past: Past): PlannedUndo {
  const { path, fromPath, before } = file;
  const writes: FileWrite[] =
    fromPath === undefined
      ? [{ path, expected: present, next: before }]
      : [
          { path: fromPath, expected: null, next: before, movedFrom: path },
          { path, expected: present, next: null },
        ];
  return { change: { writes, bytes: null }, places: [], unchanged: [], past: () => past };
}

function sinceOf(back: Back | null, decidedAt: Seq): Seq {
  let oldest: number = decidedAt;
  for (const id of [...(back?.whole ?? []), ...(back?.parts ?? [])])
    oldest = Math.min(oldest, seqOfChange(id as never));
  return oldest as Seq;
}
