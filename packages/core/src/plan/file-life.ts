import { laterAuthors } from '../attribution/attributions.js';
import { type FileChange, type FileVersion, sameVersion } from '../file.js';
import { followMoves, halvesOf } from '../identity.js';
import { changeId, type Seq } from '../ids.js';
import type { Changed, Operation } from '../operation.js';
import type { WorkspacePath } from '../path.js';
import { handOf, type PathStep } from './path-history.js';

/** A file where it is, or was. */
export type Place = { readonly path: WorkspacePath; readonly version: FileVersion };

/** One step of one file, whatever its name was. Null is no file. */
type LifeStep = {
  readonly seq: Seq;
  readonly by: PathStep['by'];
  readonly before: Place | null;
  readonly after: Place | null;
};

/** What happened to one file, through all of its names, oldest first. */
export type FileLife = {
  readonly steps: readonly LifeStep[];
  /** The same, with those that came to nothing because the file was again what it had been. */
  readonly allSteps: readonly LifeStep[];
  /** Files that agents moved in one go with this one, so that neither goes back without the other; by their numbers. */
  readonly bound: ReadonlySet<number>;
};

/** The lives of all files that the operations touched. A file that was removed and made again is the same one. */
export function livesOf(operations: readonly Operation[]): readonly FileLife[] {
  const proven = laterAuthors(operations);
  const lives: Following[] = [];
  const at = new Map<WorkspacePath, Following>();
  /** Who was at a place before the one that is there. */
  const former = new Map<WorkspacePath, Following>();
  for (const operation of operations) {
    const files = followMoves(operation);
    const left = new Set(files.flatMap((file) => file?.fromPath ?? []));
    // What comes to a place that another leaves in the same operation is not that other.
    const isComing = ({ path, fromPath }: FileChange) => fromPath === undefined && left.has(path);
    // All sources are looked up before any target is set, since files may change places.
    const concerned: (Following | null)[] = files.map((file) => {
      if (file === null) return null;
      return (isComing(file) ? former.get(file.path) : at.get(file.fromPath ?? file.path)) ?? null;
    });
    for (const path of left) at.delete(path);
    for (const [index, file] of files.entries()) {
      if (file === null) continue;
      const { path, fromPath, before, after } = file;
      const { seq } = operation;
      const by = handOf(operation, proven.get(changeId(seq, index)));
      const old = before === null || isComing(file) ? null : { path: fromPath ?? path, version: before };
      const life = concerned[index] ?? new Following(old);
      if (concerned[index] === null) lives.push(life);
      const there = at.get(path);
      if (there !== undefined && there !== life) former.set(path, there);
      if (fromPath !== undefined) there?.end(seq, by);
      life.add({ seq, by, before: old, after: after === null ? null : { path, version: after } });
      at.set(path, life);
      concerned[index] = life;
    }
    if (operation.kind === 'changed') bindHalves(operation, concerned);
  }
  const numbers = new Map(lives.map((life, index) => [life, index]));
  return lives.map((life) => ({
    steps: life.steps(),
    allSteps: life.all,
    bound: new Set([...life.bound].map((other) => numbers.get(other)!)),
  }));
}

function bindHalves({ files }: Changed, lives: readonly (Following | null)[]): void {
  for (const [a, b] of halvesOf(files)) {
    const [one, other] = [lives[a], lives[b]];
    if (!one || !other || one === other) continue;
    one.bound.add(other);
    other.bound.add(one);
  }
}

type Trail = { readonly step: LifeStep; readonly earlier: Trail } | null;

/**
 * A file that is again what it was at an earlier time is as if nothing had happened to it since: it was put away and
 * came back, and with it who wrote it. So where it was before is kept for every state.
 */
class Following {
  readonly bound = new Set<Following>();
  readonly all: LifeStep[] = [];
  readonly #seen = new Map<string, Trail>();
  #trail: Trail = null;

  constructor(before: Place | null) {
    if (before !== null) this.#seen.set(keyOf(before), null);
  }

  add(step: LifeStep): void {
    this.all.push(step);
    const key = step.after === null ? null : keyOf(step.after);
    const known = key === null ? undefined : this.#seen.get(key);
    this.#trail = known === undefined ? { step, earlier: this.#trail } : known;
    if (key !== null && known === undefined) this.#seen.set(key, this.#trail);
  }

  /** Another file took its place. */
  end(seq: Seq, by: LifeStep['by']): void {
    const before = this.#trail?.step.after ?? null;
    if (before !== null) this.add({ seq, by, before, after: null });
  }

  steps(): readonly LifeStep[] {
    const steps: LifeStep[] = [];
    for (let trail = this.#trail; trail !== null; trail = trail.earlier) steps.push(trail.step);
    return steps.reverse();
  }
}

const keyOf = ({ path, version }: Place) => `${version.mode} ${version.content} ${path}`;

/** Every name that a file had. */
export function namesOfLife({ steps }: Pick<FileLife, 'steps'>): ReadonlySet<WorkspacePath> {
  return new Set(steps.flatMap(({ before, after }) => [before?.path ?? [], after?.path ?? []].flat()));
}

/** What agents did to one file in one go, with nobody else's hand between. */
type AgentStretch = { readonly before: Place | null; readonly after: Place | null };

/** Newest first, which is the order in which they are to be taken back. What came to nothing is left out. */
export function agentStretches(steps: readonly LifeStep[]): readonly AgentStretch[] {
  const stretches: AgentStretch[] = [];
  let open: AgentStretch | null = null;
  for (const step of steps) {
    if (step.by === 'agent') {
      open = { before: open === null ? step.before : open.before, after: step.after };
      continue;
    }
    if (open !== null) stretches.push(open);
    open = null;
  }
  if (open !== null) stretches.push(open);
  return stretches.filter(({ before, after }) => !samePlace(before, after)).reverse();
}

export function samePlace(a: Place | null, b: Place | null): boolean {
  if (a === null || b === null) return a === b;
  return a.path === b.path && sameVersion(a.version, b.version);
}
