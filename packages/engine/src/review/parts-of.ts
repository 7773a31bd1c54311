import {
  addTo,
  type ChangeId,
  type ChangeStatus,
  type HunkId,
  type PartKey,
  type ReviewEntry,
  type Switched,
  type Weave,
  type WorkspacePath,
} from '@palimpsest/core';
import type { CleanPlan } from './file-plan.js';
import type { Selected } from './verdict.js';

/**
 * The parts of a change whose hunks have a wanted status, and what it did beside its hunks unless one of the others
 * was accepted: with that the file as a whole was.
 */
export function partsWith(weave: Weave, entry: ReviewEntry, wanted: (status: ChangeStatus) => boolean): PartKey[] {
  const keys = weave.partsOf(entry.id).map((part) => weave.parts[part]!.key);
  const others = new Map<PartKey, ChangeStatus>();
  for (const hunk of entry.hunks) if (!wanted(hunk.status)) others.set(hunk.id, hunk.status);
  const accepted = [...others.values()].includes('accepted');
  return keys.filter((key) => !others.has(key) && !(key === entry.id && accepted));
}

/** What a selection switches in a file's history; null when the history does not hold it. */
export function keysOf(
  weave: Weave,
  { id, hunks }: Selected,
  entry: ReviewEntry,
  wanted: (status: ChangeStatus) => boolean,
): readonly PartKey[] | null {
  if (weave.partsOf(id).length === 0) return null;
  if (hunks === null) return partsWith(weave, entry, wanted);
  return hunks.every((hunk) => weave.indexOf(hunk) !== undefined) ? hunks : null;
}

export type Names = Pick<Switched, 'whole' | 'parts'> & {
  readonly places: NonNullable<Switched['places']>;
  /** The file, where nothing of it is written. */
  readonly unchanged: readonly WorkspacePath[];
};

/** A plan's parts by name: a change by its own where all of it is meant. */
export function namesOf(path: WorkspacePath, { weave, plan, change }: CleanPlan): Names {
  const byChange = new Map<ChangeId, PartKey[]>();
  for (const part of plan.switched) {
    const { change: id, key } = weave.parts[part]!;
    addTo(byChange, id, key);
  }
  const whole: ChangeId[] = [];
  const parts: PartKey[] = [];
  for (const [id, keys] of byChange) {
    if (keys.length === weave.partsOf(id).length) whole.push(id);
    else parts.push(...keys);
  }
  return { whole, parts, places: plan.places, unchanged: change.writes.length === 0 ? [path] : [] };
}

export function switchedOf(to: 'on' | 'off', names: readonly Names[]): { readonly switched?: Switched } {
  const whole = names.flatMap((name) => name.whole);
  const parts = names.flatMap((name) => name.parts);
  const places = names.flatMap((name) => name.places);
  const unchanged = names.flatMap((name) => name.unchanged);
  if (whole.length + parts.length === 0) return {};
  const where = { ...(places.length === 0 ? {} : { places }), ...(unchanged.length === 0 ? {} : { unchanged }) };
  return { switched: { to, whole, parts, ...where } };
}

export function isHunkKey(key: PartKey): key is HunkId {
  return key.split('.').length === 3;
}
