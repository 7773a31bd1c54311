import {
  type ChangeId,
  type Conflict,
  type ContentId,
  type HunkId,
  isPerhapsAPersons,
  type Review,
  type ReviewEntry,
  type Seq,
  type SwitchRequest,
  seqOfChange,
  type Weave,
  type WorkspacePath,
} from '@palimpsest/core';
import { CALL_RUNNING, type FileWrite } from '../write/writer.js';
import type { CleanPlan, FilePlan, FilePlanner, FileWrites } from './file-plan.js';
import type { Lineage } from './lineage.js';
import { isOpen } from './meant.js';
import { type Body, bodyOf, mergeBack } from './merge-back.js';
import { isHunkKey, keysOf, type Names, namesOf, partsWith } from './parts-of.js';
import type { Texts } from './texts.js';
import type { Left, Selected } from './verdict.js';

/** What a rejection comes to in one file: all of it, or nothing and why. */
export type FileRejection = {
  readonly rejected: readonly Selected[];
  readonly cascaded: readonly ChangeId[];
  readonly conflicts: readonly (Conflict & { readonly theirsBytes: Uint8Array | null })[];
  readonly left: readonly Left[];
  readonly names: readonly Names[];
  readonly change: FileWrites;
  /** How the file came to be what it is. */
  readonly lineage: Pick<Lineage, 'steps'>;
  /** What is taken out of its history; null where that was not asked. */
  readonly taken: CleanPlan | null;
};

export type RejectingParts = {
  readonly review: Review;
  readonly planner: FilePlanner;
  readonly texts: Texts;
  readonly cascade: 'dependents' | 'file';
  /** Whether it is taken back together with a change of another file, or not at all. */
  readonly isHalf: (id: ChangeId) => boolean;
};

type BlockedPlan = Extract<FilePlan, { readonly kind: 'blocked' }>;

/** What can go without the rest, how, and what something stands in the way of. */
type Parted = {
  readonly free: readonly Selected[];
  readonly blocked: readonly Selected[];
  readonly taken: CleanPlan | null;
};

/** Each goes through the whole file; what is not settled by then waits. */
const ROUNDS = 8;

/** Plans the rejection of some changes of one file. */
export class Rejecting {
  readonly #parts: RejectingParts;

  constructor(parts: RejectingParts) {
    this.#parts = parts;
  }

  async plan(path: WorkspacePath, all: readonly Selected[]): Promise<FileRejection> {
    const selected = all.filter(({ id }) => this.#entry(id).file.reversible);
    const lost = all.filter((one) => !selected.includes(one)).flatMap((one) => leave(one, 'not-reversible'));
    if (selected.length === 0) return { ...NOTHING, left: lost };
    const planned = await this.#fromPlan(path, selected, await this.#planOf(path, selected));
    return { ...planned, left: [...lost, ...planned.left] };
  }

  async #fromPlan(path: WorkspacePath, selected: readonly Selected[], plan: FilePlan): Promise<FileRejection> {
    switch (plan.kind) {
      case 'clean':
        return this.#taken(path, selected, plan);
      case 'blocked':
        return this.#conflicting(path, selected, plan);
      case 'untold':
        return this.#byMerge(path, selected, plan);
      case 'unrecorded':
        return { ...NOTHING, left: selected.flatMap((one) => leave(one, 'call-running')) };
      case 'missing':
        return { ...NOTHING, left: selected.flatMap((one) => leave(one, 'not-reversible')) };
    }
  }

  #taken(path: WorkspacePath, selected: readonly Selected[], plan: CleanPlan): FileRejection {
    const { change, lineage } = plan;
    const { cascaded } = plan.plan;
    return { ...NOTHING, rejected: selected, cascaded, names: [namesOf(path, plan)], change, lineage, taken: plan };
  }

  /** What something stands in the way of is in conflict, hunk by hunk. The rest goes, or waits if it cannot go alone. */
  async #conflicting(path: WorkspacePath, selected: readonly Selected[], first: BlockedPlan): Promise<FileRejection> {
    const { free, blocked, taken } = await this.#parted(path, selected, first);
    const rest =
      taken === null
        ? { ...NOTHING, left: free.flatMap((one) => leave(one, 'file-in-conflict')) }
        : this.#taken(path, free, taken);
    const ours = (taken === null ? null : nextOf(taken)) ?? first.weave.version?.content ?? null;
    const conflicts: FileRejection['conflicts'][number][] = [];
    for (const one of blocked) {
      const forced = await this.#forced(path, one, taken === null ? [] : free);
      conflicts.push({ ...this.#conflict(path, one, ours, first.why), ...forced });
    }
    return { ...rest, conflicts };
  }

  /** What is left aside may have been all that let another go: so it is asked again, until nothing is in the way. */
  async #parted(path: WorkspacePath, selected: readonly Selected[], first: BlockedPlan): Promise<Parted> {
    const pieces = selected.flatMap((one) => this.#pieces(first.weave, one));
    const stopped = new Set<Selected>();
    let plan: FilePlan = first;
    for (let round = 0; plan.kind === 'blocked' && round < ROUNDS; round++) {
      const { weave } = plan;
      const keys = new Set(
        plan.plan.obstacles.flatMap(({ restsOn }) => [...restsOn].map((part) => weave.parts[part]?.key)),
      );
      const isStopped = (one: Selected) => (this.#keys(weave, [one]) ?? []).some((key) => keys.has(key));
      const found = pieces.filter((piece) => !stopped.has(piece) && isStopped(piece));
      for (const piece of found) stopped.add(piece);
      if (found.length === 0 || stopped.size === pieces.length) break;
      plan = await this.#planOf(
        path,
        rejoined(new Set(pieces.filter((piece) => !stopped.has(piece))), pieces, selected),
      );
    }
    const isNone = stopped.size === 0;
    const blocked = isNone ? selected : rejoined(stopped, pieces, selected);
    const free = isNone ? [] : rejoined(new Set(pieces.filter((piece) => !stopped.has(piece))), pieces, selected);
    const isAlone = free.length > 0 && !blocked.some(({ id }) => this.#parts.isHalf(id));
    return { free, blocked, taken: isAlone && plan.kind === 'clean' ? plan : null };
  }

  /**
   * Its hunks one by one. What a change of a file did beside them, such as giving it another name, goes with the last of
   * them; one that made the file, removed it, or has another half goes as a whole.
   */
  #pieces(weave: Weave, one: Selected): readonly Selected[] {
    const keys = this.#keys(weave, [one]) ?? [];
    const hunks = keys.filter(isHunkKey);
    const { before, after } = this.#entry(one.id).file;
    const isWhole = before === null || after === null || this.#parts.isHalf(one.id);
    const parts = hunks.length === keys.length || !isWhole ? hunks : [];
    return parts.length > 1 ? parts.map((hunk) => ({ id: one.id, hunks: [hunk] })) : [one];
  }

  /** What taking their side would give: the change goes, and with it whatever rests on it. */
  async #forced(path: WorkspacePath, one: Selected, along: readonly Selected[]) {
    const plan = await this.force(path, one, along);
    if (plan.kind !== 'clean') {
      const before = this.#entry(one.id).file.before?.content ?? null;
      return { theirs: before, theirsBytes: null };
    }
    return { theirs: nextOf(plan), theirsBytes: plan.change.bytes };
  }

  force(path: WorkspacePath, one: Selected, along: readonly Selected[] = []): Promise<FilePlan> {
    return this.#planOf(path, [one, ...along], { cascade: 'force' });
  }

  #planOf(
    path: WorkspacePath,
    selected: readonly Selected[],
    request: Partial<Pick<SwitchRequest, 'cascade'>> = {},
  ): Promise<FilePlan> {
    return this.#parts.planner.plan({
      path,
      since: oldest(selected),
      ...this.#request(),
      ...request,
      keys: (weave) => this.#keys(weave, selected),
    });
  }

  /** The file without what stands in the way of taking `one` out; null where the history does not tell. */
  async withoutObstacles(path: WorkspacePath, one: Selected): Promise<CleanPlan | null> {
    const { planner } = this.#parts;
    const request = { path, since: seqOfChange(one.id), ...this.#request() };
    const blocked = await planner.plan({ ...request, keys: (weave) => this.#keys(weave, [one]) });
    if (blocked.kind !== 'blocked') return null;
    const above = blocked.plan.obstacles.map(({ part }) => blocked.weave.parts[part]!.key);
    const plan = await planner.plan({ ...request, cascade: 'force', keys: () => above });
    return plan.kind === 'clean' ? plan : null;
  }

  async #byMerge(
    path: WorkspacePath,
    selected: readonly Selected[],
    { present, lineage }: FilePlan & { kind: 'untold' },
  ): Promise<FileRejection> {
    const { texts, planner } = this.#parts;
    let body: Body | 'missing' = await bodyOf(present, texts);
    let version = present;
    if (body === 'missing') return { ...NOTHING, left: selected.flatMap((one) => leave(one, 'not-reversible')) };
    for (const one of [...selected].sort((a, b) => seqOfChange(b.id) - seqOfChange(a.id))) {
      const merged = await mergeBack(this.#entry(one.id).file, one.hunks, { version, body }, texts);
      if (merged === 'missing') return { ...NOTHING, left: selected.flatMap((each) => leave(each, 'not-reversible')) };
      if (merged === 'conflict') {
        const theirs = this.#entry(one.id).file.before?.content ?? null;
        const ours = present?.content ?? null;
        const conflict = { ...this.#conflict(path, one, ours, 'it does not merge with what is there'), theirs };
        const waiting = selected.filter((each) => each !== one);
        const left = waiting.flatMap((each) => leave(each, 'file-in-conflict'));
        return { ...NOTHING, conflicts: [{ ...conflict, theirsBytes: null }], left };
      }
      body = merged.body;
      version = body === null ? null : planner.version(body.bytes, body.mode);
    }
    const writes: FileWrite[] = [{ path, expected: present, next: version }];
    return { ...NOTHING, rejected: selected, change: { writes, bytes: body?.bytes ?? null }, lineage };
  }

  /** What could be done to this file alone, and must not be done for the sake of others. */
  refused(path: WorkspacePath, selected: readonly Selected[], why: string): FileRejection {
    if (why === CALL_RUNNING) return { ...NOTHING, left: selected.flatMap((one) => leave(one, 'call-running')) };
    const ours = this.#parts.planner.present(path)?.content ?? null;
    const conflicts = selected.map((one) => {
      const theirs = this.#entry(one.id).file.before?.content ?? null;
      return { ...this.#conflict(path, one, ours, why), theirs, theirsBytes: null };
    });
    return { ...NOTHING, conflicts };
  }

  #conflict(path: WorkspacePath, { id, hunks }: Selected, ours: ContentId | null, reason: string) {
    const base = this.#entry(id).file.after?.content ?? null;
    return { change: id, path, base, ours, reason, ...(hunks === null ? {} : { hunks }) };
  }

  #request(): Omit<SwitchRequest, 'keys'> & { readonly to: 'off' } {
    return { to: 'off', cascade: this.#parts.cascade, openKeys: (change, weave) => this.#openKeys(weave, change) };
  }

  /** What may go along. What a person may have made has to be asked for. */
  #openKeys(weave: Weave, change: ChangeId) {
    const entry = this.#parts.review.entries.get(change);
    if (entry === undefined || !isOpen(entry) || isPerhapsAPersons(entry.author)) return [];
    return partsWith(weave, entry, (status) => isOpen({ status }));
  }

  /** An open change goes with what is open of it; a settled one that was asked for by name, with all that is left. */
  #keys(weave: Weave, selected: readonly Selected[]) {
    const keys = selected.map((one) => {
      const entry = this.#entry(one.id);
      return keysOf(weave, one, entry, (status) => (isOpen(entry) ? isOpen({ status }) : status !== 'rejected'));
    });
    return keys.includes(null) ? null : keys.flatMap((some) => some ?? []);
  }

  #entry(id: ChangeId): ReviewEntry {
    return this.#parts.review.entries.get(id)!;
  }
}

export const NOTHING: FileRejection = {
  rejected: [],
  cascaded: [],
  conflicts: [],
  left: [],
  names: [],
  change: { writes: [], bytes: null },
  lineage: { steps: [] },
  taken: null,
};

/** Those of the pieces of each selection that are among `some`: the selection itself where all of them are. */
function rejoined(
  some: ReadonlySet<Selected>,
  pieces: readonly Selected[],
  selected: readonly Selected[],
): readonly Selected[] {
  const found = new Map<ChangeId, { readonly hunks: HunkId[]; all: boolean }>();
  for (const piece of pieces) {
    const { hunks, all } = found.get(piece.id) ?? { hunks: [], all: true };
    if (some.has(piece)) hunks.push(...(piece.hunks ?? []));
    found.set(piece.id, { hunks, all: all && some.has(piece) });
  }
  return selected.flatMap((one) => {
    const { hunks, all } = found.get(one.id)!;
    if (all) return [one];
    return hunks.length === 0 ? [] : [{ id: one.id, hunks }];
  });
}

/** What the file holds after it; null where it is not written, or is gone. */
function nextOf({ change }: CleanPlan): ContentId | null {
  return change.writes.find(({ next }) => next !== null)?.next?.content ?? null;
}

export function oldest(selected: readonly Selected[]): Seq {
  return selected.reduce((least, { id }) => Math.min(least, seqOfChange(id)), Number.MAX_SAFE_INTEGER) as Seq;
}

function leave({ id, hunks }: Selected, why: Left['why']): readonly Left[] {
  return (hunks ?? [id]).map((one: ChangeId | HunkId) => ({ id: one, why }));
}
