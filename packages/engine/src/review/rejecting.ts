import {
  type ChangeId,
  type Conflict,
  type ContentId,
  type HunkId,
  isPerhapsAPersons,
  planSwitch,
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
import { keysOf, type Names, namesOf, partsWith } from './parts-of.js';
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
};

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
    const plan = await this.#parts.planner.plan({
      path,
      since: Math.min(...selected.map(({ id }) => seqOfChange(id))) as Seq,
      ...this.#request(),
      keys: (weave) => this.#keys(weave, selected),
    });
    const planned = await this.#fromPlan(path, selected, plan);
    return { ...planned, left: [...lost, ...planned.left] };
  }

  async #fromPlan(path: WorkspacePath, selected: readonly Selected[], plan: FilePlan): Promise<FileRejection> {
    switch (plan.kind) {
      case 'clean': {
        const { cascaded } = plan.plan;
        return {
          ...NOTHING,
          rejected: selected,
          cascaded,
          names: [namesOf(path, plan)],
          change: plan.change,
          lineage: plan.lineage,
          taken: plan,
        };
      }
      case 'blocked':
        return this.#conflicting(path, selected, plan.weave, plan.why);
      case 'untold':
        return this.#byMerge(path, selected, plan);
      case 'unrecorded':
        return { ...NOTHING, left: selected.flatMap((one) => leave(one, 'call-running')) };
      case 'missing':
        return { ...NOTHING, left: selected.flatMap((one) => leave(one, 'not-reversible')) };
    }
  }

  /** Those that something stands in the way of are in conflict; the others wait, since a file is written as a whole. */
  async #conflicting(
    path: WorkspacePath,
    selected: readonly Selected[],
    weave: Weave,
    why: string,
  ): Promise<FileRejection> {
    const isBlocked = (one: Selected) =>
      planSwitch(weave, { ...this.#request(), keys: this.#keys(weave, [one]) ?? [] }).obstacles.length > 0;
    const found = selected.filter(isBlocked);
    const blocked = found.length === 0 ? selected : found;
    const conflicts: FileRejection['conflicts'][number][] = [];
    for (const one of blocked) {
      const forced = await this.#forced(path, one);
      conflicts.push({ ...this.#conflict(path, one, weave.version?.content ?? null, why), ...forced });
    }
    const waiting = selected.filter((one) => !blocked.includes(one));
    return { ...NOTHING, conflicts, left: waiting.flatMap((one) => leave(one, 'file-in-conflict')) };
  }

  /** What taking their side would give: the change goes, and with it whatever rests on it. */
  async #forced(path: WorkspacePath, one: Selected) {
    const plan = await this.force(path, one);
    if (plan.kind !== 'clean') {
      const before = this.#entry(one.id).file.before?.content ?? null;
      return { theirs: before, theirsBytes: null };
    }
    const next = plan.change.writes.find((write) => write.next !== null)?.next ?? null;
    return { theirs: next?.content ?? null, theirsBytes: plan.change.bytes };
  }

  force(path: WorkspacePath, one: Selected): Promise<FilePlan> {
    return this.#parts.planner.plan({
      path,
      since: seqOfChange(one.id),
      ...this.#request(),
      cascade: 'force',
      keys: (weave) => this.#keys(weave, [one]),
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

function leave({ id, hunks }: Selected, why: Left['why']): readonly Left[] {
  return (hunks ?? [id]).map((one: ChangeId | HunkId) => ({ id: one, why }));
}
