import {
  type ChangeId,
  type FileVersion,
  failed,
  type Outcome,
  ok,
  parseChangeId,
  type Resolved,
  type ReviewEntry,
} from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import { versionOf } from '../store/known-tree.js';
import { CALL_RUNNING, type FileWrite } from '../write/writer.js';
import { Desk, pathsWritten, type ReviewParts } from './desk.js';
import type { CleanPlan } from './file-plan.js';
import type { Lineage } from './lineage.js';
import { namesOf, switchedOf } from './parts-of.js';
import { Rejecting } from './rejecting.js';
import { standsElsewhere } from './standing.js';
import type { ResolveAnswer, ResolveOptions, ResolveWith, Selected } from './verdict.js';

const LINK_MODE = '120000';

type Resolution = {
  readonly body: Omit<Resolved, 'kind' | 'change' | 'files'>;
  readonly writes: readonly FileWrite[];
  readonly bytes: Uint8Array | null;
};

/** Ends a conflict: as it is, as it would be without the change, or as somebody made it by hand. */
export class Resolving {
  readonly #parts: ReviewParts;

  constructor(parts: ReviewParts) {
    this.#parts = parts;
  }

  async resolve(
    change: string,
    how: ResolveWith,
    { dryRun }: ResolveOptions,
  ): Promise<Outcome<ResolveAnswer, Refusal>> {
    const id = parseChangeId(change);
    if (!id.ok) return id;
    const entry = this.#parts.live.views.review.entries.get(id.value);
    if (entry === undefined) return failed({ code: 'unknown-change', change });
    if (entry.status !== 'conflict') return failed({ code: 'nothing-to-do', why: `${change} is not in conflict` });
    const desk = new Desk(this.#parts);
    const resolution = await this.#resolution(desk, entry, how);
    if (!resolution.ok) return resolution;
    const { body, writes, bytes } = resolution.value;
    const answer = { resolved: id.value, cascaded: body.cascaded ?? [], path: entry.path, ...pathsWritten(writes) };
    if (dryRun === true) return ok({ ...answer, seq: this.#parts.live.log.last });
    const said = { kind: 'resolved', change: id.value, files: [], ...body } as const;
    const written = await this.#parts.writer.apply(writes, said, [bytes]);
    return written.ok ? ok({ ...answer, seq: written.value.seq }) : written;
  }

  async #resolution(desk: Desk, entry: ReviewEntry, how: ResolveWith): Promise<Outcome<Resolution, Refusal>> {
    if ('take' in how && how.take === 'ours') return ok({ body: { take: 'ours' }, writes: [], bytes: null });
    const { steps } = await desk.lineages.of(entry.path, entry.seq);
    if (!steps.some(({ id }) => id === entry.id))
      return failed({ code: 'conflict', paths: [entry.path], why: 'another file has its name by now' });
    if ('bytes' in how) return this.#edited(desk, entry, how.bytes);
    return how.take === 'agent' ? this.#agents(desk, entry) : this.#theirs(desk, entry);
  }

  /** As the agent left it: what came on top of the change goes, and the change stays. */
  async #agents(desk: Desk, entry: ReviewEntry): Promise<Outcome<Resolution, Refusal>> {
    const plan = await this.#rejecting(desk).withoutObstacles(entry.path, inConflict(entry));
    if (plan !== null) return this.#switchedOff(desk, entry, plan, 'ours');
    const why = 'how the agent left it cannot be told apart from what came later';
    return failed({ code: 'conflict', paths: [entry.path], why });
  }

  async #switchedOff(
    desk: Desk,
    entry: ReviewEntry,
    plan: CleanPlan,
    take: 'ours' | 'theirs',
  ): Promise<Outcome<Resolution, Refusal>> {
    const { weave, change, lineage } = plan;
    const { entries } = this.#parts.live.views.review;
    const cascaded = plan.plan.cascaded.filter((id) => entries.get(id)?.status === 'pending');
    const gone = new Set(plan.plan.switched.map((part) => weave.parts[part]!.change));
    const past = () => desk.pastOf(lineage, ({ id }) => gone.has(id));
    const { writes, refused } = await desk.settle([{ change, past }]);
    for (const why of refused.values()) return failed({ code: 'conflict', paths: [entry.path], why });
    const switched = switchedOf('off', [namesOf(entry.path, plan)]);
    const extra = cascaded.length === 0 ? {} : { cascaded };
    return ok({ body: { take, ...extra, ...switched }, writes, bytes: change.bytes });
  }

  /** A text is never made the target of a link. */
  #edited(desk: Desk, entry: ReviewEntry, bytes: Uint8Array): Outcome<Resolution, Refusal> {
    const present = this.#present(entry);
    if (present?.mode === LINK_MODE)
      return failed({ code: 'conflict', paths: [entry.path], why: 'a link stands there, and no text' });
    const modes = [present, entry.file.after, entry.file.before].flatMap((version) => version?.mode ?? []);
    const next = desk.planner.version(bytes, modes.find((mode) => mode !== LINK_MODE) ?? '100644');
    return ok({ body: { take: 'edited' }, writes: [{ path: entry.path, expected: present, next }], bytes });
  }

  /** The change goes, and with it every later edit that rests on it: that is what was in the way. */
  async #theirs(desk: Desk, entry: ReviewEntry): Promise<Outcome<Resolution, Refusal>> {
    const plan = await this.#rejecting(desk).force(entry.path, inConflict(entry));
    switch (plan.kind) {
      case 'clean': {
        const why = await standsElsewhere(desk, { path: entry.path, taken: plan });
        if (why !== null) return failed({ code: 'conflict', paths: [entry.path], why });
        return this.#switchedOff(desk, entry, plan, 'theirs');
      }
      case 'unrecorded':
        return failed({ code: 'conflict', paths: [entry.path], why: CALL_RUNNING });
      case 'missing':
        return failed({ code: 'not-reversible', change: entry.id, path: entry.path });
      case 'blocked':
        return failed({ code: 'conflict', paths: [entry.path], why: plan.why });
      case 'untold':
        return this.#before(desk, entry, plan.lineage);
    }
  }

  /** Where the history does not tell, their side is the file as the change found it. */
  async #before(desk: Desk, entry: ReviewEntry, lineage: Lineage): Promise<Outcome<Resolution, Refusal>> {
    if (entry.file.fromPath !== undefined)
      return failed({ code: 'conflict', paths: [entry.path], why: 'the rename cannot be traced back' });
    const change = {
      writes: [{ path: entry.path, expected: this.#present(entry), next: entry.file.before }],
      bytes: null,
    };
    const past = () => desk.pastOf(lineage, ({ operation }) => operation.seq >= entry.seq);
    const { writes, refused } = await desk.settle([{ change, past }]);
    for (const why of refused.values()) return failed({ code: 'conflict', paths: [entry.path], why });
    return ok({ body: { take: 'theirs' }, writes, bytes: null });
  }

  #rejecting({ planner, texts, halves }: Desk): Rejecting {
    const isHalf = (id: ChangeId) => halves.isOne(id);
    return new Rejecting({ review: this.#parts.live.views.review, planner, texts, cascade: 'dependents', isHalf });
  }

  #present({ path }: ReviewEntry): FileVersion | null {
    return versionOf(this.#parts.known.get(path));
  }
}

/** What a conflict is about: some hunks while others wait for a verdict, or else the change. */
function inConflict({ id, hunks }: ReviewEntry): Selected {
  const partly = hunks.some(({ status }) => status === 'pending');
  return { id, hunks: partly ? hunks.filter(({ status }) => status === 'conflict').map((hunk) => hunk.id) : null };
}
