import type {
  ChangeId,
  ChangeStatus,
  HunkId,
  PartKey,
  ReviewEntry,
  Switched,
  SwitchPlan,
  Weave,
} from '@palimpsest/core';
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

export type Names = Pick<Switched, 'whole' | 'parts'> & { readonly places: NonNullable<Switched['places']> };

/** A plan's parts by name: a change by its own where all of it is meant. */
export function namesOf(weave: Weave, plan: SwitchPlan): Names {
  const byChange = new Map<ChangeId, PartKey[]>();
  for (const part of plan.switched) {
    const { change, key } = weave.parts[part]!;
    byChange.set(change, [...(byChange.get(change) ?? []), key]);
  }
  const whole: ChangeId[] = [];
  const parts: PartKey[] = [];
  for (const [change, keys] of byChange) {
    if (keys.length === weave.partsOf(change).length) whole.push(change);
    else parts.push(...keys);
  }
  return { whole, parts, places: plan.places };
}

export function switchedOf(to: 'on' | 'off', names: readonly Names[]): { readonly switched?: Switched } {
  const whole = names.flatMap((name) => name.whole);
  const parts = names.flatMap((name) => name.parts);
  const places = names.flatMap((name) => name.places);
  if (whole.length + parts.length === 0) return {};
  return { switched: { to, whole, parts, ...(places.length === 0 ? {} : { places }) } };
}

export function isHunkKey(key: PartKey): key is HunkId {
  return key.split('.').length === 3;
}
