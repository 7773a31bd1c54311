import type { Circumstance, ContentId, FileVersion, Link, WorkspacePath } from '@palimpsest/core';
import type { FileState } from '../log/log.js';
import { versionOf } from '../store/known-tree.js';
import { type CallPlan, plannedWrite } from './call-plan.js';
import { type Claims, type Scene, type Suspect, withInodes } from './claims.js';
import type { Observation } from './observer.js';

/** A version of the file that was seen, and what was going on until then. */
type SeenVersion = {
  readonly after: FileState | null;
  readonly suspects: readonly Suspect[];
  readonly circumstance: Circumstance;
  /** A person says that they saved it like this. */
  readonly contested?: true;
};

/** What was seen of one file while a call runs that is to write it. */
type Stretch = { readonly before: FileState | null; readonly versions: readonly SeenVersion[] };

/** From one version to the next, with all that may have been at it. */
type Step = { readonly before: FileState | null } & SeenVersion;

type ContentBefore = Scene['contentBefore'];

/**
 * Tools truncate, pause and write, and a look may come in between. So a file that a running call is to write, in a way
 * that is known, is judged when that call ends, with everything that was seen of it: versions that were on their way to
 * what the call was to write never stood for themselves, and no person is inferred from them.
 */
export class Stretches {
  readonly #claims: Claims;
  readonly #stretches = new Map<WorkspacePath, Stretch>();

  constructor(claims: Claims) {
    this.#claims = claims;
  }

  has(path: WorkspacePath): boolean {
    return this.#stretches.has(path);
  }

  *beginnings(): Generator<readonly [WorkspacePath, FileVersion | null]> {
    for (const [path, { before }] of this.#stretches) yield [path, versionOf(before)];
  }

  *contents(): Generator<ContentId> {
    for (const { before, versions } of this.#stretches.values()) {
      if (before !== null) yield before.content;
      for (const { after } of versions) if (after !== null) yield after.content;
    }
  }

  takes({ path }: Observation, suspects: readonly Suspect[]): boolean {
    if (this.#stretches.has(path)) return true;
    return suspects.some(({ plan, outcome, ran }) => outcome === 'running' && ran === undefined && writes(plan, path));
  }

  add({ path, before, after }: Observation, { suspects, circumstance }: Scene): void {
    const stretch = this.#stretches.get(path) ?? { before, versions: [] };
    this.#stretches.set(path, { ...stretch, versions: [...stretch.versions, { after, suspects, circumstance }] });
  }

  /** A call that is heard of only now may have written any of what was seen. */
  suspect(late: Suspect): void {
    for (const [path, { before, versions }] of this.#stretches) {
      if (!writes(late.plan, path)) continue;
      const suspected = versions.map((seen) => ({ ...seen, suspects: [...seen.suspects, late] }));
      this.#stretches.set(path, { before, versions: suspected });
    }
  }

  /** A person says that they saved the file, which may be what was seen last. */
  contest(path: WorkspacePath): boolean {
    const stretch = this.#stretches.get(path);
    const last = stretch?.versions.at(-1);
    if (stretch === undefined || last === undefined) return false;
    this.#stretches.set(path, {
      ...stretch,
      versions: [...stretch.versions.slice(0, -1), { ...last, contested: true }],
    });
    return true;
  }

  /** What can be said of a file before the call has ended; it stays until it is dropped. */
  async linksSoFar(path: WorkspacePath, contentBefore: ContentBefore): Promise<readonly Link[]> {
    const stretch = this.#stretches.get(path);
    return stretch === undefined ? [] : this.#linksOf(path, stretch, new Set(), contentBefore);
  }

  drop(path: WorkspacePath): void {
    this.#stretches.delete(path);
  }

  /** The links of all files that nothing more is to be waited for. */
  async judge(open: readonly CallPlan[], suspects: readonly Suspect[], contentBefore: ContentBefore) {
    this.#noteEnds(suspects.filter(({ outcome }) => outcome !== 'running'));
    const links: Link[] = [];
    const judged: WorkspacePath[] = [];
    for (const [path, stretch] of this.#stretches) {
      if (!isOver(path, stretch, open, suspects)) continue;
      const done = new Set(suspects.filter(({ outcome }) => outcome === 'ok').map(({ plan }) => plan.key));
      links.push(...(await this.#linksOf(path, stretch, done, contentBefore)));
      judged.push(path);
    }
    for (const path of judged) this.#stretches.delete(path);
    return links;
  }

  /** What is there when a call ends is how it left it. */
  #noteEnds(ended: readonly Suspect[]): void {
    if (ended.length === 0) return;
    const byKey = new Map(ended.map((suspect) => [suspect.plan.key, suspect]));
    for (const [path, stretch] of this.#stretches) {
      const last = stretch.versions.at(-1)!;
      const suspects = last.suspects.map((suspect) => byKey.get(suspect.plan.key) ?? suspect);
      this.#stretches.set(path, { ...stretch, versions: [...stretch.versions.slice(0, -1), { ...last, suspects }] });
    }
  }

  /** `done`: the calls that say that they did what they were to do. */
  async #linksOf(
    path: WorkspacePath,
    stretch: Stretch,
    done: ReadonlySet<string>,
    contentBefore: ContentBefore,
  ): Promise<readonly Link[]> {
    const steps = await this.#steps(stretch, contentBefore);
    const proofs = await Promise.all(steps.map((step) => this.#proofs(step, stretch.before, contentBefore)));
    if (proofs.at(-1)!.size === 0 && areOfOneScene(steps)) {
      const whole = { ...steps.at(-1)!, before: stretch.before };
      const links = await this.#claims.linksOf({ path, ...whole }, sceneOf(whole, contentBefore));
      if (links.at(-1)!.attribution.evidence === 'exact') return withInodes(links, { path, ...whole });
    }
    const links: Link[] = [];
    for (const [index, step] of steps.entries()) {
      const provers = step.suspects.filter(({ plan }) => proofs[index]!.has(plan.key));
      const scene = sceneOf(step, contentBefore);
      const suspects = scene.suspects.map((suspect) => inView(suspect, proofs, index, done));
      const ofStep =
        provers.length > 0
          ? [this.#claims.provenLink({ path, ...step }, provers, step.circumstance)]
          : await this.#claims.linksOf({ path, ...step }, { ...scene, suspects });
      links.push(...withInodes(ofStep, { path, ...step }));
    }
    return links;
  }

  /** What was seen on the way to something else is left out, and its suspects are those of what it became. */
  async #steps({ before, versions }: Stretch, contentBefore: ContentBefore): Promise<readonly Step[]> {
    const steps: Step[] = [];
    let suspects: readonly Suspect[] = [];
    for (const [index, seen] of versions.entries()) {
      const previous = steps.length === 0 ? before : steps.at(-1)!.after;
      suspects = united(suspects, seen.suspects);
      const isLast = index === versions.length - 1 || seen.suspects.some((suspect) => hasEnded(suspect, seen.after));
      if (!isLast && (isMovedOnly(seen, contentBefore) || (await this.#isHalfWay(seen, [previous, before])))) continue;
      steps.push({ ...seen, before: previous, suspects });
      suspects = [];
    }
    return steps;
  }

  async #isHalfWay({ after, suspects }: SeenVersion, bases: readonly (FileState | null)[]): Promise<boolean> {
    if (after === null || after.size === 0) return true;
    for (const suspect of suspects)
      if (!isLate(suspect) && (await this.#claims.isHalfWay(suspect, bases, after))) return true;
    return false;
  }

  /** The calls that the step is proven to be of: the tool may have read the file before others wrote it. */
  async #proofs(step: Step, first: FileState | null, contentBefore: ContentBefore): Promise<ReadonlySet<string>> {
    const proven = new Set<string>();
    for (const suspect of step.suspects) {
      const bases = step.before === first ? [first] : [step.before, first];
      if (await this.#claims.proves(suspect, bases, step.after, sceneOf(step, contentBefore)))
        proven.add(suspect.plan.key);
    }
    return proven;
  }
}

/** A call that moves a file and edits it may do the one first. */
function isMovedOnly({ after, suspects }: SeenVersion, contentBefore: ContentBefore): boolean {
  return suspects.some(({ plan }) => {
    const from = after === null ? null : plannedWrite(plan, after.path)?.from;
    return from !== null && from !== undefined && contentBefore(from) === after!.content;
  });
}

/** It was to write the file, and this is how it left it. */
function hasEnded(suspect: Suspect, left: FileState | null): boolean {
  if (suspect.outcome === 'running' || isLate(suspect) || left === null || left.size === 0) return false;
  return plannedWrite(suspect.plan, left.path) !== undefined;
}

function writes(plan: CallPlan, path: WorkspacePath): boolean {
  return Boolean(plannedWrite(plan, path)?.effect);
}

/** Heard of when it was over: the beginning of what it wrote is rather what it had found there, and wrote more to. */
function isLate({ outcome, ran }: Suspect): boolean {
  return outcome !== 'running' && ran === 'perhaps';
}

/** A call that was to write it has ended, and no other is in the middle of that. */
function isOver(
  path: WorkspacePath,
  { versions }: Stretch,
  open: readonly CallPlan[],
  suspects: readonly Suspect[],
): boolean {
  const running = open.some((plan) => writes(plan, path));
  if (!running) return true;
  const ended = suspects.some(({ plan, outcome }) => outcome !== 'running' && writes(plan, path));
  return ended && (versions.at(-1)!.after?.size ?? 0) > 0;
}

function sceneOf({ suspects, circumstance, contested }: Step, contentBefore: ContentBefore): Scene {
  const doubted = contested ? suspects.map((suspect) => ({ ...suspect, ran: 'perhaps' as const })) : suspects;
  return { suspects: doubted, circumstance: contested ? 'live' : circumstance, contentBefore };
}

/** Whether the same hands may have been at work in all steps: else what one call did would be sought in others' work too. */
function areOfOneScene(steps: readonly Step[]): boolean {
  const scenes = steps.map(({ suspects, circumstance, contested }) =>
    JSON.stringify([suspects.map(({ plan }) => plan.key).sort(), circumstance, contested]),
  );
  return new Set(scenes).size === 1;
}

/** A suspect of one step in view of all of them: where its own work is proven to be, or that it is nowhere. */
function inView(
  suspect: Suspect,
  proofs: readonly ReadonlySet<string>[],
  index: number,
  done: ReadonlySet<string>,
): Suspect {
  const at = proofs.findIndex((proven) => proven.has(suspect.plan.key));
  if (at >= 0) return { ...suspect, spent: at < index ? 'before' : 'after' };
  return done.has(suspect.plan.key) ? { ...suspect, spent: 'nowhere' } : suspect;
}

function united(earlier: readonly Suspect[], later: readonly Suspect[]): readonly Suspect[] {
  const keys = new Set(later.map(({ plan }) => plan.key));
  return [...later, ...earlier.filter(({ plan }) => !keys.has(plan.key))];
}
