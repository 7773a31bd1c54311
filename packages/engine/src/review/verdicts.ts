import {
  addTo,
  type ChangeId,
  type Conflict,
  changeNamed,
  type Decided,
  failed,
  type HunkId,
  isPerhapsAPersons,
  type Outcome,
  ok,
  type Review,
  type ReviewEntry,
  seqOfChange,
  type WorkspacePath,
} from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import type { FileWrite } from '../write/writer.js';
import { CALL_RUNNING } from '../write/writer.js';
import { Desk, type PlannedFile, pathsWritten, type ReviewParts, severalAtOnce } from './desk.js';
import { isOpen } from './meant.js';
import { isHunkKey, keysOf, type Names, namesOf, switchedOf } from './parts-of.js';
import { type FileRejection, oldest, Rejecting } from './rejecting.js';
import { rejectionsOf } from './rejection.js';
import { type Chosen, choose } from './selection.js';
import { stillStanding } from './standing.js';
import type {
  AcceptAnswer,
  Left,
  RejectAnswer,
  RejectOptions,
  Selected,
  Selection,
  VerdictOptions,
} from './verdict.js';

/** Accepting and rejecting. Runs inside the workspace's queue, after a look at the world. */
export class Verdicts {
  readonly #parts: ReviewParts;

  constructor(parts: ReviewParts) {
    this.#parts = parts;
  }

  /** Marks what is there as wanted. What was rejected before, and is asked for by name, is put back first. */
  async accept(selection: Selection, options: VerdictOptions): Promise<Outcome<AcceptAnswer, Refusal>> {
    const chosen = choose(selection, this.#parts);
    if (!chosen.ok) return chosen;
    const desk = new Desk(this.#parts);
    const meant = desk.halves.withOthers(together(chosen.value.named, chosen.value.found));
    const selected = meant.map((one) => this.#undecidedOf(one, 'rejected', desk));
    const unmoved = desk.unmoved(this.#pathsOf(selected), options.at);
    if (!unmoved.ok) return unmoved;
    const again = await this.#putBack(
      desk,
      selected.filter((one) => this.#isIn(one, 'rejected')),
    );
    if (!again.ok) return again;
    const accepted = selected.flatMap(idsOf);
    const already = this.#thoseIn('accepted', selected);
    const fresh = selected.flatMap((one) => without(one, already));
    const { writes, bytes, names } = again.value;
    const left = [...perhapsOf(chosen.value), ...this.#decidedBefore('rejected', chosen.value.named, selected)];
    const rest = { cascaded: [], conflicts: [], already, left, paths: [...this.#pathsOf(selected)] };
    const answer = { ...rest, accepted, ...pathsWritten(writes), seq: this.#parts.live.log.last };
    if (options.dryRun === true || fresh.length === 0) return ok(answer);
    const switched = switchedOf('on', names);
    const body: Decided = {
      ...{ kind: 'decided', verdict: 'accept', cascaded: [], conflicts: [], files: [], ...switched },
      hunks: [...fresh.flatMap(({ hunks }) => hunks ?? []), ...hunksSwitched(names, this.#review)],
      changes: fresh.filter(({ hunks }) => hunks === null).map(({ id }) => id),
    };
    const written = await this.#parts.writer.apply(writes, body, bytes);
    return written.ok ? ok({ ...answer, seq: written.value.seq }) : written;
  }

  async reject(selection: Selection, options: RejectOptions): Promise<Outcome<RejectAnswer, Refusal>> {
    const chosen = choose(selection, this.#parts);
    if (!chosen.ok) return chosen;
    const desk = new Desk(this.#parts);
    const named = chosen.value.named.map((one) => this.#widened(one, desk));
    // Whoever says everything, or a folder, means what agents did; a person's own work would have to be named.
    const located = selection.path === undefined ? null : this.#parts.locate(selection.path);
    const file = located?.ok ? located.value : null;
    const spared = chosen.value.found.filter((entry) => isPerhapsAPersons(entry.author) && !hasName(entry, file));
    const found = chosen.value.found.filter((entry) => !spared.includes(entry));
    const meant = desk.halves.withOthers(together(named, found));
    const selected = meant.map((one) => this.#undecidedOf(one, 'accepted', desk));
    const unmoved = desk.unmoved(this.#pathsOf(selected), options.at);
    if (!unmoved.ok) return unmoved;
    const done = selected.filter((one) => this.#isIn(one, 'rejected'));
    const { files: plan, writes } = await this.#planRejection(
      desk,
      selected.filter((one) => !done.includes(one)),
      options,
    );
    const refusal = this.#refusalOf(plan, named);
    if (refusal !== null) return failed(refusal);
    const answer: RejectAnswer = {
      rejected: [...plan.flatMap(({ rejected }) => rejected), ...done].flatMap(idsOf),
      cascaded: inOrder(plan.flatMap(({ cascaded }) => cascaded)),
      conflicts: plan.flatMap(({ conflicts }) => conflicts.map(({ change }) => change)),
      already: this.#thoseIn('rejected', selected),
      left: [
        ...plan.flatMap(({ left }) => left),
        ...perhapsOf(chosen.value),
        ...sparedOf(spared, selected),
        ...this.#decidedBefore('accepted', named, selected),
      ],
      paths: [...this.#pathsOf(plan.flatMap(({ rejected }) => rejected).concat(done))],
      ...pathsWritten(writes),
      seq: this.#parts.live.log.last,
    };
    if (options.dryRun === true || isIdle(plan)) return ok(answer);
    const body = await this.#rejectionBody(desk, plan, options.comment);
    const bytes = plan.flatMap(({ change, conflicts }) => [change.bytes, ...conflicts.map((each) => each.theirsBytes)]);
    const written = await this.#parts.writer.apply(writes, body, bytes);
    return written.ok ? ok({ ...answer, seq: written.value.seq }) : written;
  }

  async #planRejection(
    desk: Desk,
    selected: readonly Selected[],
    { cascade = 'dependents' }: RejectOptions,
  ): Promise<RejectionPlan> {
    const byPath = this.#byPath(selected);
    desk.lineages.prepare(byPath.size, oldest(selected));
    const { planner, texts, halves } = desk;
    const rejecting = new Rejecting({
      review: this.#review,
      planner,
      texts,
      cascade,
      isHalf: (id) => halves.isOne(id),
    });
    const groups = [...byPath];
    const planned = await severalAtOnce(groups, ([path, ofPath]) => rejecting.plan(path, ofPath));
    const known = new Set(selected.map(({ id }) => id));
    const along = planned.flatMap(({ cascaded }) => cascaded.map((id): Selected => ({ id, hunks: null })));
    for (const { id } of along) known.add(id);
    const others = halves.withOthers(along).filter(({ id }) => !known.has(id));
    if (others.length > 0) return this.#planRejection(desk, [...selected, ...others], { cascade });
    const isNamed = ({ id }: { readonly id: ChangeId }) => known.has(id) && isPerhapsAPersons(this.#entry(id).author);
    const { writes, refused } = await desk.settle(
      planned.map(({ change, lineage }) => ({ change, past: () => desk.pastOf(lineage, isNamed, known) })),
      {
        pairs: halves.pairsAmong(
          groups.map(([, ofPath], index) => [...ofPath.map(({ id }) => id), ...planned[index]!.cascaded]),
        ),
        stays: new Set(planned.flatMap(({ rejected }, index) => (rejected.length > 0 ? [] : index))),
        failing: (out) =>
          stillStanding(
            desk,
            groups.map(([path], index) => ({ path, taken: out.has(index) ? null : planned[index]!.taken })),
          ),
      },
    );
    const files = planned.map((plan, index) => {
      const why = refused.get(index);
      const [path, ofPath] = groups[index]!;
      if (why === undefined) return plan;
      const refusal = rejecting.refused(path, ofPath, why);
      return { ...refusal, left: [...plan.left, ...refusal.left] };
    });
    return { files, writes };
  }

  async #rejectionBody(desk: Desk, plan: readonly FileRejection[], comment: string | undefined): Promise<Decided> {
    const rejected = plan.flatMap((file) => file.rejected);
    const cascaded = inOrder(plan.flatMap((file) => file.cascaded));
    const names = plan.flatMap((file) => file.names);
    const hunks = new Set([...rejected.flatMap((one) => one.hunks ?? []), ...hunksSwitched(names, this.#review)]);
    const whole = rejected.filter((one) => one.hunks === null).map((one) => one.id);
    const entries = inOrder([...new Set([...rejected.map((one) => one.id), ...cascaded])]).map((id) => this.#entry(id));
    const isWhole = new Set<ChangeId>([...whole, ...cascaded]);
    const goes = (entry: ReviewEntry, index: number) =>
      hunks.has(entry.hunks[index]?.id as HunkId) ||
      (isWhole.has(entry.id) && entry.hunks[index]?.status !== 'accepted');
    const rejections = await rejectionsOf(entries, goes, desk.texts);
    const conflicts = plan.flatMap((file) =>
      file.conflicts.map(({ theirsBytes: _bytes, ...conflict }): Conflict => conflict),
    );
    return {
      ...{ kind: 'decided', verdict: 'reject', files: [], ...switchedOf('off', names) },
      ...{ hunks: [...hunks], changes: whole, cascaded, conflicts },
      ...(comment === undefined ? {} : { comment }),
      ...(rejections.length === 0 ? {} : { rejections }),
    };
  }

  /** What was asked for by name and cannot even be tried is a refusal, unless others can: then it is left out and said. */
  #refusalOf(plan: readonly FileRejection[], named: readonly Selected[]): Refusal | null {
    if (!isIdle(plan)) return null;
    const asked = new Set<ChangeId | HunkId>(named.flatMap(idsOf));
    const left = plan.flatMap((file) => file.left).find(({ id, why }) => asked.has(id) && why !== 'file-in-conflict');
    if (left === undefined) return null;
    const entry = this.#entry(changeNamed(left.id));
    return left.why === 'not-reversible'
      ? { code: 'not-reversible', change: entry.id, path: entry.path }
      : { code: 'moved', paths: [entry.path], seq: this.#parts.live.log.last };
  }

  async #putBack(desk: Desk, selected: readonly Selected[]) {
    const names: Names[] = [];
    const files: PlannedFile[] = [];
    const groups = [...this.#byPath(selected)];
    for (const [path, ofPath] of groups) {
      const plan = await desk.planner.plan({
        ...{ path, since: oldest(ofPath), to: 'on', cascade: 'none', openKeys: () => [] },
        keys: (weave) => {
          const keys = ofPath.map((one) => keysOf(weave, one, this.#entry(one.id), (status) => status === 'rejected'));
          return keys.includes(null) ? null : keys.flatMap((some) => some ?? []);
        },
      });
      if (plan.kind === 'clean') {
        const asked = new Set(ofPath.map(({ id }) => id));
        names.push(namesOf(path, plan));
        files.push({ change: plan.change, past: () => desk.pastOf(plan.lineage, ({ id }) => asked.has(id)) });
        continue;
      }
      if (plan.kind === 'unrecorded') return failed({ code: 'conflict', paths: [path], why: CALL_RUNNING } as const);
      const why = plan.kind === 'blocked' ? plan.why : 'what it found and left is not known any more';
      return failed({ code: 'conflict', paths: [path], why } as const);
    }
    const { writes, refused } = await desk.settle(files);
    const [first] = refused;
    if (first !== undefined) return failed({ code: 'conflict', paths: [groups[first[0]]![0]], why: first[1] } as const);
    return ok({ names, writes, bytes: files.map(({ change }) => change.bytes) });
  }

  /** All that is left of a change is the change; and what became or came from another file has no hunks of its own. */
  #widened({ id, hunks }: Selected, { halves }: Desk): Selected {
    const entry = this.#entry(id);
    if (hunks === null || halves.isOne(id)) return { id, hunks: null };
    const left = entry.hunks.filter(({ status }) => status !== 'rejected').map((hunk) => hunk.id);
    const { before, after } = entry.file;
    const becameAnother = before !== null && after !== null && (before.mode === '120000') !== (after.mode === '120000');
    const all = left.length > 0 && left.every((hunk) => hunks.includes(hunk));
    return all || becameAnother ? { id, hunks: null } : { id, hunks };
  }

  /**
   * Of a change that is open in part, or accepted in part, those hunks that have not got the other verdict: the change as a
   * whole does not take that back, and must not be said to have.
   */
  #undecidedOf(one: Selected, other: 'accepted' | 'rejected', { halves }: Desk): Selected {
    const entry = this.#entry(one.id);
    if (one.hunks !== null || halves.isOne(one.id) || !entry.hunks.some(({ status }) => status === other)) return one;
    // By its name a change that is settled goes with all that is left of it.
    if (other === 'accepted' ? !isOpen(entry) : entry.status === 'rejected') return one;
    const isMeant = (hunk: ReviewEntry['hunks'][number]) =>
      other === 'accepted' ? isOpen(hunk) : hunk.status !== other;
    return { id: one.id, hunks: entry.hunks.filter(isMeant).map(({ id }) => id) };
  }

  /** Hunks with the other verdict of changes that were named as a whole. */
  #decidedBefore(
    other: 'accepted' | 'rejected',
    named: readonly Selected[],
    selected: readonly Selected[],
  ): readonly Left[] {
    const whole = new Set(named.filter(({ hunks }) => hunks === null).map(({ id }) => id));
    const parted = selected.filter(({ id, hunks }) => hunks !== null && whole.has(id));
    const hunks = parted.flatMap(({ id }) => this.#entry(id).hunks.filter(({ status }) => status === other));
    return hunks.map(({ id }) => ({ id, why: `${other}-before` }));
  }

  #thoseIn(wanted: 'accepted' | 'rejected', selected: readonly Selected[]): readonly (ChangeId | HunkId)[] {
    return selected.flatMap((one): readonly (ChangeId | HunkId)[] => {
      if (one.hunks === null) return this.#isIn(one, wanted) ? [one.id] : [];
      return one.hunks.filter((hunk) => this.#isIn({ id: one.id, hunks: [hunk] }, wanted));
    });
  }

  #isIn({ id, hunks }: Selected, status: 'accepted' | 'rejected'): boolean {
    const entry = this.#entry(id);
    if (hunks === null) return entry.status === status;
    return entry.hunks.every((hunk) => hunk.status === status || !hunks.includes(hunk.id));
  }

  #byPath(selected: readonly Selected[]): ReadonlyMap<WorkspacePath, readonly Selected[]> {
    const byPath = new Map<WorkspacePath, Selected[]>();
    for (const one of selected) addTo(byPath, this.#entry(one.id).path, one);
    return byPath;
  }

  #pathsOf(selected: readonly Selected[]): ReadonlySet<WorkspacePath> {
    return new Set(selected.map(({ id }) => this.#entry(id).path));
  }

  #entry(id: ChangeId): ReviewEntry {
    return this.#review.entries.get(id)!;
  }

  get #review(): Review {
    return this.#parts.live.views.review;
  }
}

/** What is to become of each file, and what it comes to on the disk. */
type RejectionPlan = { readonly files: readonly FileRejection[]; readonly writes: readonly FileWrite[] };

function isIdle(plan: readonly FileRejection[]): boolean {
  return plan.every(({ rejected, conflicts }) => rejected.length + conflicts.length === 0);
}

/** Whether it is of the file that goes, or went, by this name. */
function hasName({ path, file }: ReviewEntry, name: WorkspacePath | null): boolean {
  return name !== null && [path, file.path, file.fromPath].includes(name);
}

function perhapsOf({ perhaps }: Chosen): readonly Left[] {
  return perhaps.map(({ id }) => ({ id, why: 'perhaps-anothers' }));
}

/** Some may go all the same, as the other half of what was meant. */
function sparedOf(spared: readonly ReviewEntry[], selected: readonly Selected[]): readonly Left[] {
  const meant = new Set(selected.map(({ id }) => id));
  return spared.filter(({ id }) => !meant.has(id)).map(({ id }) => ({ id, why: 'perhaps-a-persons' }));
}

/** By name and by place, each once. */
function together(named: readonly Selected[], found: readonly ReviewEntry[]): readonly Selected[] {
  const whole = new Map<ChangeId, Selected>(named.map((one) => [one.id, one]));
  for (const { id } of found) whole.set(id, { id, hunks: null });
  return [...whole.values()];
}

/** Hunks that were settled and are decided anew must be named; those that were open go with their change. */
function hunksSwitched(names: readonly Names[], review: Review): readonly HunkId[] {
  const settled: HunkId[] = [];
  for (const { whole, parts } of names) {
    for (const id of whole) {
      for (const hunk of review.entries.get(id)?.hunks ?? []) if (!isOpen(hunk)) settled.push(hunk.id);
    }
    settled.push(...parts.filter(isHunkKey));
  }
  return settled;
}

function without({ id, hunks }: Selected, some: readonly (ChangeId | HunkId)[]): readonly Selected[] {
  if (hunks === null) return some.includes(id) ? [] : [{ id, hunks }];
  const rest = hunks.filter((hunk) => !some.includes(hunk));
  return rest.length === 0 ? [] : [{ id, hunks: rest }];
}

function idsOf({ id, hunks }: Selected): readonly (ChangeId | HunkId)[] {
  return hunks ?? [id];
}

function inOrder(ids: readonly ChangeId[]): readonly ChangeId[] {
  return [...ids].sort((a, b) => seqOfChange(a) - seqOfChange(b) || Number(a.split('.')[1]) - Number(b.split('.')[1]));
}
